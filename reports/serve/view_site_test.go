package serve

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/reports"
)

// Three versions of the shop's robots.txt.
const (
	shopFirst  = "User-agent: *\nDisallow: /search\n\nSitemap: http://%s/sitemap.xml\n"
	shopSecond = "User-agent: *\nDisallow: /search\nDisallow: /shop/private/\n\nSitemap: http://%s/sitemap.xml\n"
	shopThird  = "User-agent: *\nDisallow: /search\nDisallow: /shop/private/\nAllow: /shop/private/b1\n\nUser-agent: Bingbot\nDisallow: /blog/\n\nSitemap: http://%s/sitemap.xml\n"
)

// TestOneURL checks the verdicts on a URL with their reasons, and its history.
func TestOneURL(t *testing.T) {
	dir, ids := newHistory(t, shopFirst, shopFirst, shopSecond, shopThird)
	_, a := newDesk(t, Options{History: dir})
	path := "/runs/" + ids[3] + "/sites/" + shopHost + "/url?u="

	var v urlView
	a.json(path+"/shop/private/b5", &v)
	if v.URL != "http://shop.example.com/shop/private/b5" || len(v.By) != 3 && len(v.By) != 2 || v.Trouble != "" {
		t.Fatalf("%+v", v)
	}
	google := v.By[0]
	if google.Crawlers[0] != "Googlebot" || google.Verdict != "disallow" || google.Line != 3 || google.Rule != "disallow: /shop/private/" || google.Deleted != "allow" || len(google.Lines) != 2 || google.Lines[1].Text != "Disallow: /shop/private/" || !strings.Contains(google.Group, "no group names the crawler") {
		t.Errorf("%+v", google)
	}
	if len(v.Known) != 1 || v.Known[0].Sitemap != "http://shop.example.com/sitemap.xml" || v.NotStored == "" || v.Slow {
		t.Errorf("before any search: known %v %q", v.Known, v.Unknown)
	}
	if want := "/runs/" + ids[3] + "/sites/" + shopHost + "/edit?wish=allow&url=http%3A%2F%2Fshop.example.com%2Fshop%2Fprivate%2Fb5"; v.Unblock != want || v.Block == "" {
		t.Errorf("unblock: %q, want %q; block: %q", v.Unblock, want, v.Block)
	}
	sentences := map[string]string{}
	for _, p := range v.Past {
		for _, c := range p.Crawlers {
			sentences[c] = p.Sentence
		}
		if len(p.Spans) != 2 && p.Crawlers[0] == "Googlebot" {
			t.Errorf("%d stretches: %+v", len(p.Spans), p.Spans)
		}
	}
	for c, want := range map[string]string{
		"Googlebot": "Blocked from crawling since 5 November 2026 by line 3 `Disallow: /shop/private/`; before that allowed: no rule matches.",
		"Bingbot":   "Allowed since 6 November 2026: no rule matches; before that blocked from crawling by line 3 `Disallow: /shop/private/`. The verdict has changed 2 times since 3 November 2026.",
	} {
		if sentences[c] != want {
			t.Errorf("%s: %q, want %q", c, sentences[c], want)
		}
	}

	var found searchView
	a.json(searchPath(ids[3], "b5", ""), &found)
	v = urlView{}
	if a.json(path+"/shop/private/b5", &v); len(v.Known) != 1 || v.Known[0].Site != shopHost || v.Known[0].Kind != "page" {
		t.Errorf("after a search: known %+v", v.Known)
	}
	v = urlView{}
	if a.json(path+"/never/heard/of", &v); len(v.Known) != 0 || !strings.Contains(v.Unknown, "Not found in this run") || v.By[0].Verdict != "allow" {
		t.Errorf("a URL that is not known: %+v", v)
	}
	for query, want := range map[string]string{
		"https://other.example/a":          "did not fetch https://other.example/robots.txt",
		"http://shop.example.com:81/a":     "did not fetch",
		"shop":                             "shop",
		`"><img src=x onerror="harmed=1">`: "img",
	} {
		v = urlView{}
		if a.json(path+strings.ReplaceAll(query, " ", "%20"), &v); !strings.Contains(v.Trouble, want) || len(v.By) != 0 {
			t.Errorf("%s: %q, %d verdicts", query, v.Trouble, len(v.By))
		}
	}
	for _, host := range []string{shopHost, "evil.example.com"} {
		for _, text := range append(hostileTexts, "", "/shop/private/b10") {
			page := "/runs/" + ids[3] + "/sites/" + host + "/url?u=" + strings.NewReplacer(" ", "%20", "&", "%26", "#", "%23", "+", "%2B").Replace("/"+text)
			answer, body := a.do("GET", page, "")
			if answer.StatusCode != http.StatusOK {
				t.Errorf("%s: %s %s", page, answer.Status, body)
			}
			harmless(t, page, body)
		}
	}
}

// TestVersions compares versions of robots.txt on the URLs of a run.
func TestVersions(t *testing.T) {
	dir, ids := newHistory(t, shopFirst, shopFirst, shopSecond, shopThird)
	_, a := newDesk(t, Options{History: dir})
	path := "/runs/" + ids[0] + "/sites/" + shopHost + "/versions"

	var v struct {
		versionsView
		Told struct {
			Totals struct {
				Blocked int64 `json:"newly_blocked"`
				Allowed int64 `json:"newly_allowed"`
			}
			Flips map[string]struct {
				Blocked int64 `json:"newly_blocked"`
				Allowed int64 `json:"newly_allowed"`
			}
			Robots struct{ Diff []struct{ Text string } }
		} `json:"told"`
	}
	a.json(path, &v)
	if len(v.Versions) != 3 || v.Versions[0].Number != 3 || v.Versions[2].Runs != 2 || len(v.Answers) != 3 || v.Answers[2].Runs != 2 || v.Old.Number != 2 || v.New.Number != 3 {
		t.Fatalf("%+v", v)
	}
	// 40 URLs, every fourth of each kind: of /shop/private/ b1, b13 and b17 begin with b1, and Bingbot has a group of its own.
	if got, want := fmt.Sprint(v.Told.Totals, v.Told.Flips["Googlebot"], v.Told.Flips["Bingbot"]), "{10 20} {0 3} {10 20}"; got != want {
		t.Errorf("from the second to the third: %s, want %s", got, want)
	}
	if len(v.Told.Robots.Diff) != 4 {
		t.Errorf("%d lines differ: %+v", len(v.Told.Robots.Diff), v.Told.Robots.Diff)
	}
	old, new := v.Versions[0].SHA256, v.Versions[2].SHA256
	a.json(path+"?old="+old+"&new="+new, &v)
	if got, want := fmt.Sprint(v.Told.Totals), "{10 17}"; got != want || v.Old.Number != 3 {
		t.Errorf("from the third to the first: %s, want %s", got, want)
	}
	_, page := a.do("GET", path, "")
	harmless(t, "versions", page)
	for _, want := range []string{"From “5 Nov 2026” to “since 6 Nov 2026”", "Allow: /shop/private/b1", `<rect class="ok" x="0"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	_, page = a.do("GET", "/runs/"+ids[0]+"/sites/evil.example.com/versions", "")
	harmless(t, "hostile versions", page)
	if !strings.Contains(page, "the same robots.txt in all runs") {
		t.Error("one version: nothing is said")
	}
	for _, sum := range []string{"0123456789", "x", strings.Repeat("0", 64)} {
		if answer, _ := a.do("GET", path+"?new="+sum, ""); answer.StatusCode != http.StatusNotFound {
			t.Errorf("version %s: %s", sum, answer.Status)
		}
	}
}

// TestVersionsOfRuns compares what runs have found, if there is no history.
func TestVersionsOfRuns(t *testing.T) {
	dir := t.TempDir()
	var runs []string
	for i, robots := range []string{shopFirst, shopSecond} {
		site := shop(40)
		site.robots = robots
		runs = append(runs, filepath.Join(dir, fmt.Sprintf("run%d", i)))
		auditRun(t, runs[i], map[string]testSite{shopHost: site}, reports.Options{Started: time.Date(2026, 11, 3+i, 6, 0, 0, 0, time.UTC)})
	}
	path := "/sites/" + shopHost + "/versions"
	_, a := newDesk(t, Options{Runs: runs})
	var v versionsView
	if a.json("/runs/run1"+path, &v); v.History || len(v.Versions) != 2 || v.Old == nil || v.Old.Number != 1 || !strings.Contains(v.Told.Lead, "10 URLs") {
		t.Errorf("%+v", v)
	}
	remembered, _ := newHistory(t, shopFirst) // without the other run's site
	elsewhere := filepath.Join(dir, "elsewhere")
	auditRun(t, elsewhere, map[string]testSite{"elsewhere.example.com": shop(4)}, reports.Options{})
	_, a = newDesk(t, Options{Runs: []string{elsewhere}, History: remembered})
	v = versionsView{}
	if a.json("/runs/elsewhere/sites/elsewhere.example.com/versions", &v); v.History || len(v.Versions) != 1 || v.Runs != 1 {
		t.Errorf("of a run beside the history: %+v", v)
	}
	_, a = newDesk(t, Options{Runs: runs[:1]})
	v = versionsView{}
	if a.json("/runs/run0"+path, &v); v.Told != nil || !strings.Contains(v.Note, "one run") {
		t.Errorf("of one run: %+v", v)
	}
	var u urlView
	if a.json("/runs/run0/sites/"+shopHost+"/url?u=/search", &u); !strings.Contains(u.NoPast, "no history") || u.By[0].Verdict != "disallow" {
		t.Errorf("without a history: %+v", u)
	}
}

// TestSiteOrder: sites are in the order of the summary, not of the run's list.
func TestSiteOrder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "monday")
	allowed, blocked := shop(8), shop(8)
	allowed.robots, blocked.robots = "User-agent: *\nDisallow:\n", "User-agent: *\nDisallow: /\n"
	auditRun(t, dir, map[string]testSite{"a.example": allowed, "b.example": blocked, "c.example": allowed}, reports.Options{})
	_, a := newDesk(t, Options{Runs: []string{dir}})
	var v sitesView
	a.json("/runs/monday/sites", &v)
	if len(v.Sites) != 3 || v.Sites[0].Site != "b.example" {
		t.Errorf("sites: %+v", v.Sites)
	}
	if _, page := a.do("GET", "/runs/monday/search", ""); !strings.Contains(page, ">a.example<") || !strings.Contains(strings.SplitN(page, ">a.example<", 2)[0], ">b.example<") {
		t.Error("the list of sites is in another order")
	}
}
