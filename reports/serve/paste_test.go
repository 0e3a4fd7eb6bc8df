package serve

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/reports"
)

// recordedRun is the folder of a run with one site: its own robots.txt, URLs, and then further origins.
func recordedRun(t testing.TB, name, own string, urls []audit.URL, further ...string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "recorded")
	crawlers, err := audit.ParseCrawlers("Googlebot,Bingbot")
	noError(t, err)
	started := time.Date(2026, 11, 3, 6, 0, 0, 0, time.UTC)
	run, err := reports.Open(reports.Options{Dir: dir, Version: "0.1.0", Crawlers: crawlers, Started: started})
	noError(t, err)
	write := func(rec audit.Record) {
		rec.Domain = name
		noError(t, run.Write(rec))
	}
	robots := func(i int, origin, text string) {
		r := &audit.Robots{Index: i, Origin: origin, File: *crawl.ServedRobots(origin, []byte(text), 0), Reads: make([]audit.Read, len(crawlers))}
		r.File.Given = false
		write(audit.Record{Robots: r})
	}
	write(audit.Record{Site: &audit.Site{Name: name, Crawlers: crawlers, Started: started}})
	robots(0, own, "User-agent: *\nDisallow: /private/\n")
	counts := audit.Counts{Blocked: make([]int64, len(crawlers))}
	for i := range urls {
		urls[i].Verdicts, urls[i].Lines = make([]engine.Verdict, len(crawlers)), make([]int32, len(crawlers))
		counts.Count(urls[i].Verdicts)
	}
	write(audit.Record{URLs: &audit.URLs{List: urls}})
	write(audit.Record{Page: &audit.Page{URL: urls[0].Loc, Depth: 1, Status: 200, NoIndex: true}})
	write(audit.Record{Page: &audit.Page{URL: urls[len(urls)-1].Loc, Depth: 1, Code: crawl.CodeTimeout}})
	for i, origin := range further {
		robots(1+i, origin, "User-agent: *\nDisallow: /\n")
	}
	write(audit.Record{Sitemap: &audit.Sitemap{SitemapFile: crawl.SitemapFile{Outcome: crawl.Outcome{URL: own + "/sitemap.xml"}, Index: 4}, Blocked: make([]int64, len(crawlers))}})
	write(audit.Record{Done: &audit.Done{State: audit.OK, Origin: own, Counts: counts, Finished: started.Add(time.Minute)}})
	noError(t, run.Close())
	return dir
}

// TestOtherScheme tests URLs of a site whose list names a bare host, and whose sitemap has http.
func TestOtherScheme(t *testing.T) {
	urls := func() []audit.URL {
		return []audit.URL{{Loc: "http://bare.example/private/a", Sitemap: 4, Weight: audit.Weight{Clicks: 7, ClicksGiven: true}}, {Loc: "https://bare.example/b", Sitemap: -1}, {Loc: "http://bare.example/b", Sitemap: 4}}
	}
	alone := recordedRun(t, "bare.example", "https://bare.example", urls())
	_, a := newDesk(t, Options{Runs: []string{alone}})
	for _, c := range []struct {
		url, trouble, asIf, verdict string
		known                       string
	}{
		{"http://bare.example/private/a", "this run did not fetch http://bare.example/robots.txt", "https://bare.example/robots.txt", "disallow", "[page  https://bare.example/sitemap.xml true]"},
		{"https://www.bare.example/private/a", "did not fetch https://www.bare.example/robots.txt", "https://bare.example/robots.txt", "disallow", "[page http://bare.example/private/a https://bare.example/sitemap.xml true]"},
		{"http://www.bare.example/x", "did not fetch", "https://bare.example/robots.txt", "allow", "[]"},
		{"https://bare.example/private/a", "", "", "disallow", "[page http://bare.example/private/a https://bare.example/sitemap.xml true]"},
		{"bare.example/private/a", "", "", "disallow", "[page http://bare.example/private/a https://bare.example/sitemap.xml true]"},
		{"https://bare.example/b", "", "", "allow", "[page   false]"},
		{"http://other.example/private/a", "did not fetch http://other.example/robots.txt", "", "", "[]"},
		{"https://bare.example:8443/private/a", "did not fetch", "", "", "[]"},
	} {
		var v urlView
		a.json("/runs/recorded/sites/bare.example/url?u="+url.QueryEscape(c.url), &v)
		by, asIf := v.By, ""
		if v.AsIf != nil {
			by, asIf = v.AsIf.Verdicts, v.AsIf.Robots
			if len(v.By) > 0 {
				t.Errorf("%s: a verdict looks certain: %+v", c.url, v.By)
			}
		}
		verdict, known := "", "[]"
		if len(by) > 0 {
			verdict = by[0].Verdict
		}
		if len(v.Known) > 1 {
			t.Errorf("%s: found as %+v", c.url, v.Known)
		}
		if len(v.Known) > 0 {
			k := v.Known[0]
			known = fmt.Sprintf("[%s %s %s %t]", k.Kind, k.URL, k.Sitemap, k.Clicks != nil && *k.Clicks == 7)
		}
		if !strings.Contains(v.Trouble, c.trouble) || (c.trouble == "") != (v.Trouble == "") || asIf != c.asIf || verdict != c.verdict || known != c.known {
			t.Errorf("%s: trouble %q, as if %q, %q, known %s", c.url, v.Trouble, asIf, verdict, known)
		}
	}
	_, page := a.do("GET", "/runs/recorded/sites/bare.example/url?u=http://bare.example/private/a", "")
	for want, has := range map[string]bool{"would be blocked from crawling": true, "They are not certain": true, `class="is critical"`: false, "7 clicks": true} {
		if strings.Contains(page, want) != has {
			t.Errorf("%q is on the page: %t", want, !has)
		}
	}
	fetched := recordedRun(t, "bare.example", "https://bare.example", urls(), "http://bare.example")
	_, a = newDesk(t, Options{Runs: []string{fetched}})
	var v urlView
	if a.json("/runs/recorded/sites/bare.example/url?u=http://bare.example/b", &v); v.Trouble != "" || v.AsIf != nil || len(v.By) != 1 || len(v.By[0].Crawlers) != 2 || !strings.Contains(v.By[0].Profile, "google); Bing") || v.By[0].Line != 2 || v.By[0].Verdict != "disallow" || v.Unblock != "" {
		t.Errorf("by the robots.txt of http: %+v", v)
	}
}

// TestPaste finds the site of a URL, and opens the page of a site by its name.
func TestPaste(t *testing.T) {
	dir := t.TempDir()
	auditRun(t, filepath.Join(dir, "old"), map[string]testSite{"gone.example": shop(4), "shop.example.com": shop(4)}, reports.Options{})
	auditRun(t, filepath.Join(dir, "new"), map[string]testSite{"shop.example.com": shop(4), "www.two.example": shop(4), "blog.two.example": shop(4)}, reports.Options{Started: time.Date(2026, 11, 4, 6, 0, 0, 0, time.UTC)})
	_, a := newDesk(t, Options{Runs: []string{filepath.Join(dir, "old"), filepath.Join(dir, "new")}, BasePath: "/tools"})
	for _, c := range []struct{ at, u, want string }{
		{"/url", "http://shop.example.com/x?a=1&b=2", "new/sites/shop.example.com"},
		{"/url", "https://www.shop.example.com/x", "new/sites/shop.example.com"},
		{"/url", "two.example/x", "new/sites/www.two.example"},
		{"/url", "HTTP://WWW.TWO.EXAMPLE:80/x", "new/sites/www.two.example"},
		{"/url", "https://gone.example/", "old/sites/gone.example"},
		{"/runs/old/url", "http://shop.example.com/x", "old/sites/shop.example.com"},
		{"/runs/new/sites/shop.example.com/url", "http://blog.two.example/a", "new/sites/blog.two.example"},
		{"/url", "two.example", "new/report/pages/www.two.example.html"},
		{"/runs/new/sites/shop.example.com/url", "blog.two.example", "new/report/pages/blog.two.example.html"},
		{"/url", "nowhere.example", "404"},
		{"/url", "http://nowhere.example/", "404"},
		{"/url", "http://ample.com/", "404"},
		{"/runs/new/url", "http://gone.example/", "404"},
		{"/url", "/x", "400"},
		{"/url", "javascript:harmed=1", "400"},
		{"/url", "http://", "400"},
		{"/url", strings.Repeat("x", 2001), "400"},
		{"/url", "", "200"},
		{"/runs/none/url", "http://shop.example.com/", "404"},
	} {
		path := "/tools" + c.at + "?u=" + url.QueryEscape(c.u)
		answer, page := a.do("GET", path, "")
		got, want := answer.Header.Get("Location"), "/tools/runs/"+c.want+"/url?u="+url.QueryEscape(c.u)
		if strings.HasSuffix(c.want, ".html") {
			want = "/tools/runs/" + c.want
		}
		if answer.StatusCode != http.StatusSeeOther {
			got, want = fmt.Sprint(answer.StatusCode), c.want
			harmless(t, path, page)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	var v urlView
	if a.json("/tools/url?u=http://shop.example.com/search", &v); v.Run != "new" || v.Site != "shop.example.com" || len(v.By) == 0 || v.By[0].Verdict != "disallow" {
		t.Errorf("as JSON: %+v", v)
	}
	// The pages of runs have their own policies, in the answer and in the page.
	answer, page := a.do("GET", "/tools/runs/new/report/index.html", "")
	_, policy, _ := strings.Cut(page, `<meta http-equiv="Content-Security-Policy" content="`)
	policy, _, _ = strings.Cut(policy, `"`)
	for _, p := range []string{answer.Header.Get("Content-Security-Policy"), policy} {
		if !strings.Contains(p, "form-action 'self'") {
			t.Errorf("the form of the bar is forbidden: %s", p)
		}
	}
	if !strings.Contains(page, `action="/tools/runs/new/url"`) {
		t.Error("the page of a run has no form for a URL")
	}
}
