package audit

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// TestMain fails the package when anything is left running. What is on its way
// out is waited for, on a busy machine for longer than goleak does by itself.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		err := goleak.Find()
		for end := time.Now().Add(20 * time.Second); err != nil && time.Now().Before(end); {
			err = goleak.Find()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// world is a loopback server for all hosts. pages are keyed by host and path; a page may be "status
// body", as in "503 ".
func world(t *testing.T, pages map[string]string) *Auditor {
	t.Helper()
	return served(t, "Googlebot,YandexBot", func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.Host+r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		var status int
		var to string
		switch {
		case page == "hang up":
			panic(http.ErrAbortHandler)
		case scan(page, "redirect %s", &to):
			http.Redirect(w, r, to, http.StatusFound)
		case scan(page, "status %d", &status):
			w.WriteHeader(status)
		default:
			if strings.HasPrefix(page, "<!doctype") {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
			}
			io.WriteString(w, page)
		}
	})
}

// served is an auditor of the sites that a handler answers for on loopback.
func served(t testing.TB, crawlers string, answer http.HandlerFunc) *Auditor {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return &Auditor{
		Client:   &crawl.Client{ConnectTo: []string{":80:" + server.Listener.Addr().String()}, Retries: -1},
		Crawlers: crawlersOf(t, crawlers), Workers: 4,
	}
}

// crawlersOf are the crawlers of a list of names.
func crawlersOf(t testing.TB, names string) []Crawler {
	t.Helper()
	crawlers, err := ParseCrawlers(names)
	noError(t, err)
	return crawlers
}

func scan(s, form string, into any) bool {
	n, err := fmt.Sscanf(s, form, into)
	return n == 1 && err == nil
}

// story collects a run's records by site, as short lines.
func story(a *Auditor, ctx context.Context, list string) map[string][]string {
	told := map[string][]string{}
	for rec := range a.All(ctx, Domains(strings.NewReader(list))) {
		told[rec.Domain] = append(told[rec.Domain], inLines(rec)...)
	}
	return told
}

// inLines is a record as short lines, without times and the ports of servers.
func inLines(rec Record) (lines []string) {
	say := func(form string, args ...any) { lines = append(lines, fmt.Sprintf(form, args...)) }
	set := 0
	if rec.Site != nil {
		set++
		say("site %d %d", rec.Site.Ordinal, rec.Site.Line)
	}
	if rec.Robots != nil {
		set++
		say("robots %s %d %s %s", rec.Robots.Origin, rec.Robots.File.Status, rec.Robots.Reads[0].Access, rec.Robots.Reads[1].Access)
	}
	if rec.URLs != nil {
		set++
		for _, u := range rec.URLs.List {
			say("url %s %v %v", u.Loc, u.Verdicts, u.Lines)
		}
	}
	if rec.Sitemap != nil {
		set++
		say("sitemap %s tested %d repeated %d left out %v blocked %v", rec.Sitemap.URL, rec.Sitemap.Tested, rec.Sitemap.Repeated, rec.Sitemap.LeftOut, rec.Sitemap.Blocked)
	}
	if rec.Page != nil {
		set++
		say("page %s %d %d links", rec.Page.URL, rec.Page.Status, rec.Page.Links)
	}
	if rec.Problem != nil {
		set++
		say("problem %s %s %s", rec.Problem.Stage, rec.Problem.Code, rec.Problem.URL)
	}
	if rec.Findings != nil {
		set++
		for _, f := range rec.Findings.List {
			say("finding %d %s line %d %v %d URLs %v", rec.Findings.Origin, f.ID, f.Line, f.Severity, f.URLs, f.Samples)
		}
	}
	if rec.Rules != nil {
		set++
		for _, c := range rec.Rules.Counts {
			say("rule %v %d %q matched %d decided %d frees %d blocks %d", rec.Rules.Crawlers, c.Line, c.Rule, c.Matched, c.Decided, c.Frees, c.Blocks)
		}
	}
	if rec.Done != nil {
		set++
		say("done %s urls %d blocked %d %v left out %v", rec.Done.State, rec.Done.URLs, rec.Done.BlockedAny, rec.Done.Blocked, rec.Done.LeftOut)
	}
	if set != 1 {
		say("%d fields set", set)
	}
	return lines
}

// siteList is a list of sites by http.
func siteList(n int) string {
	var list strings.Builder
	for i := range n {
		fmt.Fprintf(&list, "http://s%d.example\n", i)
	}
	return list.String()
}

func urlset(locs ...string) string {
	return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>` + strings.Join(locs, "</loc></url><url><loc>") + "</loc></url></urlset>"
}

func TestSite(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt": "User-agent: *\nDisallow: /p\nAllow: /p/open\nDisallow: /p/open\nSitemap: http://a.example/s.xml\n",
		"a.example/s.xml": urlset("http://a.example/", "http://a.example/p/1", "http://A.example:80/p/1#again", "http://a.example/p/open/x",
			"/relative", "", "mailto:x@a.example", "http://www.a.example/p/1", "http://"),
		"www.a.example/robots.txt": "status 404",
	})
	got := story(a, t.Context(), "http://a.example")["a.example"]
	want := []string{
		"site 0 1",
		"robots http://a.example 200 parsed parsed",
		"url http://a.example/ [allow allow] [0 0]",
		"url http://a.example/p/1 [disallow disallow] [2 2]",
		"url http://a.example/p/open/x [allow allow] [3 3]",
		"url http://a.example/relative [allow allow] [0 0]",
		"robots http://www.a.example 404 allow_all allow_all",
		"url http://www.a.example/p/1 [allow allow] [0 0]",
		"sitemap http://a.example/s.xml tested 5 repeated 1 left out map[empty:1 invalid:1 other_scheme:1] blocked [1 1]",
		"finding 0 FET009 line 0 warning 0 URLs [http://www.a.example/robots.txt]",
		"finding 0 SM005 line 2 error 1 URLs [http://a.example/p/1]",
		"finding 0 RUL006 line 4 warning 1 URLs [http://a.example/p/open/x]",
		"finding 0 SM018 line 5 error 1 URLs [http://]",
		"finding 0 SM018 line 5 error 1 URLs [mailto:x@a.example]",
		"finding 0 SM009 line 5 warning 1 URLs []",
		"finding 0 SM011 line 5 warning 1 URLs [/relative]",
		"finding 0 SM018 line 5 warning 1 URLs [http://A.example:80/p/1#again]",
		"finding 0 SM019 line 5 warning 1 URLs [http://www.a.example/p/1]",
		"finding 1 FET002 line 0 info 0 URLs []",
		// The two crawlers read by different profiles, and so are not tested as one; but their rules did the same.
		`rule [0 1] 2 "disallow: /p" matched 2 decided 1 frees 1 blocks 0`,
		`rule [0 1] 3 "allow: /p/open" matched 1 decided 1 frees 0 blocks 1`,
		`rule [0 1] 4 "disallow: /p/open" matched 1 decided 0 frees 0 blocks 0`,
		"done warn urls 5 blocked 1 [1 1] left out map[empty:1 invalid:1 other_scheme:1]",
	}
	checkEqual(t, "records", got, want)
}

// TestLeaving leaves the loop in the middle: All must stop and drain
// everything before it returns, which goleak sees at the end of the tests.
func TestLeaving(t *testing.T) {
	a := world(t, map[string]string{"s0.example/robots.txt": "", "s0.example/sitemap.xml": urlset("http://s0.example/")})
	n := 0
	for range a.All(t.Context(), Domains(strings.NewReader(siteList(100)))) {
		if n++; n == 7 {
			break
		}
	}
	if n != 7 {
		t.Errorf("%d records", n)
	}
}

// TestCancel ends the context during the run: interrupted sites have no Done.
func TestCancel(t *testing.T) {
	a := world(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	a.Waiting = -1 // or more sites would have begun, the slower the machine
	sites, done := 0, 0
	for rec := range a.All(ctx, Domains(strings.NewReader(siteList(1000)))) {
		if rec.Site != nil {
			sites++
		}
		if rec.Done != nil {
			if done++; done == 20 {
				cancel()
			}
		}
	}
	if done < 20 || done > 30 || sites > 60 {
		t.Errorf("%d sites, %d done", sites, done)
	}
}

// TestPanic isolates a fault of ours to its site.
func TestPanic(t *testing.T) {
	a := world(t, map[string]string{"good.example/robots.txt": "User-agent: *\nDisallow: /x\n", "good.example/sitemap.xml": urlset("http://good.example/x")})
	var calls atomic.Int32
	a.Now = func() time.Time {
		if calls.Add(1) == 1 {
			panic("the clock fell down")
		}
		return time.Unix(1e9, 0)
	}
	a.Workers = 1
	told := story(a, t.Context(), "http://bad.example\nhttp://good.example\n")
	want := []string{"problem audit internal ", "done unknown urls 0 blocked 0 [0 0] left out map[]"}
	checkEqual(t, "records", told["bad.example"], want)
	good := told["good.example"]
	if len(good) == 0 || good[len(good)-1] != "done critical urls 1 blocked 1 [1 1] left out map[]" {
		t.Errorf("%q", good)
	}
}

// TestBadLines reports lines of the list that name no site, and goes on.
func TestBadLines(t *testing.T) {
	a := world(t, map[string]string{"a.example/robots.txt": ""})
	told := story(a, t.Context(), "two words\nhttp://a.example\n")
	checkEqual(t, "records", told[""], []string{"problem list bad_domain "})
	if len(told["a.example"]) == 0 {
		t.Error("the good line was lost")
	}
}

// TestEveryVerdictCounts checks Done against the URLs that were yielded.
func TestEveryVerdictCounts(t *testing.T) {
	var locs []string
	for i := range 3000 {
		locs = append(locs, fmt.Sprintf("http://a.example/%d/%d", i%7, i))
	}
	a := world(t, map[string]string{
		"a.example/robots.txt":  "User-agent: Googlebot\nDisallow: /3/\n\nUser-agent: *\nDisallow: /3/\nDisallow: /5/\n",
		"a.example/sitemap.xml": urlset(append(locs, locs...)...),
	})
	var blocked [2]int64
	var urls, anyBlocked int64
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
		if rec.URLs != nil {
			for _, u := range rec.URLs.List {
				urls++
				for i, v := range u.Verdicts {
					if v == engine.Disallow {
						blocked[i]++
					}
				}
				if slices.Contains(u.Verdicts, engine.Disallow) {
					anyBlocked++
				}
			}
		}
		if d := rec.Done; d != nil {
			if d.URLs != urls || d.BlockedAny != anyBlocked || !slices.Equal(d.Blocked, blocked[:]) {
				t.Errorf("done says %+v; seen %d URLs, %d blocked, %v", d, urls, anyBlocked, blocked)
			}
		}
	}
	if urls != 3000 || blocked != [2]int64{429, 857} {
		t.Errorf("%d URLs, %v blocked", urls, blocked)
	}
}

// TestLinks follows links as far as robots.txt allows this program, and judges the URLs found for
// the tested crawlers.
func TestLinks(t *testing.T) {
	page := func(links ...string) string {
		return `<!doctype html><html><body><a href="` + strings.Join(links, `">x</a> <a href="`) + `">x</a></body></html>`
	}
	a := world(t, map[string]string{
		"a.example/robots.txt":  "User-agent: *\nDisallow: /private/\n\nUser-agent: robots-audit\nDisallow: /members/\n",
		"a.example/sitemap.xml": urlset("http://a.example/one"),
		"a.example/":            page("/one", "/private/x", "/members/", "http://b.example/", "mailto:x@a.example"),
		"a.example/one":         page("/", "/two#part"),
		"a.example/two":         page("/one"),
		"a.example/private/x":   page(),
		"a.example/members/":    page("/never"),
	})
	a.Links = &crawl.LinkBudget{Pages: 10, Depth: 3}
	got := slices.DeleteFunc(story(a, t.Context(), "http://a.example")["a.example"], func(line string) bool {
		return !strings.HasPrefix(line, "url ") && !strings.HasPrefix(line, "page ")
	})
	want := []string{
		"url http://a.example/one [allow allow] [0 0]",
		"page http://a.example/ 200 4 links",
		"page http://a.example/members/ 0 0 links", // not asked for
		"page http://a.example/one 200 2 links",
		"page http://a.example/private/x 200 0 links", // our own group does not disallow it; an empty href leads nowhere
		"page http://a.example/two 200 1 links",
		"url http://a.example/private/x [disallow disallow] [2 2]",
		"url http://a.example/members/ [allow allow] [0 0]",
		"url http://a.example/ [allow allow] [0 0]",
		"url http://a.example/two [allow allow] [0 0]",
	}
	checkEqual(t, "records", got, want)
}

// TestKinds tests URLs of sitemaps that are not pages. They are counted separately from the site's
// pages.
func TestKinds(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt": "User-agent: *\nDisallow: /img/\nDisallow: /de/\n",
		"a.example/sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">
<url><loc>http://a.example/en/</loc><xhtml:link rel="alternate" hreflang="de" href="http://a.example/de/"/><xhtml:link rel="alternate" hreflang="en" href="http://a.example/en/"/>
<image:image><image:loc>http://cdn.a.example/img/1.png</image:loc></image:image><image:image><image:loc>http://a.example/img/1.png</image:loc></image:image></url>
<url><loc>http://a.example/de/</loc><image:image><image:loc>http://a.example/img/1.png</image:loc></image:image></url></urlset>`,
	})
	for _, c := range []struct {
		kinds   []crawl.Kind
		skipped int64
		want    map[string]*Counts
	}{
		{nil, 0, map[string]*Counts{"hreflang": {URLs: 2, BlockedAny: 1, Blocked: []int64{1, 1}}, "image": {URLs: 2, BlockedAny: 1, Blocked: []int64{1, 1}}}},
		{[]crawl.Kind{}, 5, nil},
		{[]crawl.Kind{crawl.KindImage}, 2, map[string]*Counts{"image": {URLs: 2, BlockedAny: 1, Blocked: []int64{1, 1}}}},
	} {
		a.Kinds = c.kinds
		for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
			if d := rec.Done; d != nil {
				if d.URLs != 2 || d.BlockedAny != 1 {
					t.Errorf("%d pages, %d blocked", d.URLs, d.BlockedAny)
				}
				if diff := cmp.Diff(c.want, d.Kinds); diff != "" || d.KindsSkipped != c.skipped {
					t.Errorf("%d skipped, want %d; %s", d.KindsSkipped, c.skipped, diff)
				}
			}
			if rec.Rules != nil {
				if n := rec.Rules.Counts[1]; n.Decided != 1 {
					t.Errorf("%+v counts more than pages", n)
				}
			}
		}
	}
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// checkEqual compares the actual with the expected value.
func checkEqual(t testing.TB, what string, got, want any, options ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, options...); diff != "" {
		t.Errorf("%s (-want +got): %s", what, diff)
	}
}
