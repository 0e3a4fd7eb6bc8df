package audit

import (
	"fmt"
	"strings"
	"testing"
)

// TestCrossSubmits distinguishes sitemaps that may name URLs of other hosts from those that may
// not, by the robots.txt of those hosts.
func TestCrossSubmits(t *testing.T) {
	index := `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>http://maps.example/child.xml</loc></sitemap></sitemapindex>`
	a := world(t, map[string]string{
		"a.example/robots.txt": "Sitemap: http://a.example/own.xml\nSitemap: http://a.example/index.xml\nSitemap: http://a.example/agreed.xml\nSitemap: http://a.example/both.xml\n" +
			"Sitemap: http://a.example/www.xml\nSitemap: http://a.example/down.xml\nSitemap: http://maps.example/index.xml\nSitemap: http://maps.example/alone.xml\n",
		"a.example/own.xml":       urlset("http://a.example/1", "http://A.example:80/2"),
		"a.example/index.xml":     strings.ReplaceAll(index, "maps.example/child", "maps.example/alone"),
		"a.example/agreed.xml":    urlset("http://b.example/1", "http://a.example/3", "http://b.example/2"),
		"a.example/both.xml":      urlset("http://c.example/1", "http://b.example/3", "http://c.example/2"),
		"a.example/www.xml":       urlset("http://www.a.example/"),
		"a.example/down.xml":      urlset("http://down.example/1"),
		"maps.example/index.xml":  index,
		"maps.example/child.xml":  urlset("http://a.example/4"),
		"maps.example/alone.xml":  urlset("http://c.example/2"),
		"b.example/robots.txt":    "Sitemap: http://A.example:80/agreed.xml\nSitemap: http://a.example/both.xml\n",
		"c.example/robots.txt":    "status 404",
		"down.example/robots.txt": "status 503",
		"maps.example/robots.txt": "User-agent: *\nDisallow: /x\n",
	})
	got := map[string]string{}
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		if rec.Sitemap == nil {
			continue
		}
		for _, n := range rec.Sitemap.Notes {
			got[rec.Sitemap.URL] = strings.TrimSpace(fmt.Sprintf("%s %s %d: %s", got[rec.Sitemap.URL], n.Code, n.Count, strings.Join(append([]string{n.Detail}, n.More...), " ")))
		}
	}
	want := map[string]string{
		"http://a.example/index.xml":    "cross_submitted 1: http://maps.example/alone.xml",
		"http://a.example/agreed.xml":   "cross_submitted 2: http://b.example/1 http://b.example/2",
		"http://a.example/both.xml":     "other_host 2: http://c.example/1 http://c.example/2 cross_submitted 1: http://b.example/3",
		"http://a.example/down.xml":     "other_host_unknown 1: http://down.example/1",
		"http://a.example/www.xml":      "missing_www 1: http://www.a.example/",
		"http://maps.example/child.xml": "cross_submitted 1: http://a.example/4",
		"http://maps.example/alone.xml": "other_host 1: http://c.example/2",
	}
	checkEqual(t, "notes", got, want)
}

// TestLintOtherHosts says nothing about the robots.txt of hosts that are not asked for it.
func TestLintOtherHosts(t *testing.T) {
	for urls, want := range map[string]string{
		"http://a.example/1 http://b.com/1":                   "SM019 info",
		"http://b.com/1 http://localhost/1":                   "SM019 info",
		"http://a.example/1 http://localhost:3000/1":          "SM019 warning",
		"http://127.0.0.1/1 http://localhost:3000/1":          "SM022 error",
		"http://a.example/1 http://a.example/2?http://b.com/": "",
	} {
		a := world(t, map[string]string{"a.example/sitemap.xml": urlset(strings.Fields(urls)...)})
		site := a.Client.Site("a.example")
		defer site.Close()
		got := ""
		for _, f := range SitemapFindings(site.LintSitemap(t.Context(), "http://a.example/sitemap.xml")) {
			got += f.ID + " " + f.Severity.String()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", urls, got, want)
		}
	}
}
