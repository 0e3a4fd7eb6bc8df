package serve

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
	"robots-audit/reports"
)

// homeHistory has two schedules with three runs each, and a run that audited only one site. The newest run of shops has
// a critical site, a warning, one of a state of a later version, and one that is OK.
func homeHistory(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	db, err := history.Open(t.Context(), dir)
	noError(t, err)
	defer db.Close()
	enter := func(id, schedule string, day int, blocked int64, states ...string) {
		tx, err := db.Begin(t.Context())
		noError(t, err)
		defer tx.Rollback()
		at := portfolioDay.AddDate(0, 0, day)
		noError(t, tx.AddRun(history.Run{ID: id, Schedule: schedule, Folder: "runs/" + id, Started: at, Finished: at.Add(time.Hour), Program: "0.1.0"}))
		noError(t, os.MkdirAll(filepath.Join(dir, "runs", id), 0o755))
		for i, state := range states {
			e := history.Entry{Settled: true, Site: history.Site{Name: fmt.Sprint(schedule, i, ".example"), State: state, Answer: history.AnswerOK, Known: 100, Blocked: blocked}}
			if i < 2 && day > 2 && schedule == "shops" {
				e.Changes = []compare.Change{{Kind: compare.KindRules, What: "disallow: /", After: "x", Severity: compare.High}}
				e.Flips = []history.Flips{{Crawler: "Googlebot", Counts: compare.Counts{NewlyBlocked: 3, NewlyAllowed: int64(i)}}, {Crawler: "Bingbot", Counts: compare.Counts{NewlyBlocked: 3}}}
			}
			noError(t, tx.AddSite(t.Context(), e))
		}
		if day > 1 && schedule == "shops" {
			for i, site := range []string{"shops0.example", "shops1.example"} {
				noError(t, tx.SaveAlert(history.Alert{ID: fmt.Sprint(id, i), Site: site, Condition: fmt.Sprint("AL0", i+day), Severity: "high", Raised: id, Since: at, Text: "x"}))
			}
		}
		noError(t, tx.Commit())
	}
	enter("s1", "shops", 0, 10, "ok", "ok", "ok", "ok")
	enter("n1", "news & more", 1, 0, "ok")
	enter("s2", "shops", 2, 10, "ok", "warn", "ok", "ok")
	enter("s3", "shops", 3, 25, "critical", "warn", "later", "ok")
	enter("n2", "news & more", 4, 0, "unknown")
	enter("part", "shops", 5, 90, "ok")
	noError(t, os.MkdirAll(filepath.Join(dir, "partial"), 0o755))
	noError(t, os.WriteFile(filepath.Join(dir, "partial", "part.json"), []byte(`{"sites":["shops0.example"]}`), 0o644))
	return dir
}

// Home has the newest run of each schedule with its figures, and what is new since the run before. Links lead to what is
// counted.
func TestHome(t *testing.T) {
	_, a := newDesk(t, Options{History: homeHistory(t)})
	var v runsView
	a.json("/", &v)
	figures := func(l *listed) string {
		text := l.Run + " of " + l.Schedule + ":"
		for _, n := range []*int64{l.Critical, l.Warn, l.Unknown, l.OK, l.Newly, l.Freed, l.Alerts} {
			if n == nil {
				text += " -"
			} else {
				text += fmt.Sprint(" ", *n)
			}
		}
		return text + " before " + l.Before
	}
	var got []string
	for i := range v.Newest {
		got = append(got, figures(&v.Newest[i].listed)+fmt.Sprint(" open ", v.Newest[i].Open))
	}
	for _, l := range v.Runs {
		got = append(got, figures(l))
	}
	want := []string{
		"n2 of news & more: 0 0 1 0 0 0 0 before n1 open 0",
		"s3 of shops: 1 1 1 1 2 1 2 before s2 open 6",
		"part of shops: 0 0 0 1 1 0 2 before ",
		"n2 of news & more: 0 0 1 0 0 0 0 before n1",
		"s3 of shops: 1 1 1 1 2 1 2 before s2",
		"s2 of shops: 0 1 0 3 0 0 2 before s1",
		"n1 of news & more: 0 0 0 1 - - 0 before ",
		"s1 of shops: 0 0 0 4 - - 0 before ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	_, page := a.do("GET", "/", "")
	harmless(t, "home", page)
	for _, words := range []string{
		"<strong>25\u00a0%</strong>of URLs blocked<span class=\"sub\">&#43;15.0 points since the run before</span>", "as in the run before", `<a href="/time">Sites over time</a>`, "only sites that changed", "2 newly blocked, 1 newly allowed", "none newly blocked or allowed",
		`href="/time?only=critical&amp;schedule=shops"><strong>1</strong>critical`, `href="/time?only=unknown&amp;schedule=news&#43;%26&#43;more"><strong>1</strong>unknown`, `<a href="/alerts?run=s3">2</a>`, `href="/alerts?schedule=shops"><strong>6</strong>open alerts`,
	} {
		if !strings.Contains(page, words) {
			t.Errorf("the page has no %s", words)
		}
	}
	var over timeView
	if a.json("/time?only=critical&schedule=shops", &over); over.Total != 0 { // the run of one site is newer
		t.Errorf("%d critical sites", over.Total)
	}
	for query, want := range map[string]string{
		"only=unknown&schedule=shops": "shops2.example",
		"only=changed":                "shops1.example shops0.example",
		"only=warn":                   "shops1.example",
		"sort=blocked&only=ok":        "shops0.example shops3.example",
		"sort=changed":                "shops0.example shops1.example news & more0.example shops2.example shops3.example",
		"schedule=x":                  "",
	} {
		v := timeView{}
		a.json("/time?"+query, &v)
		var names []string
		for _, s := range v.Sites {
			names = append(names, s.Site)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for path, words := range map[string]string{"/time?only=changed&sort=blocked": "2 sites, changed in their newest run, highest blocked share first</span>", "/time?only=critical": "No site matches in this time.", "/time?sort=blocked": ">90 % blocked</span>", "/time?schedule=" + url.QueryEscape(hostileTexts[0]): "All sites</a>"} {
		_, page := a.do("GET", path, "")
		if harmless(t, path, page); !strings.Contains(page, words) {
			t.Errorf("%s: the page has no %s", path, words)
		}
	}
	for _, path := range []string{"/time?only=high", "/time?sort=name", "/?page=0"} {
		if answer, _ := a.do("GET", path, ""); answer.StatusCode != 400 {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
}

// Figures of the history are read again after a run was entered.
func TestHomeAfterRun(t *testing.T) {
	dir := homeHistory(t)
	_, a := newDesk(t, Options{History: dir})
	for n := range 3 {
		var v runsView
		var over timeView
		a.json("/", &v)
		a.json("/time", &over)
		if len(v.Runs) != 6+n || over.Shares[len(over.Shares)-1].Blocked != int64(90+25*3+n*50) {
			t.Fatalf("%d runs, blocked %d", len(v.Runs), over.Shares[len(over.Shares)-1].Blocked)
		}
		db, err := history.Open(t.Context(), dir)
		noError(t, err)
		tx, err := db.Begin(t.Context())
		noError(t, err)
		noError(t, tx.AddRun(history.Run{ID: fmt.Sprint("later", n), Started: portfolioDay.AddDate(0, 0, 6+n), Finished: portfolioDay.AddDate(0, 0, 6+n)}))
		noError(t, tx.AddSite(t.Context(), history.Entry{Settled: true, Site: history.Site{Name: fmt.Sprint("new", n), State: "ok", Answer: history.AnswerOK, Known: 50, Blocked: 50}}))
		noError(t, tx.Commit())
		noError(t, db.Close())
	}
}

// Without a history, the newest folder has tiles that lead to its report, and nothing is said about a run before.
func TestHomeOfFolders(t *testing.T) {
	var runs []string
	for i, name := range []string{"monday", "tuesday"} {
		runs = append(runs, filepath.Join(t.TempDir(), name))
		auditRun(t, runs[i], map[string]testSite{"shop.example": shop(8)}, reports.Options{Started: portfolioDay.AddDate(0, 0, i)})
	}
	_, a := newDesk(t, Options{Runs: runs})
	var v runsView
	if a.json("/", &v); len(v.Newest) != 1 || v.Newest[0].Run != "tuesday" || v.Newest[0].Before != "" || v.Newest[0].Alerts != nil {
		t.Errorf("%+v", v.Newest)
	}
	_, page := a.do("GET", "/", "")
	harmless(t, "home of folders", page)
	if !strings.Contains(page, `<a class="tile warn" href="/runs/tuesday">`) || strings.Contains(page, "run before") || strings.Contains(page, "Sites over time") || strings.Contains(page, "open alerts") {
		t.Error("the page of folders")
	}
}
