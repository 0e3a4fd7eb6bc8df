package audit

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/crawl"
)

// TestPageParts judges what a page needs to be rendered, its versions in other
// languages and its canonical URL, each in its class.
func TestPageParts(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt": "User-agent: *\nDisallow: /static/\nDisallow: /de/\nDisallow: /main\n",
		"a.example/": `<!doctype html><html><head><link rel="stylesheet" href="/static/a.css"><link rel="canonical" href="/main">
<link rel="alternate" hreflang="de" href="/de/"><script src="/open/a.js"></script></head><body><img src="/static/a.png"><img src="/static/a.png"></body></html>`,
	})
	a.Links = &crawl.LinkBudget{Pages: 5, Depth: 2}
	var kinds []string
	var urls []string
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		if rec.URLs != nil {
			for _, u := range rec.URLs.List {
				urls = append(urls, fmt.Sprintf("%s %v %v", u.Loc, u.Kind, u.Verdicts[0]))
			}
		}
		if d := rec.Done; d != nil {
			for _, k := range []string{"hreflang", "css", "js", "image"} {
				kinds = append(kinds, fmt.Sprintf("%s %d %d", k, d.Kinds[k].URLs, d.Kinds[k].BlockedAny))
			}
			kinds = append(kinds, fmt.Sprintf("pages %d %d", d.URLs, d.BlockedAny), fmt.Sprintf("links %d %d", d.Links.URLs, d.Links.Blocked), string(d.State)) // a canonical is no link, and makes no site critical
		}
	}
	wantURLs := []string{
		"http://a.example/main canonical disallow", "http://a.example/de/ hreflang disallow", "http://a.example/static/a.css css disallow",
		"http://a.example/open/a.js js allow", "http://a.example/static/a.png image disallow",
	}
	checkEqual(t, "URLs", urls, wantURLs)
	checkEqual(t, "kinds", kinds, []string{"hreflang 1 1", "css 1 1", "js 1 0", "image 1 1", "pages 1 1", "links 0 0", "warn"})
}

// TestTwin follows a home page to the host with "www.", whose own robots.txt
// then counts, for us as for the crawlers.
func TestTwin(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt":     "User-agent: *\nDisallow: /2\n",
		"a.example/":               "redirect http://www.a.example/",
		"www.a.example/robots.txt": "User-agent: Googlebot\nDisallow: /1\n\nUser-agent: robots-audit\nDisallow: /3\n",
		"www.a.example/":           `<!doctype html><a href="/1">1</a><a href="/2">2</a><a href="/3">3</a><a href="http://a.example/2">2</a><a href="http://b.example/">b</a>`,
		"www.a.example/1":          "<!doctype html>",
		"www.a.example/2":          "<!doctype html>",
	})
	a.Links = &crawl.LinkBudget{Pages: 9, Depth: 2}
	var got []string
	for _, line := range story(a, t.Context(), "http://a.example")["a.example"] {
		if strings.HasPrefix(line, "url ") || strings.HasPrefix(line, "page ") || strings.HasPrefix(line, "problem crawl") {
			got = append(got, line)
		}
	}
	want := []string{
		"page http://a.example/ 302 0 links",
		"page http://www.a.example/ 200 5 links",
		"page http://www.a.example/3 0 0 links", // these two are not asked for
		"page http://a.example/2 0 0 links",
		"page http://www.a.example/1 200 0 links",
		"page http://www.a.example/2 200 0 links",
		"url http://a.example/2 [disallow disallow] [2 2]",
		"url http://www.a.example/1 [disallow allow] [2 0]",
		"url http://www.a.example/2 [allow allow] [0 0]",
		"url http://www.a.example/3 [allow allow] [0 0]",
	}
	checkEqual(t, "URLs", got, want)
}

// TestLinkCount counts what pages link to and the rules block, and what the
// sitemaps name and no page links to.
func TestLinkCount(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt": "User-agent: *\nDisallow: /p/\nSitemap: http://a.example/s.xml\n",
		"a.example/s.xml":      urlset("http://a.example/", "http://a.example/1", "http://a.example/p/1", "http://a.example/p/2", "http://a.example/orphan", "http://cdn.a.example/x"),
		"a.example/":           `<!doctype html><a href="/1">1</a><a href="/p/1">2</a><a href="/p/3">3</a><a href="http://b.example/p/">b</a>`,
		"a.example/1":          `<!doctype html><link rel=canonical href="/1"><a href="/">home</a><a href="/p/3#x">3</a><a href="/p/1">1</a>`,
	})
	a.Links = &crawl.LinkBudget{}
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		if d := rec.Done; d != nil {
			// Links go to /, /1, /p/1 and /p/3; the latter two are blocked, also for this program.
			// /p/2 and /orphan have no link.
			if diff := cmp.Diff(&LinkCount{Pages: 2, URLs: 4, Blocked: 2, Orphans: 2, Kept: 2}, d.Links); diff != "" || !strings.Contains(d.Why, "2 blocked URLs are linked from the site's pages") {
				t.Errorf("%s: %s", d.Why, diff)
			}
		}
	}
}

// A skipped link is not one of the URLs of the sitemaps.
func TestOrphansBesideLeftOut(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt": "Sitemap: http://a.example/s.xml\n",
		"a.example/s.xml":      urlset("http://a.example/orphan"),
		"a.example/":           `<!doctype html><a href="http://a.example:8080/left-out">1</a>`,
	})
	a.Links, a.Origins = &crawl.LinkBudget{}, 1
	if d := finished(t, a, "http://a.example"); d.Links.Orphans != 1 || d.LeftOut[LeftOrigins] == 0 {
		t.Errorf("%+v, left out %v", d.Links, d.LeftOut)
	}
}

// TestCrawlDelay keeps the distance between requests that the group which is
// for this program asks for: its own, or that of "*".
func TestCrawlDelay(t *testing.T) {
	t.Parallel()
	for _, robots := range []string{"User-agent: *\nCrawl-delay: 0.2\n", "User-agent: *\nCrawl-delay: 30\nDisallow: /x\n\nUser-agent: robots-audit\nCrawl-delay: 0.2\nAllow: /\n"} {
		var mu sync.Mutex
		var starts []time.Time
		a := served(t, "Googlebot", func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			starts = append(starts, time.Now())
			mu.Unlock()
			switch r.URL.Path {
			case "/robots.txt":
				io.WriteString(w, robots+"Sitemap: http://a.example/1.txt\nSitemap: http://a.example/2.txt\n")
			default:
				io.WriteString(w, "http://a.example"+r.URL.Path+"\n")
			}
		})
		for range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		}
		if len(starts) != 3 {
			t.Fatalf("%d requests", len(starts))
		}
		for i := 1; i < len(starts); i++ {
			// The delay counts from the answer on, so it is never less; on a busy machine it is more.
			if d := starts[i].Sub(starts[i-1]); d < 200*time.Millisecond || d > 20*time.Second {
				t.Errorf("%v between two requests, want 0.2 s", d)
			}
		}
	}
}

// TestSecondLook finds a robots.txt that is another one with "www.".
func TestSecondLook(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt":     "User-agent: *\nDisallow: /x\n",
		"www.a.example/robots.txt": "User-agent: *\nDisallow: /\n",
		"b.example/robots.txt":     "User-agent: *\n",
		"www.b.example/robots.txt": "User-agent: *\n",
	})
	a.SecondLook = &crawl.Variants{UserAgents: []string{"Else/1.0"}, WWW: true}
	for host, want := range map[string][]string{"a.example": {"problem robots robots_differs http://www.a.example/robots.txt"}, "b.example": nil} {
		var got []string
		for _, line := range story(a, t.Context(), "http://"+host)[host] {
			if strings.Contains(line, CodeRobotsDiffers) {
				got = append(got, line)
			}
		}
		checkEqual(t, host, got, want)
	}
}
