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
	b.AddListed(ListedCanonical, AnotherPage, "http://a.test/b")
	b.addListed()
	want := []string{
		"7 URLs in sitemaps redirect: 3 to https, 2 to the host with www, 1 to another host",
		"1 URL in sitemaps answers with an error: HTTP 410 Gone",
		"1 URL in sitemaps has another URL as canonical",
	}
	if len(b.list) != len(want) {
		t.Fatalf("%d findings", len(b.list))
	}
	for i := range want {
		if f := b.list[i]; f.What != want[i] || f.ID != "SM026" {
			t.Errorf("%s %s, want %s", f.ID, f.What, want[i])
		}
	}
	if f := b.list[0]; f.URLs != 7 || len(f.Samples) != MaxSamples {
		t.Errorf("%d URLs, %d samples", f.URLs, len(f.Samples))
	}
}
