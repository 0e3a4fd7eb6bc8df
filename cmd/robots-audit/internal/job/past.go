package job

import (
	"context"
	"time"

	"robots-audit/audit"
)

// past tells the reports of a run what earlier runs know of a site.
func (j *Job) past(run folder) func(site string) (*audit.Past, error) {
	return func(site string) (*audit.Past, error) {
		p, err := j.DB.Past(context.Background(), site, run.schedule, run.id)
		if err != nil { // the run is worth more than its columns of dates
			j.Log.Warn("reports of a site go without what earlier runs know: "+err.Error(), "site", site)
			return nil, nil
		}
		p.Listed = j.Compare.Important
		return p, nil
	}
}

// Began tells when each schedule's last run began, by its folders and by the history.
func (j *Job) Began(ctx context.Context) (map[string]time.Time, error) {
	last := map[string]time.Time{}
	note := func(schedule string, at time.Time) {
		if at.After(last[schedule]) {
			last[schedule] = at
		}
	}
	list, err := j.folders()
	if err != nil {
		return nil, err
	}
	for _, run := range list {
		note(run.schedule, run.started)
	}
	if j.DB == nil {
		return last, nil
	}
	runs, err := j.DB.Runs(ctx)
	for _, run := range runs {
		note(run.Schedule, run.Started)
	}
	return last, err
}
