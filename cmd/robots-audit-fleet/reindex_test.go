//go:build soak

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/cli"
)

// prunedStory leaves four of twelve run folders, plus those that open alerts are compared with.
// Some alerts open and end before the cut, some end after it, and some stay open.
func prunedStory(t *testing.T) (w *edited, dir string) {
	w = newEdited(t)
	w.keep = 4
	w.configure(t, "Googlebot,Bingbot,GPTBot")
	w.play(t, story{runs: 12, hiccup: map[string]int{"AL04": 5, "AL05": 10}, script: map[string][]span{
		"AL01": {{2, 4}, {8, 10}}, "AL03": {{7, 9}}, "AL07": {{6, 13}}, "AL08": {{11, 13}}, "AL09": {{2, 9}}, "AL11": {{3, 5}, {12, 13}}, "AL12": {{2, 10}}}})
	return w, filepath.Join(w.dir, "history")
}

// A history with folders removed by the retention has the same rows after it is rebuilt.
func TestReindexPruned(t *testing.T) {
	w, dir := prunedStory(t)
	folders, err := os.ReadDir(filepath.Join(dir, "runs"))
	if err != nil || len(folders) >= 12 || len(folders) < 4 {
		t.Fatalf("%d folders are left; %v", len(folders), err)
	}
	acknowledgeFirst(t, dir)
	want := dumped(t, dir)
	for range 2 { // and rebuilt once more
		said := w.reindex(t, dir)
		if diff := cmp.Diff(want, dumped(t, dir)); diff != "" {
			t.Fatalf("the history made anew differs (-grown +anew):\n%s\n%s", diff, said)
		}
		if strings.Contains(said, "lost") || strings.HasPrefix(said, "0 runs") {
			t.Errorf("nothing is lost and some runs are entered from their folders, and said is %s", said)
		}
		t.Logf("%d folders: %s", len(folders), said)
	}

	// Without the old file it has the runs with folders, and the loss is reported.
	if err := os.Truncate(filepath.Join(dir, "history.db"), 100); err != nil {
		t.Fatal(err)
	}
	said := w.reindex(t, dir)
	if !strings.Contains(said, "is missing or damaged. Changes between the two, and alerts opened before or resolved then, are lost") || !strings.Contains(said, "the damaged history is in") {
		t.Errorf("said: %s", said)
	}
	left := dumped(t, dir)
	for _, f := range folders {
		if !slices.ContainsFunc(left, func(row string) bool { return strings.Contains(row, "'"+f.Name()+"' 'runs/"+f.Name()+"'") }) {
			t.Errorf("run %s is not in the history that was made of the folders alone", f.Name())
		}
	}
	t.Log(said)
}

// acknowledgeFirst acknowledges an open alert.
func acknowledgeFirst(t *testing.T, dir string) {
	t.Helper()
	db, err := history.OpenBeside(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	open, err := db.OpenAlerts(t.Context())
	if err != nil || len(open) < 2 {
		t.Fatalf("%d alerts hold, want some: %v", len(open), err)
	}
	at := time.Date(2026, 11, 2, 18, 0, 0, 0, time.UTC)
	if err := db.Acknowledge(t.Context(), []string{open[0].ID}, at.AddDate(0, 1, 0), at, "known"); err != nil {
		t.Fatal(err)
	}
}

// reindex rebuilds the history, and returns the output.
func (w *edited) reindex(t *testing.T, dir string) string {
	t.Helper()
	code, said := call("schedule", "-reindex", dir, "-config", filepath.Join(w.dir, "config.toml"))
	if code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, said)
	}
	return said
}
