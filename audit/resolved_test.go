package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"robots-audit/crawl"
)

// judged returns the judged URLs of a site: "d /p" is disallowed for the first crawler. " = " is
// followed by the original spelling, if different, and " x" by the weight.
func judged(t *testing.T, a *Auditor, site string) []string {
	t.Helper()
	var got []string
	for rec := range a.All(t.Context(), Domains(strings.NewReader(site))) {
		if rec.URLs == nil {
			continue
		}
		for _, u := range rec.URLs.List {
			line := u.Verdicts[0].String()[:1] + " " + strings.TrimPrefix(u.Loc, site)
			if u.Written != "" {
				line += " = " + strings.TrimPrefix(u.Written, site)
			}
			if u.Clicks > 0 {
				line += " x" + strings.Repeat("i", int(u.Clicks))
			}
			got = append(got, line)
		}
	}
	slices.Sort(got)
	return got
}

// TestURLsOfSitemapsAreResolved judges URLs as crawlers request them, once for all spellings;
// relative entries are also reported.
func TestURLsOfSitemapsAreResolved(t *testing.T) {
	const head = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">`
	a := world(t, map[string]string{
		"a.example/robots.txt": "User-agent: *\nDisallow: /p\nDisallow: /ü\n\nSitemap: http://a.example/./d/../index.xml\n",
		"a.example/index.xml":  `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>maps/./1.xml</loc></sitemap><sitemap><loc>\maps\2.xml</loc></sitemap></sitemapindex>`,
		"a.example/maps/1.xml": urlset("http://a.example/./p/1", "http://a.example/x/%2e%2E/p/2", `http:\\a.example\p\3`, "http://a.example/p\n/4", "http://a.example/p/1", "http://a.example/ü", "http://a.example/a b", "HTTP://A.example:80"),
		"a.example/maps/2.xml": head + `<url><loc>/p/5</loc><image:image><image:loc>../p/6.png</image:loc></image:image><xhtml:link rel="alternate" hreflang="de" href="/./p/7"/></url>` +
			`<url><loc>q.html</loc></url><url><loc>n/a</loc></url><url><loc>//b.example/p</loc></url></urlset>`,
		"b.example/robots.txt": "User-agent: *\nDisallow: /p\n",
	})
	a.Crawlers = crawlersOf(t, "Googlebot@google-oss,YandexBot")
	want := []string{
		"a / = HTTP://A.example:80", "a /a%20b = /a b", "a /maps/q.html = q.html",
		"d /%C3%BC = /ü", "d /p/1 = /./p/1", "d /p/2 = /x/%2e%2E/p/2", `d /p/3 = http:\\a.example\p\3`, "d /p/4 = /p\n/4",
		"d /p/5 = /p/5", "d /p/6.png = ../p/6.png", "d /p/7 = /./p/7", "d http://b.example/p = //b.example/p",
	}
	slices.Sort(want)
	checkEqual(t, "URLs", judged(t, a, "http://a.example"), want)
	got, _ := said(t, a, "http://a.example", "SM010", "SM011")
	if diff := cmp.Diff([]string{
		"SM011 line 0 warning 5 [/p/5 ../p/6.png /./p/7 q.html //b.example/p] 5 URLs are relative, such as /p/5, in http://a.example/maps/2.xml",
		"SM010 line 0 info 5 [http://a.example/./p/1 (asked for as http://a.example/p/1)] 5 URLs are not written as crawlers request them, such as http://a.example/./p/1 (asked for as http://a.example/p/1), in http://a.example/maps/1.xml",
		`SM011 line 5 warning 2 [maps/./1.xml \maps\2.xml] 2 URLs are relative, such as maps/./1.xml, in http://a.example/index.xml`,
	}, got); diff != "" {
		t.Error(diff)
	}
}

// TestLinksAreResolved judges what crawlers ask for where pages link to it otherwise.
func TestLinksAreResolved(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt":  "User-agent: Googlebot\nUser-agent: YandexBot\nDisallow: /p\n",
		"a.example/sitemap.xml": urlset("http://a.example/"),
		"a.example/": `<!doctype html><link rel=canonical href="/./p/c"><link rel=alternate hreflang=de href="\p\d"><script src="/x/../p/s.js"></script>` +
			`<a href="/./p/1">a</a><a href="\p\1">b</a><a href="/%2e/p/1">c</a>`,
	})
	a.Links = &crawl.LinkBudget{Pages: 10, Depth: 2}
	checkEqual(t, "URLs", judged(t, a, "http://a.example"), []string{"a /", "d /p/1", "d /p/c", "d /p/d", "d /p/s.js"})
}

// TestKnownURLsAreResolved judges URLs of the user's list as crawlers request them. Their weight
// also applies to the same URL of a sitemap.
func TestKnownURLsAreResolved(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt":  "User-agent: *\nDisallow: /p\n",
		"a.example/sitemap.xml": urlset("http://a.example/p/1", "http://a.example/./p/2"),
	})
	a.Known = knownOf(t, "page,clicks\nhttp://a.example/./p/1,1\nhttp://a.example/p/2,2\nhttp:\\\\A.example\\p\\3,3\nhttp://me:secret@a.example/./p/4,4\n")
	want := []string{"d /p/1 xi", "d /p/2 = /./p/2 xii", `d /p/3 = http:\\A.example\p\3 xiii`, "d /p/4 xiiii"}
	checkEqual(t, "URLs", judged(t, a, "http://a.example"), want)
}
