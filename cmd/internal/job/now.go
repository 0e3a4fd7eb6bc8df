package job

import (
	"context"
	"errors"
)

// OneRun makes one run of a schedule at once, even if none is due, delivers what is due, and ends.
// It is pinged, and the next run is due, as with any run. An interrupted run of the schedule is
// continued instead.
func (l *Loop) OneRun(ctx context.Context, schedule string) error {
	defer l.pings.wait()
	err := l.reportedRun(ctx, schedule)
	if l.DB == nil || over(ctx, err) {
		return err
	}
	return errors.Join(err, l.Deliver(ctx))
}
