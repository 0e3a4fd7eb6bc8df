package job

import (
	"context"
	"errors"
)

// OneRun makes one run of a schedule at once, even if none is due, delivers what is due, and ends.
// An interrupted run of the schedule is continued instead. The next due time is as after any run.
func (l *Loop) OneRun(ctx context.Context, schedule string) error {
	defer l.pings.wait()
	err := l.reportedRun(ctx, schedule)
	if l.DB == nil || over(ctx, err) {
		return err
	}
	return errors.Join(err, l.Deliver(ctx))
}
