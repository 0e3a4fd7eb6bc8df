package job

import (
	"context"
	"errors"
	"slices"

	"robots-audit/audit/watch/schedule"
)

// OneRun makes one run of a schedule at once, even if none is due, delivers what is due, and ends.
// It is pinged, and the next run is due, as with any run. An interrupted run of the schedule is
// continued instead.
func (l *Loop) OneRun(ctx context.Context, name string) error {
	defer l.pings.wait()
	var err error
	if i := slices.IndexFunc(l.Watches, func(e schedule.Entry) bool { return e.Name == name }); i >= 0 {
		err = l.watchOnce(ctx, l.Watches[i:i+1])
	} else {
		err = l.reportedRun(ctx, name)
	}
	if l.DB == nil || over(ctx, err) {
		return err
	}
	return errors.Join(err, l.Deliver(ctx))
}
