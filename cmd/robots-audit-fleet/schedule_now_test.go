package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/job"
	"robots-audit/cmd/internal/scheduling"
)

// TestScheduleNow: -now makes a run although none is due, delivers its message, and ends. Later
// runs are due as after any run. It continues an interrupted run of the schedule.
func TestScheduleNow(t *testing.T) {
	w := newEdited(t)
	w.files["list"] = "al01.example.com\n"
	w.configure(t, "Googlebot,Bingbot,GPTBot")
	defer func(was func() time.Time) { scheduling.Clock = was }(scheduling.Clock)
	scheduling.Clock = func() time.Time { return w.now }
	schedule := func(args ...string) (int, string) {
		return call(append([]string{"schedule", "-config", filepath.Join(w.dir, "config.toml")}, args...)...)
	}
	runs := func(want int, code int, said string) {
		t.Helper()
		if n := len(w.entered(t)); n != want || code != cli.ExitDone {
			t.Fatalf("%d runs, want %d; exit code %d: %s", n, want, code, said)
		}
	}
	for _, wrong := range []struct {
		args []string
		want string
	}{
		{[]string{"-now", "shop"}, `-now "shop": ` + filepath.Join(w.dir, "config.toml") + ` has no such schedule. It has shops`},
		{[]string{"-now", "shops", "-once"}, "exclude each other"},
		{[]string{"-now", "shops", "-test"}, "exclude each other"},
		{[]string{"-test", "-plan"}, "exclude each other"},
	} {
		if code, said := schedule(wrong.args...); code != cli.ExitUsage || !strings.Contains(said, wrong.want) {
			t.Errorf("%q: exit code %d: %s", wrong.args, code, said)
		}
	}
	if _, err := os.Stat(filepath.Join(w.dir, "history")); err == nil {
		t.Error("wrong usage made a history")
	}
	w.now = w.now.Add(10 * time.Minute)
	code, said := schedule("-now", "shops")
	runs(1, code, said)
	w.wears("al01.example.com", twists[0].face)
	w.now = w.now.Add(10 * time.Minute)
	code, said = schedule("-once")
	runs(1, code, said) // none is due
	code, said = schedule("-now", "shops")
	runs(2, code, said)
	if events, _ := w.told(t); len(events) == 0 || events[0].Condition != "AL01" {
		t.Errorf("events %+v", events)
	}
	w.now = w.now.Truncate(time.Hour).Add(time.Hour)
	code, said = schedule("-once")
	runs(3, code, said) // the next due time stays

	w.now = w.now.Add(10 * time.Minute)
	id := w.now.UTC().Format("20060102T150405Z")
	manifest := filepath.Join(w.dir, "history", "runs", id, "run.json")
	var unfinished []byte
	w.hook = func(string) {
		if unfinished == nil {
			unfinished, _ = os.ReadFile(manifest)
		}
	}
	w.withLoop(t, func(l *job.Loop, ctx context.Context) error {
		audit := l.Audit
		l.Audit = func(ctx context.Context, a job.Auditing) error {
			return errors.Join(audit(ctx, a), os.WriteFile(manifest, unfinished, 0o644), job.ErrStopped)
		}
		return l.OneRun(ctx, "shops")
	})
	runs(3, 0, "interrupted")
	w.now = w.now.Add(10 * time.Minute)
	code, said = schedule("-now", "shops")
	runs(4, code, said)
	if !slices.Contains(w.entered(t), id) {
		t.Errorf("the interrupted run %s was not continued: %q", id, w.entered(t))
	}
}
