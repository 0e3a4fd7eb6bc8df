//go:build soak

package serve

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
	"robots-audit/reports"
)

// largePortfolio makes a history of sites with a run a day, and alerts open since the last runs. Its folder is
// TEST_DIR, or a temporary one.
func largePortfolio(t *testing.T, sites, runs, alerts int) (dir string) {
	t.Helper()
	dir = filepath.Join(cmp.Or(os.Getenv("TEST_DIR"), t.TempDir()), "history")
	db, err := history.Open(t.Context(), dir)
	noError(t, err)
	defer db.Close()
	for n := range runs {
		addPortfolioRun(t, db, dir, sites, n)
	}
	tx, err := db.Begin(t.Context())
	noError(t, err)
	defer tx.Rollback()
	for i := range alerts {
		raised := runs - 1 - i%5
		code := []string{"AL01", "AL12", "AL07", "AL10"}[i/(alerts/4)%4]
		name := fmt.Sprintf("site-%04d.example", i%(sites/2))
		noError(t, tx.SaveAlert(history.Alert{ID: fmt.Sprintf("%x", hashed(fmt.Sprint(i))[:8]), Site: name, Condition: code, Severity: []string{"critical", "high", "medium", "info"}[i%4], Base: portfolioRun(raised - 1).ID, Raised: portfolioRun(raised).ID, Since: portfolioRun(raised).Started, URLs: int64(i), Text: name + ": the home page is blocked for Googlebot by line 2 Disallow: /"}))
	}
	noError(t, tx.Commit())
	return dir
}

func portfolioRun(n int) history.Run {
	at := portfolioDay.AddDate(0, 0, n)
	id := at.Format("20060102T150405Z")
	return history.Run{ID: id, Folder: "runs/" + id, Schedule: "shops", Started: at, Finished: at.Add(time.Hour), Program: "0.1.0"}
}

// addPortfolioRun enters the n-th run. In every fifth run, 40 sites get the same new file.
func addPortfolioRun(t *testing.T, db *history.DB, dir string, sites, n int) {
	t.Helper()
	random := rand.New(rand.NewPCG(42, uint64(n)))
	run := portfolioRun(n)
	noError(t, os.MkdirAll(filepath.Join(dir, run.Folder), 0o755))
	noError(t, os.MkdirAll(filepath.Join(dir, "comparisons", run.ID), 0o755))
	noError(t, os.WriteFile(filepath.Join(dir, "comparisons", run.ID, "changes.json"), []byte(`{"lead":"x","sites":[]}`), 0o644))
	tx, err := db.Begin(t.Context())
	noError(t, err)
	defer tx.Rollback()
	noError(t, tx.AddRun(run))
	for i := range sites {
		body := fmt.Sprintf("User-agent: *\nDisallow: /%d/%d\n", i, n/20)
		if i < 40 {
			body = fmt.Sprintf("User-agent: *\nDisallow: /%d\n", n/5)
		}
		e := history.Entry{Settled: true, Site: history.Site{Name: fmt.Sprintf("site-%04d.example", i), State: []string{"ok", "ok", "ok", "warn", "critical", "unknown"}[(i+n/(10+i%7))%6], Answer: history.AnswerOK, Status: 200, SHA256: fmt.Sprintf("%x", hashed(body)), Bytes: int64(len(body)), Body: []byte(body), Known: 10_000, Blocked: int64((i * 37) % 9000)}}
		for _, crawler := range []string{"Googlebot", "Bingbot", "GPTBot"} {
			e.Site.Crawlers = append(e.Site.Crawlers, history.Crawler{Label: crawler, Blocked: e.Site.Blocked})
			if n > 0 && random.IntN(30) == 0 {
				e.Flips = append(e.Flips, history.Flips{Crawler: crawler, Counts: compare.Counts{NewlyBlocked: int64(random.IntN(9)), NewlyAllowed: int64(random.IntN(3))}})
			}
		}
		if n > 0 && random.IntN(20) == 0 {
			e.Changes = []compare.Change{{Kind: compare.KindRules, What: "disallow: /a", Before: "allowed", After: "blocked", Severity: compare.High}}
		}
		noError(t, tx.AddSite(t.Context(), e))
	}
	noError(t, tx.Commit())
}

// A portfolio of 1,000 sites and 100 runs, with 1,000 open alerts: the first request after a new run takes less than half
// a second, and the next one a tenth.
func TestPortfolioSpeed(t *testing.T) {
	const sites, runs = 1000, 100
	dir := largePortfolio(t, sites, runs, 1000)
	_, a := newDesk(t, Options{History: dir, Acknowledge: func(context.Context, Answer) (string, error) { return "", nil }})
	paths := []string{"/", "/time", "/time?only=changed&sort=blocked", "/time?days=90", "/time?days=365&page=2", "/alerts", "/alerts?state=open&condition=AL01", "/alerts?page=2", "/alerts/answer"}
	a.do("GET", "/", "") // opens the history
	for n, path := range paths {
		db, err := history.Open(t.Context(), dir)
		noError(t, err)
		addPortfolioRun(t, db, dir, sites, runs+n)
		noError(t, db.Close())
		time.Sleep(countAge) // the count of alerts in the bar is older than the run
		for _, accept := range []string{"text/html", "application/json"} {
			for k, limit := range []time.Duration{500 * time.Millisecond, 120 * time.Millisecond} {
				begun, before := time.Now(), usedCPU()
				answer, text := a.do("GET", path, "", "Accept", accept)
				took, used := time.Since(begun), usedCPU()-before
				t.Logf("%-30s %-16s %4d ms, CPU %4d ms, %d KB", path, accept, took.Milliseconds(), used.Milliseconds(), len(text)>>10)
				if answer.StatusCode != 200 || used > limit { // the time is that of a busy machine; 9,000 cells take 100 ms
					t.Errorf("%s: %s, request %d took %v of CPU", path, answer.Status, k+1, used)
				}
			}
		}
	}
}

// usedCPU is the time of all cores that this process has used.
func usedCPU() time.Duration {
	var of syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &of)
	return time.Duration(of.Utime.Nano() + of.Stime.Nano())
}

// The list of 100 folders of runs without a history: each request reads them all.
func TestFoldersSpeed(t *testing.T) {
	dir := t.TempDir()
	first := filepath.Join(dir, "run000")
	auditRun(t, first, map[string]testSite{"shop.example": shop(8), "small.example": shop(2)}, reports.Options{})
	runs := []string{first}
	for n := range 99 {
		to := filepath.Join(dir, fmt.Sprintf("run%03d", n+1))
		noError(t, os.CopyFS(to, os.DirFS(first)))
		runs = append(runs, to)
	}
	_, a := newDesk(t, Options{Runs: runs})
	for range 3 {
		begun := time.Now()
		var v runsView
		a.json("/", &v)
		took := time.Since(begun)
		t.Logf("%d folders: %v", len(v.Runs), took)
		if len(v.Runs) != 100 || took > 100*time.Millisecond {
			t.Errorf("%d runs in %v", len(v.Runs), took)
		}
	}
}
