//go:build soak

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestKills kills runs, and reports of runs, at random moments until the run is complete: it equals
// a run that was not killed.
func TestKills(t *testing.T) {
	n, dice := clitest.Times(t)
	w := newSturdyWorld(t)
	clean := filepath.Join(t.TempDir(), "run")
	if code, said := endedBy(t, nil, nil, w.args(clean, "-no-cache")...); code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, said)
	}
	began := time.Now()
	if code, said := endedBy(t, nil, nil, w.args(filepath.Join(t.TempDir(), "run"), "-no-cache")...); code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, said)
	}
	length := time.Since(began)
	runs, kills, unended := 0, 0, 0
	for ; kills < n; runs++ {
		dir := filepath.Join(t.TempDir(), "run")
		ended := false
		for more := 1 + dice.IntN(4); !ended; more-- {
			args := w.args(dir, "-no-cache")
			if _, err := os.Stat(filepath.Join(dir, "run.json")); err == nil {
				args = append(args, "-resume")
				if dice.IntN(3) == 0 { // as if a user looks at the results
					args = []string{"report", dir}
				}
			}
			var by os.Signal
			if more > 0 {
				by = os.Kill
			}
			code, said := endedBy(t, by, func() { time.Sleep(time.Duration(dice.Int64N(int64(length)))) }, args...)
			switch {
			case code == -1: // killed
				kills++
			case args[0] == "report" && code == cli.ExitUnknown:
				unended++
			case args[0] == "report" && code == cli.ExitDone: // the run was killed when everything was done
				if sum, _ := clitest.Totals(t, dir); sum.Sites != sturdySites {
					t.Errorf("report says 0 over %d sites", sum.Sites)
				}
			case code != cli.ExitDone:
				t.Fatalf("%q: exit code %d: %s", args, code, said)
			default:
				ended = true
			}
		}
		whole(t, clean, dir, "killed")
		if t.Failed() {
			t.Fatalf("after %d kills", kills)
		}
		os.RemoveAll(dir)
	}
	t.Logf("%d kills of %d runs, each as a clean one; %d reports of runs that had not ended, which said so", kills, runs, unended)
}
