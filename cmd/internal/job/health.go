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

// healthEnded reports the end of a run, with its sites if it was stored.
func (l *Loop) healthEnded(ctx context.Context, schedule string, began time.Time, err error) {
	if l.Health == nil {
		return
	}
	ended := l.Now()
	run := health.Run{Outcome: health.Complete, Ended: ended, Duration: ended.Sub(began), Sites: l.states}
	switch {
	case over(ctx, err):
		run.Outcome = health.Stopped
	case err != nil:
		run.Outcome, run.Problem = health.Failed, err.Error()
	}
	l.Health.Ended(schedule, run)
}

// healthPlanned reports the next times of the schedules, and the alerts and deliveries of the
// history.
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
	if l.DB == nil {
		return
	}
	open, err := l.DB.OpenAlerts(ctx)
	if err != nil {
		return // the next run reports the problem
	}
	alerts := map[health.Alerts]int{}
	for _, a := range open {
		alerts[health.Alerts{Severity: a.Severity, Condition: a.Condition}]++
	}
	l.Health.Alerts(alerts)
	counts, err := l.DB.DeliveryCounts(ctx)
	if err != nil {
		return
	}
	deliveries := map[health.Deliveries]int{}
	for _, c := range counts {
		deliveries[health.Deliveries{Channel: c.Channel, State: c.State}] = c.Messages
	}
	l.Health.Deliveries(deliveries)
}
