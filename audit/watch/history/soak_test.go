//go:build soak

package history

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
)

// TestLongHistory enters 1,000 runs of 200 sites, of which a tenth change in each run. It reports
// the size of the history, and the times to enter a run, for each query and for the past of a site.
// They are processor times, the median of five, so that other load does not matter. TEST_TIMES sets
// another number of runs. Every query must take at most 0.1 s.
func TestLongHistory(t *testing.T) {
	const sites, site, url = 200, "site-7.example", "https://site.example/a/page"
	runs := 1000
	if n, err := strconv.Atoi(os.Getenv("TEST_TIMES")); err == nil {
		runs = n
	}
	dir := t.TempDir()
	db := mustOpen(t, dir)
	took := make([]time.Duration, runs)
	for n := range runs {
		var entries []Entry
		for i := range sites {
			entries = append(entries, benchEntry(i, n+i))
		}
		begin := processorTime(t)
		enter(t, db, testRun(n, "shops"), entries...)
		took[n] = processorTime(t) - begin
	}
	info, err := os.Stat(filepath.Join(dir, fileName))
	noError(t, err)
	for _, v := range []string{"site_run", "blocked_count", "robots_version", "rule_seen", "change", "flip_count", "url_blocked"} {
		t.Logf("%-22s %s rows", v, tableOf(t, db.read, "SELECT count(*) FROM "+v))
	}
	t.Logf("%-22s %.1f MB, and %.1f kB a run", "size", float64(info.Size())/1e6, float64(info.Size())/1e3/float64(runs))
	for _, n := range []int{1, runs / 2, runs} {
		at := slices.Clone(took[max(0, n-5):min(runs, n+4)])
		slices.Sort(at)
		t.Logf("%-22s %v (median of %d about it: %v)", "to enter run "+strconv.Itoa(n), took[n-1].Round(100*time.Microsecond), len(at), at[len(at)/2].Round(100*time.Microsecond))
	}
	for _, q := range Queries {
		var args []any
		for _, p := range q.Parameters {
			args = append(args, sql.Named(p.Name, map[string]string{"site": site, "url": url, "crawler": "Crawler0"}[p.Name]))
		}
		rows := 0
		median := medianOf(t, func() { rows = strings.Count(tableOf(t, db.read, q.SQL, args...)+"\n", "\n") })
		t.Logf("%-22s %v, %d rows", q.Name, median.Round(10*time.Microsecond), rows)
		if median > 100*time.Millisecond {
			t.Errorf("%s takes %v", q.Name, median)
		}
	}
	var past *audit.Past
	median := medianOf(t, func() {
		past, err = db.Past(t.Context(), site, "shops", "none")
		noError(t, err)
	})
	t.Logf("%-22s %v, %d points, %d rules, %d URLs", "past of a site", median.Round(10*time.Microsecond), len(past.Points), len(past.Rules), len(past.Blocked))
	if len(past.Points) != min(runs, audit.MaxPoints) || len(past.Rules) == 0 {
		t.Errorf("%d points, %d rules", len(past.Points), len(past.Rules))
	}
}

func medianOf(t *testing.T, do func()) time.Duration {
	var took []time.Duration
	for range 5 {
		begin := processorTime(t)
		do()
		took = append(took, processorTime(t)-begin)
	}
	slices.Sort(took)
	return took[2]
}
