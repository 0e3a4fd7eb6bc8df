package schedule

import (
	"context"
	"time"
)

// longestSleep bounds the time between two looks at the wall clock.
const longestSleep = time.Minute

// Ahead reports whether a time that was stored as past lies in the future: the clock was ahead
// when it was stored, or it is behind now. Within [Punctual] it is neither.
func Ahead(stored, now time.Time) bool { return stored.After(now.Add(Punctual)) }

// Wait returns nil when now has reached until, or the error of ctx when that ends first.
// It looks at the wall clock at least every minute, since a timer does not count the time
// that the machine sleeps, and clocks are set; and it compares wall clock with wall
// clock, since Go's monotonic clock does not count that time either.
//
// Where the clock is set back by more than Punctual it returns nil at once: until was worked out by
// a clock that was wrong, and the caller works it out anew.
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

// Pause returns nil after a duration, whatever becomes of the wall clock, or the error of ctx when
// that ends first.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
	return ctx.Err()
}
