package fleet

import (
	"errors"
	"testing"
	"time"
	"unsafe"
)

// stepped is a reading of the clocks after a step of the wall clock: the monotonic clock is not
// affected.
func stepped(t time.Time, step time.Duration) time.Time {
	const second = 30 // bits of nanoseconds, below those of seconds since 1885
	wall := (*uint64)(unsafe.Pointer(&t))
	*wall += uint64(int64(step/time.Second)) << second
	return t
}

// TestLeaseSteps: a wall clock that is set back does not keep a lease that has ended by the monotonic
// one. One that is set ahead may have been suspended, and ends the lease: the site goes back.
func TestLeaseSteps(t *testing.T) {
	asked := time.Now()
	for _, test := range []struct {
		step, after time.Duration
		lost        bool
	}{
		{0, 29 * time.Second, false}, {0, 30 * time.Second, true},
		{-time.Hour, 29 * time.Second, false}, {-time.Hour, 30 * time.Second, true}, {-20 * 365 * 24 * time.Hour, 30 * time.Second, true},
		{20 * time.Second, 5 * time.Second, false}, {time.Hour, time.Second, true},
	} {
		now := stepped(asked.Add(test.after), test.step)
		if d := now.Sub(asked); d != test.after {
			t.Fatalf("the monotonic clock was stepped, too: %s", d)
		}
		if d := now.Round(0).Sub(asked.Round(0)); d != test.after+test.step {
			t.Fatalf("the wall clock was stepped by %s", d-test.after)
		}
		l := &Lease{timing: Timing{Lease: time.Minute}, cancel: func(error) {}, confirmed: asked}
		if err := l.check(now); errors.Is(err, ErrLost) != test.lost {
			t.Errorf("a step of %s, %s after the last word: %v", test.step, test.after, err)
		}
	}
}

// TestRecorderSteps: the rate of sites depends on the elapsed time, not on the wall clock.
func TestRecorderSteps(t *testing.T) {
	for _, step := range []time.Duration{-time.Hour, time.Hour} {
		begun := time.Now()
		now := begun
		r := newRecorder(Member{Slots: 1}, func() time.Time { return now })
		done := func(n int) {
			for range n {
				r.Begin(&Job{}, 1)(&Result{})
			}
		}
		now = begun.Add(10 * time.Minute)
		done(50)
		now = stepped(begun.Add(20*time.Minute), step)
		done(10)
		now = stepped(begun.Add(20*time.Minute+30*time.Second), step)
		if rates := r.Member().PerMinute; rates != [2]float64{10, 2} {
			t.Errorf("after a step of %s: %v sites a minute, want 10 in the last and 2 in the last five", step, rates)
		}
	}
}
