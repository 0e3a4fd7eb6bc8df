package reports

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// hollow is a loopback server of sites on which something cannot be checked, each in another way:
// path → body; "" = HTTP 503.
var hollow = town{
	"bare.test/robots.txt":           "User-agent: *\nDisallow: /a\nAllow: /a/b\n",
	"closed.test/robots.txt":         "User-agent: *\nDisallow: /\n",
	"other.test/robots.txt":          "User-agent: NobodyBot\nDisallow: /a\nSitemap: http://other.test/sitemap.xml\n",
	"other.test/sitemap.xml":         urlset("http://other.test/a", "http://other.test/b"),
	"elsewhere.test/robots.txt":      "User-agent: *\nDisallow: /a\nSitemap: http://elsewhere.test/sitemap.xml\n",
	"elsewhere.test/sitemap.xml":     urlset("http://www.elsewhere.test/a", "http://www.elsewhere.test/b"),
	"www.elsewhere.test/robots.txt":  "User-agent: *\nDisallow: /b\nSitemap: http://elsewhere.test/sitemap.xml\n",
	"broken.test/robots.txt":         "User-agent: *\nDisallow: /a\nSitemap: http://broken.test/gone.xml\nSitemap: http://broken.test/html.xml\n",
	"broken.test/html.xml":           "<html><body>not a sitemap</body></html>",
	"empty.test/robots.txt":          "User-agent: *\nDisallow: /a\nSitemap: http://empty.test/sitemap.xml\n",
	"empty.test/sitemap.xml":         urlset(),
	"page.test/robots.txt":           "User-agent: *\nDisallow: /a\nSitemap: http://page.test/sitemap.xml\n",
	"page.test/sitemap.xml":          urlset("http://page.test/a", "http://page.test/b"),
	"wide.test/robots.txt":           "User-agent: *\nDisallow: /p9\n",
	"wide.test/":                     `<html><body><a href="/p1">1</a><a href="/p2">2</a><a href="/p3">3</a><a href="/p4">4</a></body></html>`,
	"wide.test/p1":                   `<html><body><a href="/p5">5</a><a href="/p6">6</a></body></html>`,
	"silent.test/robots.txt":         "-",
	"busy.test/robots.txt":           "503",
	"fine.test/robots.txt":           "User-agent: *\nDisallow: /a\nSitemap: http://fine.test/sitemap.xml\n",
	"fine.test/sitemap.xml":          urlset("http://fine.test/a", "http://fine.test/b"),
	"fine.test/":                     `<html><body><a href="/a">a</a><a href="/b">b</a><img src="/i.png"></body></html>`,
	"none.test/unrelated-to-robots/": "",
}

var hollowSites = []string{"bare.test", "closed.test", "other.test", "elsewhere.test", "broken.test", "empty.test", "page.test", "wide.test", "silent.test", "busy.test", "fine.test", "none.test"}

func urlset(locs ...string) string {
	var b strings.Builder
	b.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, loc := range locs {
		b.WriteString("<url><loc>" + loc + "</loc></url>")
	}
	return b.String() + "</urlset>"
}

// serveHollow serves hollow; "-" gets no response, "503" that status.
func serveHollow(out http.ResponseWriter, r *http.Request) {
	switch hollow[r.Host+r.URL.Path] {
	case "-":
		panic(http.ErrAbortHandler) // the connection is closed
	case "503":
		out.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	hollow.ServeHTTP(out, r)
}

// auditHollow audits the hollow sites and writes a run.
func auditHollow(t *testing.T, crawlers string, sites []string, links *crawl.LinkBudget) string {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(serveHollow))
	server.Config.ErrorLog = nil
	server.Start()
	defer server.Close()
	list, err := audit.ParseCrawlers(crawlers)
	noError(t, err)
	o := Options{Dir: t.TempDir(), Started: start, Crawlers: list, Rows: "all"}
	r := openRun(t, o)
	a := audit.Auditor{Client: &crawl.Client{ConnectTo: []string{":80:" + server.Listener.Addr().String()}, Retries: -1}, Crawlers: list, Workers: 2, Links: links}
	var text strings.Builder
	for _, name := range sites {
		text.WriteString("http://" + name + "\n")
	}
	for rec := range a.All(context.Background(), audit.Domains(strings.NewReader(text.String()))) {
		noError(t, r.Write(rec))
	}
	closeRun(t, r)
	return o.Dir
}

// TestUnmeasured compares every report with the checks that were done: without a check there is no
// number, no "all" or "none", and nothing green.
func TestUnmeasured(t *testing.T) {
	for _, tt := range []struct {
		name, crawlers string
		sites          []string
		links          *crawl.LinkBudget
	}{
		{"sitemaps", "Googlebot,Bingbot,YandexBot,Googlebot@google-2019,YandexBot@yandex-2016", hollowSites, nil},
		{"one crawler", "Googlebot", hollowSites, nil},
		{"links", "Googlebot,Bingbot", hollowSites, &crawl.LinkBudget{}},
		{"limited links", "Googlebot,Bingbot", hollowSites, &crawl.LinkBudget{Pages: 2}},
		{"nothing known", "Googlebot,Bingbot", []string{"bare.test", "silent.test"}, nil},
		{"no site", "Googlebot", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checkMeasured(t, auditHollow(t, tt.crawlers, tt.sites, tt.links))
		})
	}
}

// figuresOf are the key figures of a site's workbook: value, state, why.
func figuresOf(t *testing.T, dir, base string) map[string][3]string {
	t.Helper()
	rows := sheetCells(t, openBook(t, dir, base+".xlsx"), "Summary")
	figures := map[string][3]string{}
	for _, row := range rows {
		if row = append(row, "", "", "", "", ""); row[4] != "" {
			figures[row[0]] = [3]string{row[1], strings.Replace(strings.ToLower(row[3]), "warning", "warn", 1), row[4]}
		}
	}
	return figures
}

// TestUnmeasuredFigures reads figures without data, or with a part of it.
func TestUnmeasuredFigures(t *testing.T) {
	t.Parallel()
	dir := auditHollow(t, "Googlebot,Bingbot", hollowSites, &crawl.LinkBudget{Pages: 2})
	for _, tt := range []struct{ site, figure, value, state, why string }{
		{"bare.test", "URLs found", "0", "unknown", ""},
		{"page.test", "Blocked URLs that pages link to", "–", "unknown", "not measured: no link could be read on the page requested"},
		{"page.test", "Resources blocked", "–", "", "not measured: none found"},
		{"other.test", "Rules that decide nothing", "–", "", "not measured: 1 rule line is for other crawlers or other hosts"},
		{"elsewhere.test", "Rules that decide nothing", "0", "", "of 1 rule line"},
		{"broken.test", "Sitemaps read", "0", "warn", "none of 2 sitemaps could be read"},
		{"broken.test", "URLs skipped", "–", "unknown", "not measured: no URL was found"},
		{"broken.test", "Blocked for Googlebot", "–", "unknown", "not measured: no URL was tested; follows the group for * (line 1)"},
		{"closed.test", "Blocked for Googlebot", "–", "critical", "the home page is blocked; not measured: no URL was tested"},
		{"silent.test", "robots.txt, HTTP status", "–", "unknown", "no answer. For Googlebot: if it cannot read robots.txt either, everything is blocked: the connection closed before the end of the answer: "},
		{"silent.test", "State", "Unknown", "unknown", "robots.txt could not be read"},
		{"fine.test", "Blocked for at least one crawler", "1", "critical", "in a sitemap but blocked by robots.txt"},
		{"silent.test", "Blocked for Bingbot", "–", "unknown", "not measured: no URL was tested"},
		{"silent.test", "AI policy: crawlers named", "–", "unknown", "not measured: robots.txt could not be fetched"},
		{"silent.test", "Sitemaps read", "–", "", "no sitemap is named, and there is none at the usual addresses"},
		{"wide.test", "URLs found", "at least 6", "", "stopped at 2 pages; "},
		{"wide.test", "Blocked for at least one crawler", "0 so far", "", "stopped at 2 pages; "},
		{"wide.test", "Blocked URLs that pages link to", "0 so far", "", "stopped at 2 pages; of 6 URLs that 2 pages"},
		{"fine.test", "Blocked URLs that pages link to", "1", "warn", "of "},
		{"fine.test", "URLs whose verdict differs", "0", "ok", "all 2 crawlers get the same verdict"},
	} {
		got := figuresOf(t, dir, tt.site)[tt.figure]
		if got[0] != tt.value || got[1] != tt.state || !strings.HasPrefix(got[2], tt.why) {
			t.Errorf("%s: %s: %q", tt.site, tt.figure, got)
		}
	}
	one := figuresOf(t, auditHollow(t, "Googlebot", []string{"fine.test"}, nil), "fine.test")
	checkEqual(t, "of one crawler", one["URLs whose verdict differs"], [3]string{"–", "", "not measured: only one crawler was tested"})
	none := figuresOf(t, auditHollow(t, "Googlebot,Bingbot", []string{"none.test"}, nil), "none.test")
	for name, f := range none { // nothing can be blocked, whatever its URLs are
		if f[1] == "unknown" {
			t.Errorf("%s is unknown of a site that is fine: %q", name, f)
		}
	}
	if f := none["State"]; f != [3]string{"OK", "ok", "no issues"} {
		t.Errorf("without a robots.txt: %q", f)
	}
	text := readText(t, dir, "summary.json")
	checkHas(t, text, `"not_measured":{"blocked":"not measured: no URL was tested"`, `"at_least":"stopped at 2 pages"`, `"tested":5,`)
}

// TestUntestedKinds: kinds of URLs omitted by -kinds are not reported as missing.
func TestUntestedKinds(t *testing.T) {
	t.Parallel()
	records := judged(t, "Googlebot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /a\n")}, "/a")
	records[len(records)-1].Done.KindsSkipped = 3
	f := written(t, Options{}, records)
	if words := leftOutSheets(t, f); !strings.Contains(words, "Resources (no images, videos or alternates were tested: -kinds leaves 3 out)") {
		t.Errorf("%q", words)
	}
	if row := summaryRows(t, f)["Resources blocked"]; row == nil || row[1] != "–" || row[4] != "not tested: 3 skipped" {
		t.Errorf("%q", row)
	}
}
