//go:build soak

package history

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"robots-audit/audit/compare"
)

// TestReadCosts measures the processor time of queries for a waiting user, in a history of 400 runs
// of 5,000 sites. In each run 1 % of the sites change; a tenth of these has an alert that ends
// within ten runs. TEST_TIMES sets another number of runs. Each query must take at most 0.1 s, most
// 0.02 s; all runs with their changes 0.5 s.
func TestReadCosts(t *testing.T) {
	runs, sites := 400, 5000
	if n, err := strconv.Atoi(os.Getenv("TEST_TIMES")); err == nil {
		runs = n
	}
	ctx := t.Context()
	db := mustOpen(t, t.TempDir())
	version := make([]int, sites)
	alerts := map[int]Alert{}
	for n := range runs {
		run := testRun(n, "daily")
		noError(t, db.update(ctx, func(tx *Tx) error {
			noError(t, tx.AddRun(run))
			for i := range sites {
				e := Entry{Settled: true, Site: Site{Name: fmt.Sprintf("site-%d.example", i), State: "ok", Answer: AnswerOK, Status: 200, Known: 1000, Blocked: 50}}
				if (i*7+n)%100 == 0 {
					version[i]++
					for k := range 5 {
						e.Changes = append(e.Changes, compare.Change{Kind: "rule", What: fmt.Sprint("disallow: /", k), Severity: []compare.Severity{"critical", "high", "medium", "info", "info"}[k]})
					}
					for c := range 10 {
						e.Flips = append(e.Flips, Flips{Crawler: fmt.Sprint("Crawler", c), Counts: compare.Counts{NewlyBlocked: 3}})
					}
				}
				e.Site.SHA256 = fmt.Sprint(i, " ", version[i])
				e.Site.Body = fmt.Appendf(nil, "%2000d", version[i])
				noError(t, tx.AddSite(ctx, e))
				if a, open := alerts[i]; open && n%10 == i%10 {
					a.EndedRun, a.Ended = run.ID, run.Started
					noError(t, tx.SaveAlert(a))
					delete(alerts, i)
				} else if !open && (i*7+n)%1000 == 0 {
					alerts[i] = Alert{ID: fmt.Sprintf("%x %d", uint64(i)*2654435761, n), Site: e.Site.Name, Condition: "AL01", Severity: "high", Raised: run.ID, Since: run.Started, Text: "Some of its URLs are blocked."}
					noError(t, tx.SaveAlert(alerts[i]))
				}
			}
			return nil
		}))
	}
	t.Logf("%s rows of site_run, %s of change, %s of flip_count, %s of alert", tableOf(t, db.read, "SELECT count(*) FROM site_run"),
		tableOf(t, db.read, "SELECT count(*) FROM change"), tableOf(t, db.read, "SELECT count(*) FROM flip_count"), tableOf(t, db.read, "SELECT count(*) FROM alert"))
	const site = "site-4400.example"
	period, err := db.Period(ctx, 30)
	noError(t, err)
	for _, read := range []struct {
		name string
		most time.Duration
		do   func() (int, error)
	}{
		{"Versions", 20 * time.Millisecond, func() (int, error) { v, err := db.Versions(ctx, site, 1000); return len(v), err }},
		{"SiteRuns", 20 * time.Millisecond, func() (int, error) { v, err := db.SiteRuns(ctx, site, 1000); return len(v), err }},
		{"Alerts of a site", 100 * time.Millisecond, func() (int, error) {
			v, err := db.Alerts(ctx, AlertFilter{Site: site, Limit: 1000})
			return len(v), err
		}},
		{"Alerts", 100 * time.Millisecond, func() (int, error) { v, err := db.Alerts(ctx, AlertFilter{Limit: 200}); return len(v), err }},
		{"open Alerts", 100 * time.Millisecond, func() (int, error) {
			v, err := db.Alerts(ctx, AlertFilter{Open: true, Limit: 200})
			return len(v), err
		}},
		{"RunSites of 1,000", 100 * time.Millisecond, func() (int, error) { v, err := db.RunSites(ctx, runID(runs-1), 1000); return len(v), err }},
		{"StateTotals", 20 * time.Millisecond, func() (int, error) { v, err := db.StateTotals(ctx, runID(runs-1)); return len(v), err }},
		{"SiteDays of 30 days", 100 * time.Millisecond, func() (int, error) {
			v, _, err := db.SiteDays(ctx, period, SiteFilter{Limit: 200})
			return len(v), err
		}},
		{"Shares of 30 days", 500 * time.Millisecond, func() (int, error) { v, err := db.Shares(ctx, period); return len(v), err }},
		{"FixTimes", 100 * time.Millisecond, func() (int, error) { v, _, err := db.FixTimes(ctx, period.First); return len(v), err }},
		{"NewChanges", 20 * time.Millisecond, func() (int, error) { v, err := db.NewChanges(ctx, 20); return len(v), err }},
		{"RunTotals of 50", 100 * time.Millisecond, func() (int, error) { v, err := db.RunTotals(ctx, 50); return len(v), err }},
		{"RunTotals", 500 * time.Millisecond, func() (int, error) { v, err := db.RunTotals(ctx, 1000); return len(v), err }},
	} {
		rows := 0
		median := medianOf(t, func() {
			var err error
			rows, err = read.do()
			noError(t, err)
		})
		t.Logf("%-20s %v, %d rows", read.name, median.Round(10*time.Microsecond), rows)
		if median > read.most {
			t.Errorf("%s takes %v", read.name, median)
		}
	}
}
