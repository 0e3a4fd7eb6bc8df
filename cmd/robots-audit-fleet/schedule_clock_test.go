package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/schedule"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/health"
	"robots-audit/cmd/internal/job"
	"robots-audit/cmd/internal/scheduling"
)

// folders are the names of the folders of runs.
func (w *edited) folders(t *testing.T) (names []string) {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(w.dir, "history", "runs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// newQuickEdited is a world of one site, without second looks.
func newQuickEdited(t *testing.T) *edited {
	w := newEdited(t)
	w.files["list"] = "al01.example.com\n"
	w.loud = true
	w.configure(t, "Googlebot")
	return w
}

// TestClockWasAhead: a run under a clock one year ahead does not stop the schedule. Later runs are
// made, the problem is reported, and the schedule is unhealthy until a run is made by the right
// clock. An interrupted or unstored run of today does not count as old.
func TestClockWasAhead(t *testing.T) {
	w := newQuickEdited(t)
	begin := w.now
	w.date = begin.Add(time.Minute)
	w.once(t)
	w.now = begin.AddDate(1, 0, 0)
	w.once(t)
	w.now = begin.Add(time.Minute) // nothing is due yet
	h := health.New(func() time.Time { return w.now }, time.Hour, "test")
	check := func(ctx context.Context, loop *job.Loop) string {
		ctx, cancel := context.WithCancel(ctx)
		loop.Health, loop.Wait, loop.Pause = h, func(context.Context, time.Time) error { cancel(); return ctx.Err() }, func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() }
		loop.Forever(ctx) // until its first wait
		text, ok := h.Check()
		if ok {
			return "ok: " + text
		}
		return "not ok: " + text
	}
	const doubt = "the last run started at 2027-11-02 06:00 UTC, which is in the future, so it is ignored. Its answers are dated 2026-11-02 06:01 UTC: the clock was ahead then"
	said, err := w.withLoop(t, func(loop *job.Loop, ctx context.Context) error {
		if text := check(ctx, loop); !strings.HasPrefix(text, "not ok: shops: "+doubt) {
			t.Errorf("after a run in the future: %s", text)
		}
		return nil
	})
	if err != nil || !strings.Contains(said, doubt) || len(w.folders(t)) != 2 {
		t.Errorf("%v; folders %v; said %s", err, w.folders(t), said)
	}

	w.now = begin.Add(time.Hour)
	if said, err = w.withLoop(t, (*job.Loop).Once); err != nil || !strings.Contains(said, doubt) {
		t.Errorf("%v; said %s", err, said)
	}
	if got, want := w.folders(t), []string{"20261102T060000Z", "20261102T070000Z", "20271102T060000Z"}; !slices.Equal(got, want) {
		t.Fatalf("runs %v, want %v", got, want)
	}
	if _, err = w.withLoop(t, func(loop *job.Loop, ctx context.Context) error {
		if text := check(ctx, loop); !strings.HasPrefix(text, "ok: ") {
			t.Errorf("after a run by the right clock: %s", text)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}

	w.now = begin.Add(2 * time.Hour)
	said, err = w.withLoop(t, func(loop *job.Loop, ctx context.Context) error {
		db := loop.DB
		loop.DB = nil // it is audited but not stored
		err := loop.Once(ctx)
		loop.DB = db
		if err == nil {
			t.Error("a run is entered without a history")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err, said)
	}
	w.now = begin.Add(2*time.Hour + time.Minute)
	if said, err = w.withLoop(t, (*job.Loop).Once); err != nil || !strings.Contains(said, "storing a run that is missing in the history") || strings.Contains(said, "is not in the history") {
		t.Errorf("%v; said %s", err, said)
	}
}

// TestClockAheadReindex: a rebuilt history with a run in the future has its runs in their order,
// and so the right open alerts.
func TestClockAheadReindex(t *testing.T) {
	w := newQuickEdited(t)
	begin := w.now
	w.once(t)
	w.now = begin.AddDate(1, 0, 0)
	w.once(t)
	w.wears("al01.example.com", face{robots: plain, unlisted: true}) // AL07
	for hour := range 2 {
		w.now = begin.Add(time.Duration(hour+1) * time.Hour)
		w.once(t)
	}
	w.remade(t)
}

// TestClockAheadKeepsFolders: a run under a clock 800 days ahead removes no older folder by
// keep_days, and says so.
func TestClockAheadKeepsFolders(t *testing.T) {
	w := newQuickEdited(t)
	for range 3 {
		w.once(t)
		w.now = w.now.AddDate(0, 0, 1)
	}
	w.now = w.now.AddDate(0, 0, 799)
	said, err := w.withLoop(t, (*job.Loop).Once)
	if err != nil || !strings.Contains(said, "no old folder of a run is removed") {
		t.Errorf("%v; said %s", err, said)
	}
	if got := w.folders(t); len(got) != 4 {
		t.Errorf("of 4 runs the folders of %v are left", got)
	}
}

// TestClockSetBackAtConfirm: a clock that goes back by a day at each look, once a run has ended,
// delays neither the repeated requests nor the message.
func TestClockSetBackAtConfirm(t *testing.T) {
	w := newQuickEdited(t)
	w.confirm = "10ms"
	w.configure(t, "Googlebot")
	w.once(t)
	w.wears("al01.example.com", face{status: 503})
	w.now = w.now.Add(time.Hour)
	ended := filepath.Join(w.dir, "history", "runs", w.now.Format("20060102T150405Z"), "run.json")
	said, err := w.withLoop(t, func(loop *job.Loop, ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, time.Minute) // a loop that hangs would do so for days
		defer cancel()
		loop.Now = func() time.Time {
			w.mu.Lock()
			defer w.mu.Unlock()
			if hasEnded(ended) {
				w.now = w.now.AddDate(0, 0, -1)
			}
			return w.now
		}
		loop.Wait = func(ctx context.Context, until time.Time) error { return schedule.Wait(ctx, loop.Now, until) }
		loop.Pause = schedule.Pause
		return loop.Once(ctx)
	})
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if events, _ := w.told(t); len(events) != 1 || events[0].Condition != "AL03" {
		t.Errorf("told: %+v", events)
	}
}

// TestClockAheadInWindow: a run whose clock is ahead falls into a future maintenance window. The
// next run reports its alerts, and later their end, without a date in the future.
func TestClockAheadInWindow(t *testing.T) {
	w := newQuickEdited(t)
	w.write(t, "config.toml", w.files["config.toml"]+"[[alerts.maintenance]]\ncron = \"0 0 1 3 *\"\nduration = \"24h\"\n")
	begin := w.now
	w.once(t)
	w.wears("al01.example.com", face{status: 503})
	w.now = time.Date(2027, 3, 1, 6, 0, 0, 0, time.UTC)
	w.once(t)
	if events, _ := w.told(t); len(events) != 0 {
		t.Fatalf("within the window was told: %+v", events)
	}
	w.now = begin.Add(time.Hour)
	w.once(t)
	w.wears("al01.example.com", face{})
	w.now = begin.Add(2 * time.Hour)
	w.once(t)
	events, _ := w.told(t)
	if len(events) != 2 || events[0].Condition != "AL03" || !strings.Contains(events[0].Text, "has been unavailable since 07:00 UTC: HTTP 503") || !strings.Contains(events[1].Text, "after an unknown time (the clock was ahead)") {
		t.Errorf("told: %+v", events)
	}
}

// TestClockAheadAccept: an alert that was accepted under a clock that was ahead is resolved by the
// next run.
func TestClockAheadAccept(t *testing.T) {
	w := newQuickEdited(t)
	w.once(t)
	w.wears("al01.example.com", face{robots: plain, unlisted: true}) // AL07
	w.now = w.now.Add(time.Hour)
	w.once(t)
	events, _ := w.told(t)
	if len(events) != 1 {
		t.Fatalf("told: %+v", events)
	}
	defer func(was func() time.Time) { scheduling.Clock = was }(scheduling.Clock)
	scheduling.Clock = func() time.Time { return w.now.AddDate(1, 0, 0) }
	if code, said := call("schedule", "-config", filepath.Join(w.dir, "config.toml"), "-accept", events[0].Alert); code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, said)
	}
	w.now = w.now.Add(time.Hour)
	w.once(t)
	if events, _ = w.told(t); len(events) != 2 || events[1].Kind != alert.Ended {
		t.Errorf("told: %+v", events)
	}
}
