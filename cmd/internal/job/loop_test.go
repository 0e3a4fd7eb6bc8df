package job

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"robots-audit/audit/watch/history"
	"robots-audit/audit/watch/schedule"
)

// loopOf is a loop over entries that do not catch up missed runs. Each audit takes as long as its
// schedule says, and fails.
func loopOf(t *testing.T, takes map[string]time.Duration, crons map[string]string, began func(a Auditing)) *Loop {
	t.Helper()
	j := &Job{Dir: t.TempDir(), Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	j.Wait = func(ctx context.Context, until time.Time) error { return schedule.Wait(ctx, time.Now, until) }
	j.Pause = schedule.Pause
	j.Audit = func(_ context.Context, a Auditing) error {
		began(a)
		time.Sleep(takes[a.Schedule])
		return errors.New("no audit")
	}
	l := &Loop{Job: j}
	for _, name := range []string{"long", "short"} {
		if crons[name] == "" {
			continue
		}
		cron, err := schedule.ParseCron(crons[name], "UTC")
		if err != nil {
			t.Fatal(err)
		}
		l.Plan.Entries = append(l.Plan.Entries, schedule.Entry{Name: name, Cron: cron})
	}
	return l
}

// TestDueMeanwhile: a run that becomes due during another run is made right after it, and does not
// wait for the next time of any schedule. Runs missed during sleep are left out.
func TestDueMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // begins at midnight, in the year 2000
		var got []string
		takes := map[string]time.Duration{"long": 30 * time.Minute, "short": time.Minute}
		l := loopOf(t, takes, map[string]string{"long": "0 6 * * *", "short": "10 6 * * *"}, func(a Auditing) {
			got = append(got, time.Now().UTC().Format("02 15:04 ")+a.Schedule)
		})
		ctx, cancel := context.WithTimeout(t.Context(), 35*time.Hour)
		defer cancel()
		if err := l.Forever(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		want := []string{"01 06:00 long", "01 06:30 short", "02 06:00 long", "02 06:30 short"}
		if !slices.Equal(got, want) {
			t.Errorf("runs began at %q, want %q", got, want)
		}
	})
}

// TestClockSetBack: a loop that waits by a clock one year ahead continues by the right time once
// the clock is set, even if its last run failed.
func TestClockSetBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // begins at midnight, in the year 2000
		var wrong atomic.Int64
		var got []string
		l := loopOf(t, nil, map[string]string{"long": "0 * * * *"}, nil)
		l.Now = func() time.Time { return time.Now().Add(time.Duration(wrong.Load())) }
		l.Wait = func(ctx context.Context, until time.Time) error { return schedule.Wait(ctx, l.Now, until) }
		l.Audit = func(_ context.Context, a Auditing) error {
			got = append(got, l.Now().UTC().Format("2006-01-02 15:04"))
			return errors.New("no audit")
		}
		wrong.Store(int64(365 * 24 * time.Hour))
		go func() {
			time.Sleep(90 * time.Minute)
			wrong.Store(0)
		}()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Hour+time.Minute)
		defer cancel()
		if err := l.Forever(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		want := []string{"2000-12-31 00:00", "2000-12-31 01:00", "2000-01-01 02:00", "2000-01-01 03:00"}
		if !slices.Equal(got, want) {
			t.Errorf("runs began at %q, want %q", got, want)
		}
	})
}

// TestReopen: a history that cannot be opened is tried again before each run.
func TestReopen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var used []bool
		l := loopOf(t, nil, map[string]string{"long": "0 * * * *"}, func(a Auditing) { used = append(used, a.Past != nil) })
		tries := 0
		l.Open = func(ctx context.Context) (*history.DB, error) {
			if tries++; tries < 3 {
				return nil, history.ErrLocked
			}
			return history.Open(ctx, l.Dir)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Hour+time.Minute)
		defer cancel()
		if err := l.Forever(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if l.DB == nil {
			t.Fatal("the history was never opened")
		}
		if err := l.DB.Close(); err != nil {
			t.Error(err)
		}
		if want := []bool{false, false, true, true, true}; tries != 3 || !slices.Equal(used, want) {
			t.Errorf("%d tries; runs had the history: %v, want %v", tries, used, want)
		}
	})
}

// TestOnceNotDue: a start with nothing to do says so, and says when the next run is due.
func TestOnceNotDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // begins at midnight
		l := loopOf(t, nil, map[string]string{"long": "0 6 * * *", "short": "10 6 * * *"}, func(a Auditing) { t.Errorf("%s is audited", a.Schedule) })
		var said strings.Builder
		l.Log = slog.New(slog.NewTextHandler(&said, nil))
		if err := l.Once(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := `msg="no run is due" next=2000-01-01T06:00:00.000Z schedule=long`; !strings.Contains(said.String(), want) {
			t.Errorf("said %s, want %s", said.String(), want)
		}
	})
}
