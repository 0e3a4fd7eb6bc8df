package job

import (
	"context"
	"time"

	"robots-audit/cmd/internal/health"
)

func (l *Loop) healthBegan(schedule string, at time.Time) {
	if l.Health != nil {
		l.Health.Began(schedule, at)
	}
}

// healthEnded reports the end of a run, and what the history has now.
func (l *Loop) healthEnded(ctx context.Context, schedule string, began time.Time, err error) {
	if l.Health == nil {
		return
	}
	ended := l.Now()
	run := health.Run{Outcome: health.Complete, Ended: ended, Duration: ended.Sub(began)}
	switch {
	case over(ctx, err):
		run.Outcome = health.Stopped
	case err != nil:
		run.Outcome, run.Problem = health.Failed, err.Error()
	}
	l.Health.Ended(schedule, run)
	l.healthHistory(ctx)
}

// healthPlanned reports the next times of the schedules, and what the history has.
func (l *Loop) healthPlanned(ctx context.Context, now time.Time) {
	if l.Health == nil {
		return
	}
	runs, err := l.starts(ctx, now)
	for _, e := range l.Plan.Entries {
		l.Health.Planned(e.Name, e.Cron.Next(now))
		doubt := ""
		if run, ahead := runs.ahead[e.Name]; ahead {
			doubt = l.clockDoubt(run, now)
		}
		if err == nil { // otherwise the next run reports the problem
			l.Health.Doubt(e.Name, doubt)
		}
	}
	l.healthHistory(ctx)
}

// healthHistory reports the last run of each schedule, the open alerts and the deliveries. The next
// run reports problems of the history.
func (l *Loop) healthHistory(ctx context.Context) {
	if l.DB == nil {
		return
	}
	for _, e := range l.Plan.Entries {
		if l.healthStored(ctx, e.Name) != nil {
			return
		}
	}
	open, err := l.DB.OpenAlerts(ctx)
	if err != nil {
		return
	}
	alerts := map[health.Alerts]int{}
	for _, a := range open {
		alerts[health.Alerts{Site: a.Site, Severity: a.Severity, Condition: a.Condition}]++
	}
	l.Health.Alerts(alerts)
	l.healthDeliveries(ctx)
}

// healthStored reports the last run of a schedule, if it is another than before.
func (l *Loop) healthStored(ctx context.Context, schedule string) error {
	run, ok, err := l.lastWhole(ctx, schedule)
	if err != nil || !ok || l.shown[schedule] == run.ID {
		return err
	}
	states, err := l.DB.StateTotals(ctx, run.ID)
	if err != nil {
		return err
	}
	sites, err := l.DB.RunSites(ctx, run.ID, health.MaxSites)
	if err != nil {
		return err
	}
	stored := health.Stored{Finished: run.Finished, Sites: map[string]int{}}
	for _, s := range states {
		stored.Sites[s.State] = int(s.Sites)
		stored.URLs += s.Known
		stored.Blocked += s.Blocked
	}
	for _, s := range sites {
		stored.Severe = append(stored.Severe, health.Site{Name: s.Site, State: s.State, URLs: s.Known, Blocked: s.Blocked})
	}
	l.Health.Stored(schedule, stored)
	if l.shown == nil {
		l.shown = map[string]string{}
	}
	l.shown[schedule] = run.ID
	return nil
}

// healthDeliveries reports the deliveries of each channel. Any goroutine may call it.
func (l *Loop) healthDeliveries(ctx context.Context) {
	if l.Health == nil {
		return
	}
	l.counting.Lock() // so that the last count is the newest
	defer l.counting.Unlock()
	counts, err := l.DB.DeliveryCounts(ctx)
	if err != nil {
		return
	}
	deliveries := map[health.Deliveries]int{}
	for _, c := range l.Channels { // a state of 0 deliveries is also a figure
		for _, state := range health.DeliveryStates {
			deliveries[health.Deliveries{Channel: c.Common().Name, State: state}] = 0
		}
	}
	for _, c := range counts {
		deliveries[health.Deliveries{Channel: c.Channel, State: c.State}] = c.Messages
	}
	l.Health.Deliveries(deliveries)
}
