//go:build soak

package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestScheduleFleetKills kills a schedule with a fleet at random moments, until each of its runs is
// complete. Each run was made once, and is in the history once.
func TestScheduleFleetKills(t *testing.T) {
	n, dice := clitest.Times(t)
	_, servers := fleetNode(t, nil)
	table, bucket := fleetTable(t, servers)
	w := newFewEdited(t, "al01.example.com", "al02.example.com")
	w.inFleet(t, table)
	theWorker(t, servers, bucket)
	history := filepath.Join(w.dir, "history")
	var want []string
	kills, orphans, length := 0, 0, 4*time.Second // of a start
	for kills < n {
		begin := w.now.Format("20060102T150405Z")
		for kill := true; kill; {
			p := w.command(t, "-once")
			began := time.Now()
			after := time.AfterFunc(time.Duration(dice.Int64N(int64(length))), func() { p.Process.Kill() })
			<-p.ended
			after.Stop()
			switch kill = !p.ProcessState.Exited(); {
			case kill:
				kills++
				length += length / 8 // so that a machine which has become slower finishes at some point
			case p.ProcessState.ExitCode() != cli.ExitDone:
				t.Fatalf("exit code %d: %s", p.ProcessState.ExitCode(), p.said)
			default:
				length = max(length/2, time.Since(began))
			}
		}
		ids := w.entered(t)
		if len(ids) != len(want)+1 || ids[len(ids)-1][:len("20261102T06")] != begin[:len("20261102T06")] {
			t.Fatalf("recorded %q after %q, in the hour of %s", ids, want, begin)
		}
		want = ids
		whole, _ := filepath.Glob(filepath.Join(bucket, "runs", "*", "run.json"))
		submitted, _ := filepath.Glob(filepath.Join(bucket, "fleet", "*", "run.json"))
		orphans = len(submitted) - len(whole)
		if len(whole) != len(want) {
			t.Fatalf("%d runs were made, and %d are recorded", len(whole), len(want))
		}
		left, err := os.ReadDir(filepath.Join(history, "submitted"))
		if err != nil || slices.ContainsFunc(left, func(e os.DirEntry) bool { return filepath.Ext(e.Name()) == ".json" }) {
			t.Errorf("left %v, %v", left, err)
		}
		w.now = w.now.Add(time.Hour)
	}
	t.Logf("%d kills of %d runs: each was made once, and recorded once; %d were killed before the queue had them", kills, len(want), orphans)
}
