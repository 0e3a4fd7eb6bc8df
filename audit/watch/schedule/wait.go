package schedule

import (
	"context"
	"time"
)

// longestSleep bounds the time between two checks of the wall clock.
const longestSleep = time.Minute

// Ahead reports whether a time stored as past is in the future: the clock was ahead then, or is
// behind now. A difference within [Punctual] does not count.
func Ahead(stored, now time.Time) bool { return stored.After(now.Add(Punctual)) }

// Wait returns nil when now has reached until, or the error of ctx if that ends first. It checks
// the wall clock at least every minute, because a timer does not count the time that the machine
// sleeps, and clocks can be set. It compares wall clock times, because Go's monotonic clock does
// not count sleep either.
//
// If the clock is set back by more than Punctual, it returns nil at once: until was computed with a
// wrong clock, and the caller computes it again.
func Wait(ctx context.Context, now func() time.Time, until time.Time) error {
	for last := now().Round(0); ; {
		at := now().Round(0)
		left := until.Round(0).Sub(at)
		if err := ctx.Err(); err != nil {
			return err
		}
		if left <= 0 || Ahead(last, at) {
			return nil
		}
		last = at
		if err := Pause(ctx, min(left, longestSleep)); err != nil {
			return err
		}
	}
}

// Pause returns nil after a duration, independent of the wall clock, or the error of ctx if that
// ends first.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
	return ctx.Err()
}
