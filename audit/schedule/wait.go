package schedule

import (
	"context"
	"time"
)

// longestSleep bounds the time between two looks at the wall clock.
const longestSleep = time.Minute

// Wait returns nil when now has reached until, or the error of ctx when that ends first.
// It looks at the wall clock at least every minute, since a timer does not count the time
// that the machine sleeps, and clocks are set; and it compares wall clock with wall
// clock, since Go's monotonic clock does not count that time either.
func Wait(ctx context.Context, now func() time.Time, until time.Time) error {
	for {
		left := until.Round(0).Sub(now().Round(0))
		if err := ctx.Err(); err != nil {
			return err
		}
		if left <= 0 {
			return nil
		}
		timer := time.NewTimer(min(left, longestSleep))
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
}
