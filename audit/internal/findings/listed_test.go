package findings

import (
	"fmt"
	"testing"

	"robots-audit/engine"
)

// TestListed checks the words about pages of sitemaps: the commonest cases first, at most three.
func TestListed(t *testing.T) {
	p, _ := engine.ProfileByName("google")
	b := &builder{Collector: &Collector{}, profiles: []*engine.Profile{p}}
	for i, how := range []string{"https", "https", "another page", "https", "the host with www", "the host with www", "another host"} {
		b.AddListed(ListedRedirect, "to "+how, fmt.Sprintf("http://a.test/%d", i))
	}
	b.AddListed(ListedError, "HTTP 410 Gone", "http://a.test/gone")
	b.AddListed(ListedNoIndex, "for all crawlers", "http://a.test/n")
	b.AddListed(ListedNoIndex, "for all crawlers", "http://a.test/o")
	b.AddListed(ListedCanonical, AnotherPage, "http://a.test/b")
	b.addListed()
	want := []string{
		"7 URLs in sitemaps redirect: 3 to https, 2 to the host with www, 1 to another host",
		"1 URL in sitemaps answers with HTTP 410 Gone",
		"2 URLs in sitemaps have noindex for all crawlers",
		"1 URL in sitemaps has another URL as canonical",
	}
	if len(b.list) != len(want) {
		t.Fatalf("%d findings", len(b.list))
	}
	for i := range want {
		if f := b.list[i]; f.What != want[i] || f.ID != []string{"SM026", "SM028", "SM029", "SM030"}[i] {
			t.Errorf("%s %s, want %s", f.ID, f.What, want[i])
		}
	}
	if f := b.list[0]; f.URLs != 7 || len(f.Samples) != MaxSamples {
		t.Errorf("%d URLs, %d samples", f.URLs, len(f.Samples))
	}
}

// TestListedAlike checks the words where all pages have the fault in the same way, or in two ways.
func TestListedAlike(t *testing.T) {
	p, _ := engine.ProfileByName("google")
	b := &builder{Collector: &Collector{}, profiles: []*engine.Profile{p}}
	for i := range 1200 {
		b.AddListed(ListedRedirect, "to another page", fmt.Sprintf("http://a.test/%d", i))
		b.AddListed(ListedError, "HTTP "+[]string{"404 Not Found", "410 Gone"}[i%2], fmt.Sprintf("http://a.test/e%d", i))
		b.AddListed(ListedCanonical, "the host with www", fmt.Sprintf("http://a.test/c%d", i))
	}
	b.addListed()
	for i, want := range []string{
		"1,200 URLs in sitemaps redirect to another page",
		"1,200 URLs in sitemaps answer with an error: 600 HTTP 404 Not Found, 600 HTTP 410 Gone",
		"1,200 URLs in sitemaps have another URL as canonical: the host with www",
	} {
		if got := b.list[i].What; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
