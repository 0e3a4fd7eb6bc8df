package serve

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

// portfolioDay is the day of the first run of newPortfolio.
var portfolioDay = time.Date(2026, 10, 20, 0, 0, 0, 0, time.UTC)

// newPortfolio makes a history of sites over 40 days, without records: two runs on some days, none on the 35th.
// The folders of the first 30 days are removed.
func newPortfolio(t testing.TB, sites int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	db, err := history.Open(t.Context(), dir)
	noError(t, err)
	defer db.Close()
	for day := range 40 {
		for _, hour := range []int{5, 17} {
			if day == 35 || hour == 17 && day%4 > 0 {
				continue
			}
			at := portfolioDay.AddDate(0, 0, day).Add(time.Duration(hour) * time.Hour)
			run := history.Run{ID: at.Format("20060102T150405Z"), Started: at, Finished: at.Add(time.Minute), Program: "0.1.0"}
			if day >= 30 {
				run.Folder = "runs/" + run.ID
				noError(t, os.MkdirAll(filepath.Join(dir, run.Folder), 0o755))
				noError(t, os.MkdirAll(filepath.Join(dir, "comparisons", run.ID), 0o755))
				noError(t, os.WriteFile(filepath.Join(dir, "comparisons", run.ID, "changes.json"), []byte(`{"lead":"x","sites":[]}`), 0o644))
			}
			tx, err := db.Begin(t.Context())
			noError(t, err)
			noError(t, tx.AddRun(run))
			for i := range sites {
				e := history.Entry{Settled: true, Site: history.Site{Name: portfolioSite(i), State: portfolioState(i, day, hour), Answer: history.AnswerOK, Known: int64(100 + i), Blocked: int64((i + day) % 50)}}
				if i%7 == day%7 {
					e.Changes = []compare.Change{{Kind: compare.KindRules, What: hostileTexts[i%len(hostileTexts)], Before: "allowed", After: "blocked", Severity: compare.High}}
				}
				noError(t, tx.AddSite(t.Context(), e))
			}
			if day == 20 || day == 39 && hour == 5 {
				for i := range 3 {
					a := history.Alert{ID: fmt.Sprint(run.ID, i), Site: portfolioSite(i), Condition: "AL01", Severity: []string{"critical", "high", "medium"}[i], Raised: run.ID, Since: at, Text: "x"}
					if day == 20 && hour == 5 {
						a.EndedRun, a.Ended = run.ID, at.Add(time.Duration(i+1)*24*time.Hour)
					} else if day == 20 {
						continue
					}
					noError(t, tx.SaveAlert(a))
				}
			}
			noError(t, tx.Commit())
		}
	}
	return dir
}

// portfolioSite is the name of a site, with a scheme and port, and text that would run.
func portfolioSite(i int) string {
	switch i {
	case 1:
		return "http://b.example:8080"
	case 2:
		return hostileTexts[1]
	}
	return fmt.Sprintf("site-%03d.example", i)
}

func portfolioState(i, day, hour int) string {
	return []string{"ok", "ok", "warn", "critical", "unknown"}[(i+day/5+hour/10)%5]
}

// The page and its data are the made history: worst states, links, shares, times and changes.
func TestTime(t *testing.T) {
	const sites = 6
	dir := newPortfolio(t, sites)
	now := portfolioDay.AddDate(0, 0, 40)
	_, a := newDesk(t, Options{History: dir, BasePath: "/below", Now: func() time.Time { return now }})
	var v timeView
	a.json("/below/time", &v)
	if v.First != "2026-10-30" || v.Last != "2026-11-28" || v.Days != 30 || v.Total != sites || v.Pages != 1 || v.Cut || len(v.Sites) != sites || len(v.Shares) != 30 {
		t.Fatalf("%+v", v)
	}
	order := []string{"critical", "warn", "unknown", "ok"}
	var names []string
	for i := range sites {
		names = append(names, portfolioSite(i))
	}
	now39 := func(name string) int {
		return slices.Index(order, portfolioState(slices.Index(names, name), 39, 5))
	}
	want := slices.SortedFunc(slices.Values(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(now39(a), now39(b)), strings.Compare(a, b))
	})
	for row, s := range v.Sites {
		if s.Site != want[row] {
			t.Errorf("row %d is %s, want %s", row, s.Site, want[row])
		}
		i := slices.Index(names, s.Site)
		at := 0
		for day := 10; day < 40; day++ {
			if day == 35 {
				continue
			}
			state, hour, runs := portfolioState(i, day, 5), 5, 1
			if day%4 == 0 {
				runs = 2
				if late := portfolioState(i, day, 17); slices.Index(order, late) <= slices.Index(order, state) {
					state, hour = late, 17
				}
			}
			run := portfolioDay.AddDate(0, 0, day).Add(time.Duration(hour) * time.Hour).Format("20060102T150405Z")
			link := "/below/runs/" + run + "/sites/" + url.PathEscape(s.Site)
			if day < 30 {
				link = "/below/runs/20261128T050000Z/sites/" + url.PathEscape(s.Site)
			}
			day := dayView{Day: portfolioDay.AddDate(0, 0, day).Format(time.DateOnly), State: state, Run: run, Runs: runs, Link: link, Gone: day < 30}
			if at >= len(s.Days) || s.Days[at] != day {
				t.Fatalf("%s, day %d: %+v, want %+v", s.Site, at, s.Days[at], day)
			}
			at++
		}
		if at != len(s.Days) {
			t.Errorf("%s: %d days, want %d", s.Site, len(s.Days), at)
		}
	}
	for i, share := range v.Shares {
		day := i + 10
		w := shareView{Day: portfolioDay.AddDate(0, 0, day).Format(time.DateOnly), Sites: sites}
		if day == 35 {
			day, w.Carried = 34, sites
		}
		for k := range int64(sites) {
			w.Known += 100 + k
			w.Blocked += (k + int64(day)) % 50
		}
		if share != w {
			t.Errorf("share %+v, want %+v", share, w)
		}
	}
	const hours = 3600
	age := int64(19 * hours)
	for i, w := range []fixView{
		{Resolved: 3, Mean: 48 * hours, Median: 48 * hours, Longest: 72 * hours, Open: 3, Age: age},
		{Severity: "critical", Resolved: 1, Mean: 24 * hours, Median: 24 * hours, Longest: 24 * hours, Open: 1, Age: age},
		{Severity: "high", Resolved: 1, Mean: 48 * hours, Median: 48 * hours, Longest: 48 * hours, Open: 1, Age: age},
		{Severity: "medium", Resolved: 1, Mean: 72 * hours, Median: 72 * hours, Longest: 72 * hours, Open: 1, Age: age},
	} {
		if w.Oldest = portfolioDay.AddDate(0, 0, 39).Add(5 * time.Hour); i >= len(v.Fixes) || v.Fixes[i] != w {
			t.Errorf("times to fix %+v, want %+v", v.Fixes, w)
		}
	}
	if len(v.Changes) != maxChanges || v.Changes[0].Run != "20261128T050000Z" || v.Changes[0].Link != "/below/comparisons/20261128T050000Z/index.html" || !strings.HasSuffix(v.Changes[0].Words, ": allowed, now blocked") || v.Changes[19].Link != "" {
		t.Errorf("changes: %+v", v.Changes)
	}

	_, page := a.do("GET", "/below/time", "")
	harmless(t, "over time", page)
	checkTimeTable(t, page, v)
	if strings.Contains(page[:strings.Index(page, "It took")], "0 %") || !strings.Contains(page, "\u00a0% of ") {
		t.Error("a line of the lead can begin with %")
	}
	if !strings.Contains(page, "It took 2 days on average to fix an alert.") || !strings.Contains(page, "19 hours") || !strings.Contains(page, `role="img" aria-labelledby="tl-title tl-desc"`) {
		t.Error("the page lacks its figures")
	}
}

// checkTimeTable compares the cells of the table with the data.
func checkTimeTable(t *testing.T, page string, v timeView) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	noError(t, err)
	attr := func(n *html.Node, key string) string {
		for _, a := range n.Attr {
			if a.Key == key {
				return a.Val
			}
		}
		return ""
	}
	var rows [][]*html.Node
	columns := 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || n.Data != "tr" || !strings.Contains(attr(n.Parent.Parent.Parent, "class"), "heat") {
			continue
		}
		var cells []*html.Node
		for c := range n.ChildNodes() {
			if c.Data == "td" {
				cells = append(cells, c)
			} else if c.Data == "th" && attr(c, "scope") == "" {
				t.Error("a head without a scope")
			} else if c.Data == "th" && attr(c, "scope") == "col" && attr(c, "rowspan") == "" {
				columns++
			}
		}
		if cells != nil {
			rows = append(rows, cells)
		}
	}
	if len(rows) != len(v.Sites) || columns != v.Days {
		t.Fatalf("%d rows and %d columns, want %d and %d", len(rows), columns, len(v.Sites), v.Days)
	}
	first, err := time.Parse(time.DateOnly, v.First)
	noError(t, err)
	for i, cells := range rows {
		byDay := map[string]dayView{}
		for _, d := range v.Sites[i].Days {
			byDay[d.Day] = d
		}
		for k, cell := range cells {
			day := first.AddDate(0, 0, k)
			want, ran := byDay[day.Format(time.DateOnly)]
			if cell.FirstChild == nil {
				if ran {
					t.Errorf("%s, %s: an empty cell", v.Sites[i].Site, day)
				}
				continue
			}
			link := cell.FirstChild
			word := map[string]string{"ok": "OK", "warn": "warning"}[want.State]
			begin := day.Format("2 January 2006") + ": " + cmp.Or(word, want.State)
			if label := attr(link, "aria-label"); !ran || attr(cell, "class") != want.State || attr(link, "href") != want.Link || !strings.HasPrefix(label, begin) || label != attr(link, "title") || strings.Contains(label, "removed") != want.Gone || strings.Contains(label, "worst of 2 runs") != (want.Runs == 2) || link.FirstChild.Data == "" {
				t.Fatalf("%s, %s: %+v %+v, want %+v", v.Sites[i].Site, day, cell.Attr, link.Attr, want)
			}
		}
	}
}

// Pages, filters and wrong parameters.
func TestTimePages(t *testing.T) {
	dir := newPortfolio(t, 110)
	_, a := newDesk(t, Options{History: dir})
	seen := map[string]bool{}
	for page := 1; page <= 2; page++ {
		var v timeView
		a.json(fmt.Sprint("/time?days=90&page=", page), &v)
		if v.Total != 110 || v.Pages != 2 || v.Page != page || len(v.Sites) != []int{100, 10}[page-1] || v.Days != 40 {
			t.Errorf("page %d: %d of %d sites, %d pages", v.Page, len(v.Sites), v.Total, v.Pages)
		}
		for _, s := range v.Sites {
			seen[s.Site] = true
		}
	}
	if len(seen) != 110 {
		t.Errorf("%d sites on all pages", len(seen))
	}
	var v timeView
	a.json("/time?days=365&page=99", &v)
	if v.Page != v.Pages || v.Pages != 4 || len(v.Sites) != 20 {
		t.Errorf("after the last page: page %d of %d, %d sites", v.Page, v.Pages, len(v.Sites))
	}
	v = timeView{}
	if a.json("/time?q=SITE-00", &v); v.Total != 8 || v.Query != "SITE-00" {
		t.Errorf("%d sites contain the text", v.Total)
	}
	v = timeView{}
	if a.json("/time?q=nothing", &v); v.Total != 0 || v.Sites == nil {
		t.Errorf("%+v", v)
	}
	_, page := a.do("GET", "/time?days=90&q=site", "")
	if !strings.Contains(page, `href="/time?days=90&amp;page=2&amp;q=site">Next`) || strings.Contains(page, ">Previous<") || !strings.Contains(page, "Page 1 of 2") {
		t.Error("the first page does not lead to the next one")
	}
	_, page = a.do("GET", "/time?q="+url.QueryEscape(hostileTexts[0]), "")
	harmless(t, "a text that runs", page)
	for _, path := range []string{"/time?days=31", "/time?days=x", "/time?page=0", "/time?page=-1", "/time?page=99999999999999999999"} {
		if answer, _ := a.do("GET", path, ""); answer.StatusCode != 400 {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
}

// A link of a cell opens the page of the site. Without a run, or without a history, the page says so.
func TestTimeLinks(t *testing.T) {
	dir, ids := newHistory(t, shopFirst, shopSecond)
	_, a := newDesk(t, Options{History: dir})
	var v timeView
	a.json("/time", &v)
	links := 0
	for _, s := range v.Sites {
		for i, day := range s.Days {
			if answer, _ := a.do("GET", day.Link, ""); day.Run != ids[i] || answer.StatusCode != 303 {
				t.Errorf("%s: %s", day.Link, answer.Status)
			} else if answer, _ := a.do("GET", answer.Header.Get("Location"), ""); answer.StatusCode != 200 {
				t.Errorf("%s leads to %s", day.Link, answer.Status)
			}
			links++
		}
	}
	if links != 4 {
		t.Errorf("%d links", links)
	}

	empty := t.TempDir()
	db, err := history.Open(t.Context(), empty)
	noError(t, err)
	noError(t, db.Close())
	_, a = newDesk(t, Options{History: empty})
	answer, page := a.do("GET", "/time", "")
	if harmless(t, "no run", page); answer.StatusCode != 200 || !strings.Contains(page, "There are no runs yet.") {
		t.Errorf("without a run: %s", answer.Status)
	}

	db, err = history.Open(t.Context(), empty)
	noError(t, err)
	tx, err := db.Begin(t.Context())
	noError(t, err)
	noError(t, tx.AddRun(history.Run{ID: "20261103T060000Z", Started: portfolioDay, Finished: portfolioDay}))
	noError(t, tx.AddSite(t.Context(), history.Entry{Site: history.Site{Name: "a.example", State: "unknown", Answer: history.AnswerNone}}))
	noError(t, tx.Commit())
	noError(t, db.Close())
	_, page = a.do("GET", "/time", "")
	harmless(t, "one run", page)
	for _, words := range []string{"No alert was resolved in this time. No alert is open.", "No run in this time could read a robots.txt.", "No run found a change.", "20 October 2026: unknown. The folder of this run was removed", "<bdi>a.<wbr>example<wbr></bdi>"} {
		if !strings.Contains(page, words) {
			t.Errorf("the page of one run lacks %q", words)
		}
	}
	for path, words := range map[string]string{"/": `<p class="lead">No open alerts.</p>`, "/alerts": "The newest run started <time>20 October 2026, "} {
		if _, page := a.do("GET", path, ""); !strings.Contains(page, words) {
			t.Errorf("%s does not say at once that no alert is open: no %q", path, words)
		}
	}
	_, a = newDesk(t, Options{Runs: []string{filepath.Join(dir, "runs", ids[0])}})
	if answer, _ := a.do("GET", "/time", ""); answer.StatusCode != 404 {
		t.Errorf("without a history: %s", answer.Status)
	}
}
