package audit

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/crawl"
)

// finished audits one site and returns its end.
func finished(t *testing.T, a *Auditor, site string) (d Done) {
	t.Helper()
	for rec := range a.All(t.Context(), Domains(strings.NewReader(site))) {
		if rec.Done != nil {
			d = *rec.Done
		}
	}
	return d
}

func sitemapIndex(locs ...string) string {
	return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>` + strings.Join(locs, "</loc></sitemap><sitemap><loc>") + "</loc></sitemap></sitemapindex>"
}

// A limit that stopped the reading of a site is recorded with the number of remaining items, and
// the state does not claim to cover all URLs.
func TestLimits(t *testing.T) {
	const at = "http://a.example"
	page := func(links ...string) string {
		return `<!doctype html><a href="` + strings.Join(links, `">x</a><a href="`) + `">x</a>`
	}
	var many []string
	for i := range crawl.MaxLinks + 1 {
		many = append(many, fmt.Sprint("/", i))
	}
	crawled := map[string]string{"/": page("/1", "/2", "/3"), "/1": page("/4"), "/2": page("/5"), "/3": page(), "/4": page(), "/5": page()}
	mapped := map[string]string{
		"/sitemap.xml": sitemapIndex(at+"/1.xml", at+"/2.xml", at+"/3.xml"), "/1.xml": urlset(at+"/1", at+"/2"), "/2.xml": urlset(at+"/3", at+"/4"), "/3.xml": urlset(at + "/5"),
	}
	for name, c := range map[string]struct {
		pages  map[string]string
		set    func(*Auditor)
		limits []Limit
		unread int64 // sitemaps
		why    string
	}{
		"no limit of pages": {crawled, func(a *Auditor) { a.Links = &crawl.LinkBudget{} }, nil, 0, "All 6 URLs are allowed for every crawler tested."},
		"pages": {crawled, func(a *Auditor) { a.Links = &crawl.LinkBudget{Pages: 2} }, []Limit{{LimitPages, "2 pages", 3}}, 0,
			"The 5 URLs tested are allowed for every crawler of this audit. This audit stopped at 2 pages: 3 more pages were found."},
		"clicks": {crawled, func(a *Auditor) { a.Links = &crawl.LinkBudget{Depth: 1} }, []Limit{{LimitDepth, "1 click from the home page", 2}}, 0,
			"The 6 URLs tested are allowed for every crawler of this audit. This audit stopped at 1 click from the home page: 2 more pages were found."},
		"the home page alone": {crawled, func(a *Auditor) { a.Links = &crawl.LinkBudget{Depth: -1} }, []Limit{{LimitDepth, "the home page", 3}}, 0,
			"The 4 URLs tested are allowed for every crawler of this audit. This audit stopped at the home page: 3 more pages were found."},
		"time for links": {map[string]string{"/sitemap.xml": urlset(at + "/1")}, func(a *Auditor) { a.Links = &crawl.LinkBudget{Time: 1} }, []Limit{{LimitTime, "1ns", 1}}, 0,
			"The 1 URL tested is allowed for every crawler of this audit. This audit stopped after 1ns: 1 more page was found."},
		"links of a page": {map[string]string{"/": page(many...)}, func(a *Auditor) { a.Links = &crawl.LinkBudget{Depth: -1} },
			[]Limit{{LimitPageParts, "10,000 links of a page", 1}, {LimitDepth, "the home page", 10000}}, 0,
			"The 10,000 URLs tested are allowed for every crawler of this audit. No sitemap was found, so the site may have more URLs. This audit stopped at 10,000 links of a page. This audit stopped at the home page: 10,000 more pages were found."},
		"bytes of a page": {map[string]string{"/": page("/1"), "/1": page(many...)}, func(a *Auditor) { a.Links = &crawl.LinkBudget{Bytes: 1000} },
			[]Limit{{LimitPageBytes, "1,000 bytes of a page", 1}}, 0,
			"The 1 URL tested is allowed for every crawler of this audit. No sitemap was found, so the site may have more URLs. This audit stopped at 1,000 bytes of a page."},
		"no limit of sitemaps": {mapped, func(*Auditor) {}, nil, 0, "All 5 URLs are allowed for every crawler tested."},
		"URLs": {mapped, func(a *Auditor) { a.Sitemaps.URLs = 3 }, []Limit{{LimitURLs, "3 URLs of sitemaps", 1}}, 1,
			"The 3 URLs tested are allowed for every crawler of this audit, but 1 of 4 sitemaps was not read. This audit stopped at 3 URLs of sitemaps: 1 more sitemap was found."},
		"sitemaps": {mapped, func(a *Auditor) { a.Sitemaps.Files = 2 }, []Limit{{LimitSitemaps, "2 sitemaps", 2}}, 2,
			"The 2 URLs tested are allowed for every crawler of this audit, but 2 of 4 sitemaps were not read. This audit stopped at 2 sitemaps: 2 more sitemaps were found."},
		"levels of indexes": {map[string]string{"/sitemap.xml": sitemapIndex(at + "/i.xml"), "/i.xml": sitemapIndex(at+"/1.xml", at+"/2.xml")},
			func(a *Auditor) { a.Sitemaps.Depth = 1 }, []Limit{{LimitSitemapDepth, "1 level of sitemap indexes", 2}}, 2,
			"2 of 4 sitemaps were not read. The others list no URL that could be tested. The home page is allowed for every crawler tested. This audit stopped at 1 level of sitemap indexes: 2 more sitemaps were found."},
		"sitemaps that fail": {map[string]string{"/sitemap.xml": sitemapIndex(at+"/1.xml", at+"/no1.xml", at+"/no2.xml", at+"/3.xml", at+"/4.xml"), "/1.xml": urlset(at + "/1")},
			func(a *Auditor) { a.Sitemaps.Fails = 2 }, []Limit{{LimitSitemapFails, "2 failed in a row", 2}}, 4,
			"The 1 URL tested is allowed for every crawler of this audit, but 4 of 6 sitemaps were not read. This audit stopped reading sitemaps after 2 failed in a row: 2 more sitemaps were found."},
		"bytes of a sitemap": {map[string]string{"/sitemap.xml": urlset(strings.Split(strings.Repeat(at+"/1 ", 99), " ")...)}, func(a *Auditor) { a.Sitemaps.Bytes = 900 },
			[]Limit{{LimitSitemapBytes, "900 bytes of a sitemap", 1}}, 0,
			"The 1 URL tested is allowed for every crawler of this audit. There was a problem: a sitemap: the body is longer than the limit. This audit stopped at 900 bytes of a sitemap."},
		"origins": {map[string]string{"/robots.txt": "Sitemap: http://b.example/1.xml\nSitemap: http://c.example/1.xml\n", "/sitemap.xml": urlset(at + "/1")},
			func(a *Auditor) { a.Origins = 1 }, []Limit{{LimitOrigins, "1 origin", 2}}, 2,
			"The 1 URL tested is allowed for every crawler of this audit, but 2 of 3 sitemaps were not read. This audit stopped at 1 origin: 2 more sitemaps were found."},
	} {
		t.Run(name, func(t *testing.T) {
			pages := map[string]string{"a.example/robots.txt": ""}
			for path, text := range c.pages {
				pages["a.example"+path] = text
			}
			if _, listed := c.pages["/sitemap.xml"]; !listed {
				pages["a.example/sitemap.xml"] = urlset(at + "/")
			}
			a := world(t, pages)
			if c.set(a); name == "bytes of a page" || name == "links of a page" {
				pages["a.example/sitemap.xml"] = "status 404"
			}
			d := finished(t, a, at)
			checkEqual(t, "limits", d.Limits, c.limits)
			if d.SitemapsUnread != c.unread {
				t.Errorf("%d sitemaps not read, want %d", d.SitemapsUnread, c.unread)
			}
			if d.Why != c.why {
				t.Errorf("%s\nwant %s", d.Why, c.why)
			}
		})
	}
}

// A site whose time is over reports this, and the number of URLs not requested.
func TestSiteTimeLimit(t *testing.T) {
	t.Parallel()
	a := served(t, "Googlebot", func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			io.WriteString(w, "Sitemap: http://a.example/1.xml\nSitemap: http://a.example/2.xml\nSitemap: http://a.example/3.xml\n")
		case "/1.xml":
			io.WriteString(w, urlset("http://a.example/1"))
		default:
			<-r.Context().Done()
		}
	})
	a.SiteTimeout = 300 * time.Millisecond
	d := finished(t, a, "http://a.example")
	if d.URLs != 1 || d.SitemapsRead != 1 || d.SitemapsUnread != 2 || d.Bound() != "stopped after 300ms" || d.Why != "The 1 URL tested is allowed for every crawler of this audit, but 2 of 3 sitemaps were not read. This audit stopped after 300ms." {
		t.Errorf("%+v", d)
	}
}

// A crawl in which no page was read counts none as read, and its state says so.
func TestNoPageRead(t *testing.T) {
	for answer, want := range map[string]LinkCount{
		"status 500":                                   {Pages: 1, Unread: 1, Home: &HomeFailure{"http://a.example/", 500, crawl.CodeHTTPStatus}},
		"%PDF-1.4":                                     {Pages: 1, Unread: 1},
		"redirect http://other.example/":               {Pages: 1, Unread: 1},
		"<!doctype html>":                              {Pages: 1},
		`<!doctype html><a href="/x.pdf">x</a>`:        {Pages: 2, Unread: 1, URLs: 1},
		`<!doctype html><a href="http://b.test/"></a>`: {Pages: 1},
	} {
		a := world(t, map[string]string{"a.example/robots.txt": "", "a.example/": answer, "a.example/x.pdf": "%PDF-1.4"})
		a.Links = &crawl.LinkBudget{}
		d := finished(t, a, "http://a.example")
		checkEqual(t, answer, d.Links, &want)
		words := "the pages that were read have no links"
		if want.Read() == 0 {
			words = "no page could be read"
		}
		if want.URLs == 0 && !strings.Contains(d.Why, words) {
			t.Errorf("%s: %s", answer, d.Why)
		}
	}
}

// Without any answer, Links is set but empty: no page was requested.
func TestNoPageAskedFor(t *testing.T) {
	a := world(t, nil)
	a.Client.ConnectTo = []string{":80:127.0.0.1:1"}
	a.Links = &crawl.LinkBudget{}
	d := finished(t, a, "http://a.example")
	if diff := cmp.Diff(&LinkCount{}, d.Links); diff != "" || d.State != Undetermined || d.Policy.Reaches[0].Word != "unknown" {
		t.Errorf("%s: %s, policy %+v; %s", d.State, d.Why, d.Policy, diff)
	}
}

// A failed home page is reported in addition to the URLs of the sitemaps.
func TestNoPageReadBesideSitemap(t *testing.T) {
	a := world(t, map[string]string{"a.example/robots.txt": "", "a.example/": "status 500", "a.example/sitemap.xml": urlset("http://a.example/1")})
	a.Links = &crawl.LinkBudget{}
	if d := finished(t, a, "http://a.example"); d.State != Warn || d.Why != "The home page http://a.example/ answers with HTTP 500 Internal Server Error. The only URL found is allowed for every crawler tested." {
		t.Errorf("%s: %s", d.State, d.Why)
	}
}

// The whole site is reported as blocked if the rules block every URL.
func TestWholeSiteBlocked(t *testing.T) {
	for rules, want := range map[string]string{
		"Disallow: /":             "Everything on this site is blocked for GPTBot (1 URL found). Line 2 `Disallow: /` blocks it. Is this intended?",
		"Disallow: /*":            "Everything on this site is blocked for GPTBot (1 URL found). Line 2 `Disallow: /*` blocks it. Is this intended?",
		"Disallow: /\nAllow: /x/": "The home page, but not the only URL found, is blocked for GPTBot. Line 2 `Disallow: /` blocks it. Is this intended?",
		"Disallow: /$":            "The home page, but not the only URL found, is blocked for GPTBot. Line 2 `Disallow: /$` blocks it. Is this intended?",
	} {
		a := world(t, map[string]string{"a.example/robots.txt": "User-agent: GPTBot\n" + rules + "\n", "a.example/sitemap.xml": urlset("http://a.example/x/")})
		a.Crawlers = crawlersOf(t, "GPTBot")
		if d := finished(t, a, "http://a.example"); d.Why != want || d.State != Critical || d.Ground != GroundHome {
			t.Errorf("%q: %s by %s: %s", rules, d.State, d.Ground, d.Why)
		}
	}
}

// A fault of ours in the middle leaves a lower bound, too.
func TestFaultLimit(t *testing.T) {
	a := world(t, map[string]string{"a.example/robots.txt": "", "a.example/sitemap.xml": urlset("http://a.example/1")})
	a.Links = new(crawl.LinkBudget)
	s := newSite(t.Context(), a, Domain{Name: "a.example", Host: "a.example", Scheme: "http"}, 0, func(rec Record) bool {
		if rec.Page != nil {
			panic("a fault of ours")
		}
		return true
	})
	defer s.fetch.Close()
	s.guarded(s.run)
	s.guarded(s.emitFindings)
	s.finish()
	why := regexp.MustCompile(`limit_test\.go:[0-9]+`).ReplaceAllString(s.done.Why, "limit_test.go:N")
	if s.done.State != Warn || why != "The home page http://a.example/ answers with HTTP 404 Not Found. The 1 URL tested is allowed for every crawler of this audit, but there was a problem: the audit: a fault of ours at audit/limit_test.go:N. This audit stopped at an error in this program." {
		t.Errorf("%s: %s", s.done.State, s.done.Why)
	}
}

// Records of before limits and reads were counted are read as they were.
func TestRecordsBeforeLimits(t *testing.T) {
	const old = `{"domain":"a.example","done":{"state":"ok","why":"w","origin":"http://a.example","urls":3,"blocked_any":0,"blocked":[0],"links":{"pages":2,"urls":3,"blocked":0,"orphans":0},"sitemaps":1,"problems":0,"policy":{"pages":0,"reaches":[{"word":"part"}]},"finished":"2026-01-02T03:04:05Z"}}`
	for rec, err := range Decode(strings.NewReader(old)) {
		noError(t, err)
		if d := rec.Done; d.Ground != "" || d.Effects != nil || d.Bound() != "" || d.LinksBound() != "" || d.Links.Read() != 2 || d.SitemapsRead+d.SitemapsUnread != 0 || d.Policy.Reaches[0].Home != "" {
			t.Errorf("%+v", d)
		}
	}
	d := Done{Limits: []Limit{{LimitPages, "500 pages", 387}, {LimitLinks, "50,000 links", 0}, {LimitURLs, "9 URLs of sitemaps", 1}}}
	if d.Bound() != "stopped at 500 pages, stopped at 9 URLs of sitemaps" || d.LinksBound() != "stopped at 500 pages, stopped at 50,000 links" || d.Limits[0].Rest() != "387 more pages were found" {
		t.Errorf("%q, %q, %q", d.Bound(), d.LinksBound(), d.Limits[0].Rest())
	}
	checkEqual(t, "limits", rewritten(t, Record{Domain: "a.example", Done: &d}).Done.Limits, d.Limits)
}
