package history

import (
	"bufio"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"
)

// A process that enters runs is killed at random moments. Each run is there completely or not at
// all, and every reported commit is there.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(1, 6))
	committed := map[string]bool{}
	for range kills {
		cmd := childCommand(t, "killed", dir)
		out, err := cmd.StdoutPipe()
		noError(t, err)
		noError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		timer := (*time.Timer)(nil)
		for lines.Scan() {
			if _, err := time.Parse("20060102T150405Z", lines.Text()); err != nil {
				continue
			}
			committed[lines.Text()] = true
			if timer == nil { // it is at work
				timer = time.AfterFunc(time.Duration(rnd.IntN(30_000))*time.Microsecond, func() { cmd.Process.Kill() })
			}
		}
		if cmd.Wait() == nil || timer == nil {
			t.Fatal("it was not killed")
		}
	}
	wal, _ := filepath.Glob(filepath.Join(dir, "*-wal"))
	db := mustOpen(t, dir)
	noError(t, db.Check(t.Context()))
	runs, err := db.Runs(t.Context())
	noError(t, err)
	for _, r := range runs {
		delete(committed, r.ID)
	}
	if len(committed) > 0 {
		t.Errorf("lost: %v", committed)
	}
	for table, want := range map[string]int{"run": 1, "site_run": killedSites, "blocked_count": killedSites, "rule_seen": killedSites, "robots_version": killedSites, "url_blocked": killedSites, "alert": 1} {
		var got int
		if err := db.read.QueryRow("SELECT count(*) FROM " + table).Scan(&got); err != nil || got != want*len(runs) {
			t.Errorf("%s: %d rows (%v), want %d for each of %d runs", table, got, err, want, len(runs))
		}
	}
	t.Logf("%d kills, %d runs; %d logs were left behind by the last", kills, len(runs), len(wal))
}
