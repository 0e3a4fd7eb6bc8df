package job

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"robots-audit/audit/watch/delivery"
	"robots-audit/audit/watch/history"
	"robots-audit/audit/watch/schedule"
	"robots-audit/cmd/internal/health"
)

// Loop makes the runs of a plan when they are due, one after the other.
type Loop struct {
	*Job
	Plan    schedule.Plan    // without Watches
	Watches []schedule.Entry // that only request robots.txt
	// Open opens the history's file if Job.DB is nil; nil = do not try.
	Open func(ctx context.Context) (*history.DB, error)
	// Health receives the state of the runs; nil = not used.
	Health *health.Health
	// Ping is requested when a run begins, is complete or has failed; nil = not used.
	Ping *delivery.Ping

	urgent urgent
	tried  map[string]time.Time // last start of a run of each schedule, even if it failed

	shown    map[string]string // ID of the run of each schedule that Health has
	counting sync.Mutex        // while the deliveries are counted for Health
	pings    pings
}

// Once makes the runs that are due now, delivers what is due, and ends. The error joins those of
// all runs; ErrStopped, or that of ctx, ends it at once.
func (l *Loop) Once(ctx context.Context) error {
	defer l.pings.wait()
	if err := l.recover(ctx); err != nil {
		return err
	}
	now := l.Now()
	made, err := l.due(ctx, now, now)
	if !over(ctx, err) {
		err = errors.Join(err, l.watchOnce(ctx, l.Watches))
	}
	if !made && err == nil && len(l.Watches) == 0 {
		if next, entry, ok := l.Plan.Next(now); ok {
			l.Log.Info("no run is due", "next", next, "schedule", entry.Name)
		}
	}
	if l.DB == nil || over(ctx, err) {
		return err
	}
	return errors.Join(err, l.Deliver(ctx))
}

// Forever makes runs until ctx ends, whose error it returns, or until an audit is stopped by a
// signal. Meanwhile, also during audits, it retries failed deliveries.
func (l *Loop) Forever(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer l.pings.wait()
	defer cancel()
	group := errgroup.Group{}
	beside := func() { // what works beside the runs, with the history
		group.Go(func() error { return l.deliverLoop(ctx) })
		for _, e := range l.Watches {
			watch := &robotsWatch{Loop: l, entry: e}
			group.Go(func() error { return watch.forever(ctx) })
		}
	}
	if l.DB != nil {
		beside()
	}
	defer group.Wait()
	defer cancel()
	l.healthPlanned(ctx, l.Now())
	if err := l.recover(ctx); over(ctx, err) {
		return err
	} else if err != nil {
		l.Log.Error("the work of an earlier start could not be finished: " + err.Error())
	}
	for since := l.Now(); ; {
		now := l.Now()
		if l.reopen(ctx) {
			beside()
		}
		l.healthPlanned(ctx, now)
		_, err := l.due(ctx, now, since)
		if !over(ctx, err) {
			err = errors.Join(err, l.runUrgent(ctx))
		}
		if over(ctx, err) {
			return err
		}
		if err != nil {
			l.Log.Error("a scheduled run failed: " + err.Error())
		}
		next, entry, ok := l.Plan.Next(now)
		if !ok {
			return errors.New("no schedule has a next run. Check cron")
		}
		if since = now; !next.After(l.Now()) { // it became due during a run
			continue
		}
		l.healthPlanned(ctx, l.Now())
		l.Log.Info("waiting for the next run", "schedule", entry.Name, "at", next)
		if err := l.urgent.wait(ctx, next, l.Wait); err != nil {
			return err
		}
		since = l.Now() // runs that were due while the machine slept were missed
	}
}

// recover is Recover with a ping if there was anything to complete.
func (l *Loop) recover(ctx context.Context) error {
	completed, err := l.Recover(ctx)
	if err != nil || len(completed) > 0 {
		l.pingEnd(ctx, err)
	}
	return err
}

// reportedRun is Run, and reports the start and the end to Health and Ping.
func (l *Loop) reportedRun(ctx context.Context, schedule string) error {
	began := l.Now()
	l.healthBegan(schedule, began)
	l.ping(ctx, delivery.RunBegan)
	err := l.Run(ctx, schedule)
	l.healthEnded(ctx, schedule, began, err)
	l.pingEnd(ctx, err)
	return err
}

// reopen tries to open the history if that has failed so far, and reports whether it is open now.
// The next run stores what was audited meanwhile.
func (l *Loop) reopen(ctx context.Context) bool {
	if l.DB != nil || l.Open == nil {
		return false
	}
	db, err := l.Open(ctx)
	if err != nil {
		l.Log.Warn("the history cannot be used now: " + err.Error())
		return false
	}
	l.DB = db
	l.Log.Info("the history can be used again")
	return true
}

// over reports whether an error ends the loop.
func over(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, ErrStopped) || errors.Is(err, context.Canceled)
}

// due makes the runs that are due, and reports whether there was any.
func (l *Loop) due(ctx context.Context, now, since time.Time) (made bool, err error) {
	runs, err := l.starts(ctx, now)
	if err != nil {
		return false, err
	}
	for name, run := range runs.ahead {
		l.Log.Warn(l.clockDoubt(run, now), "schedule", name, "run", run.id)
	}
	for name, at := range l.tried { // a schedule whose run failed waits for its next time
		if at.After(runs.last[name]) && !schedule.Ahead(at, now) {
			runs.last[name] = at
		}
	}
	var errs []error
	list := l.Plan.Due(now, since, runs.last)
	for _, d := range list {
		l.Log.Info("a run is due", "schedule", d.Entry.Name, "at", d.At, "late", d.Late, "missed", d.Missed)
		if l.tried == nil {
			l.tried = map[string]time.Time{}
		}
		l.tried[d.Entry.Name] = l.Now()
		l.urgent.drop(d.Entry.Name)
		err := l.reportedRun(ctx, d.Entry.Name)
		if over(ctx, err) {
			return true, errors.Join(append(errs, err, ctx.Err())...)
		} else if err != nil {
			l.urgent.failed()
			errs = append(errs, err)
		}
	}
	return len(list) > 0, errors.Join(errs...)
}

// deliverLoop delivers due messages until ctx ends.
func (l *Loop) deliverLoop(ctx context.Context) error {
	for {
		tried, err := l.deliver(ctx)
		if err != nil && ctx.Err() == nil {
			l.Log.Warn("deliveries: " + err.Error())
		}
		if tried { // otherwise it would read all deliveries each minute
			l.healthDeliveries(ctx)
		}
		if err := l.Pause(ctx, time.Minute); err != nil {
			return err
		}
	}
}
