package audit

import (
	"strings"
	"testing"

	"robots-audit/crawl"
)

// TestListedErrors audits pages of sitemaps with an error, with links followed. Only those that are gone are a
// finding, and the home page may redirect.
func TestListedErrors(t *testing.T) {
	pages := map[string]string{
		"a.example/robots.txt": "Sitemap: http://a.example/s.xml\n",
		"a.example/":           "redirect /en/",
		"a.example/en/":        `<!doctype html><title>A</title><a href="/401">1</a><a href="/403">2</a><a href="/404">3</a><a href="/410">4</a><a href="/429">5</a><a href="/500">6</a><a href="/503">7</a><a href="/moved">8</a>`,
		"a.example/moved":      "redirect /en/",
		"a.example/s.xml":      urlset("http://a.example/", "http://a.example/401", "http://a.example/403", "http://a.example/404", "http://a.example/410", "http://a.example/429", "http://a.example/500", "http://a.example/503", "http://a.example/moved"),
	}
	for _, status := range []string{"401", "403", "404", "410", "429", "500", "503"} {
		pages["a.example/"+status] = "status " + status
	}
	a := world(t, pages)
	a.Links = &crawl.LinkBudget{Pages: 100, Depth: 3}
	got, done := said(t, a, "http://a.example", "SM026", "SM028")
	if len(got) != 2 || !strings.Contains(got[0], "SM026 line 0 warning 1 [http://a.example/moved]") || !strings.Contains(got[1], "SM028 line 0 warning 2 [http://a.example/404 http://a.example/410]") {
		t.Errorf("%+v\n%s", done, strings.Join(got, "\n"))
	}
}

func TestDifference(t *testing.T) {
	for _, c := range []struct{ url, other, want string }{
		{"http://a.test", "HTTP://A.test:80/#top", ""},
		{"https://a.test/p?x=1", "https://a.test/p?x=1#y", ""},
		{"http://a.test/p", "https://a.test/p", "https"},
		{"https://a.test/p", "https://www.a.test/p/", "the host with www"},
		{"http://www.a.test/p", "https://a.test/p", "the host without www"},
		{"https://a.test/p", "https://a.test/p/", "the URL with a slash at its end"},
		{"https://a.test/p/", "https://a.test/p", "the URL without a slash at its end"},
		{"https://a.test/P", "https://a.test/p", "the URL in another case"},
		{"https://a.test/%D0%BF/", "https://a.test/%d0%bf/", ""},
		{"https://a.test/%4", "https://a.test/%4", ""},
		{"https://a.test/p?x=1", "https://a.test/p", "the URL with another query"},
		{"https://a.test/p", "https://a.test/q", "another page"},
		{"https://a.test/p", "https://a.test/", "another page"},
		{"https://a.test/p", "https://b.test/p", "another host"},
		{"http://a.test/p", "http://a.test:8080/p", "another port"},
		{"https://a.test/p", "mailto:a", "another page"},
	} {
		if got := difference(c.url, c.other); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.url, c.other, got, c.want)
		}
	}
}
