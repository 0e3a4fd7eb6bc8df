//go:build soak

package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
)

// TestScheduleAcknowledged acknowledges an alert, with and without a running schedule. New subjects
// are not reported until the day is over. Wrong answers are refused with a reason.
func TestScheduleAcknowledged(t *testing.T) {
	w := newFewEdited(t, "al10.example.com")
	w.process(t)
	blocks := func(names ...string) {
		f := face{robots: plain}
		for _, name := range names {
			f.robots += "User-agent: " + name + "\nDisallow: /\n"
		}
		w.wears("al10.example.com", f)
	}
	blocks("Googlebot")
	w.process(t)
	events, _ := w.told(t)
	if len(events) == 0 {
		t.Fatal("nothing is told")
	}
	id := events[0].Alert
	for _, bad := range []struct {
		args  []string
		words string
	}{
		{[]string{"-ack", "nobody", "-until", "2026-12-31"}, "no such alert. Its ID is in each message"},
		{[]string{"-ack", id, "-until", "soon"}, "write a day such as"},
		{[]string{"-ack", id, "-until", "2026-11-31"}, "write a day such as"},
		{[]string{"-ack", id, "-until", "2026-11-01"}, "this is in the past"},
		{[]string{"-ack", id}, "needs a date"},
	} {
		if code, said := w.ends(t, bad.args...); code != cli.ExitUsage || !strings.Contains(said, bad.words) {
			t.Errorf("%q: exit code %d: %s", bad.args, code, said)
		}
	}
	for _, e := range events {
		if code, said := w.ends(t, "-ack", e.Alert, "-until", "2026-11-03", "-note", "known"); code != cli.ExitDone || !strings.Contains(said, "until") {
			t.Errorf("exit code %d: %s", code, said)
		}
	}
	w.set(t, "quiet = true", "quiet = false")
	p := w.command(t)
	p.terminated(t, func() bool {
		if !p.said.Has("waiting for the next run")() {
			return false
		}
		if code, text := w.ends(t, "-ack", id, "-until", "2026-11-03", "-note", "known still"); code != cli.ExitDone {
			t.Errorf("beside a schedule: exit code %d: %s", code, text)
		}
		return true
	})
	before := w.stories(t)
	w.now = w.now.Add(time.Hour)
	blocks("Googlebot", "Bingbot")
	w.process(t)
	if after := w.stories(t); after != before {
		t.Errorf("told, though acknowledged:\n%s\nbefore:\n%s", after, before)
	}
	notes := 0
	w.ask(t, "SELECT count(*) FROM acknowledgement WHERE note LIKE 'known%'", func(rows *sql.Rows) error { return rows.Scan(&notes) })
	if notes == 0 {
		t.Error("no acknowledgement is in the history")
	}
	w.now = w.now.AddDate(0, 0, 2)
	w.process(t)
	after := w.stories(t)
	if !strings.Contains(after, "worse AL01") {
		t.Errorf("when the day was over, told:\n%s", after)
	}
	t.Logf("alert %s %s; told:\n%s", events[0].Condition, id, after)
}

// TestSchedulePruned keeps three of eight runs. The last run of a site and the run before an open
// alert stay at any age, and comparisons are removed with their runs.
func TestSchedulePruned(t *testing.T) {
	w := newFewEdited(t, "al10.example.com", "al01.example.com")
	w.set(t, "keep_runs = 0", "keep_runs = 3")
	var ids []string
	for n := 1; n <= 8; n++ {
		switch n {
		case 3:
			w.wears("al10.example.com", twists[9].face) // run 2 is its base
		case 5: // al01 leaves the list: run 4 is its last
			w.write(t, "list", "al10.example.com\n")
		}
		ids = append(ids, w.now.Format("20060102T150405Z"))
		if code, said := w.process(t); code != cli.ExitDone {
			t.Fatalf("run %d: exit code %d: %s", n, code, said)
		}
	}
	var kept, compared []string
	for i, id := range ids {
		if w.wholeRun(id) {
			kept = append(kept, fmt.Sprint(i+1))
		}
		if _, err := os.Stat(filepath.Join(w.dir, "history", "comparisons", id, "changes.json")); err == nil {
			compared = append(compared, fmt.Sprint(i+1))
		}
	}
	if want := []string{"2", "4", "6", "7", "8"}; !slices.Equal(kept, want) || !slices.Equal(compared, want) || len(w.entered(t)) != 8 {
		t.Errorf("folders of runs %v, of comparisons %v, want %v; %d runs entered", kept, compared, want, len(w.entered(t)))
	}
	t.Logf("keep_runs = 3 over 8 runs: folders %v, comparisons %v", kept, compared)
}

// TestScheduleMaintained edits a site within a maintenance window. Nothing is sent until it is
// over, and then only conditions that persist.
func TestScheduleMaintained(t *testing.T) {
	w := newFewEdited(t, "al10.example.com", "al12.example.com")
	w.set(t, "[[alerts.file]]", "[[alerts.maintenance]]\ncron = \"30 6 * * *\"\nduration = \"2h\"\n[[alerts.file]]")
	w.process(t)
	w.wears("al10.example.com", twists[9].face)
	w.wears("al12.example.com", twists[11].face)
	w.process(t)
	w.wears("al12.example.com", face{})
	w.process(t)
	if got := w.stories(t); got != "" {
		t.Errorf("told within the window: %s", got)
	}
	w.process(t)
	if got := w.stories(t); !strings.Contains(got, "raised AL10") || strings.Contains(got, "AL12") {
		t.Errorf("told after the window: %s", got)
	}
	t.Log(w.stories(t))
}
