package job

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"robots-audit/audit/watch/schedule"
	"robots-audit/reports"
)

// starts are the start times of runs, by schedule.
type starts struct {
	last map[string]time.Time // last run that is not in the future
	// ahead is the last run of a schedule if it is in the future, because the clock was ahead. The
	// next run that is stored removes it.
	ahead map[string]folder
}

// starts returns the start times of runs from their folders and the history.
func (j *Job) starts(ctx context.Context, now time.Time) (starts, error) {
	of := starts{map[string]time.Time{}, map[string]folder{}}
	note := func(run folder) {
		if j.isPartial(run.id) { // the schedule's run is still due
			return
		}
		if schedule.Ahead(run.started, now) {
			of.ahead[run.schedule] = run
		} else if run.started.After(of.last[run.schedule]) {
			of.last[run.schedule] = run.started
		}
	}
	list, err := j.known()
	if err != nil {
		return of, err
	}
	entered := map[string]bool{}
	if j.DB != nil {
		runs, err := j.DB.Runs(ctx)
		if err != nil {
			return of, err
		}
		for _, run := range runs {
			entered[run.ID] = true
			delete(of.ahead, run.Schedule)
			note(folder{id: run.ID, schedule: run.Schedule, started: run.Started})
		}
	}
	for _, run := range list {
		if !entered[run.id] {
			note(run)
		}
	}
	return of, nil
}

// clockDoubt explains which clock is wrong if a run is in the future, from the dates of its
// answers.
func (j *Job) clockDoubt(run folder, now time.Time) string {
	text := fmt.Sprintf("the last run started at %s, which is in the future, so it is ignored", stamp(run.started))
	switch dated := j.dated(run.id); {
	case dated.IsZero():
		return text + ". Check this machine's clock"
	case dated.Sub(now).Abs() < dated.Sub(run.started).Abs():
		return text + fmt.Sprintf(". Its answers are dated %s: the clock was ahead then", stamp(dated))
	default:
		return text + fmt.Sprintf(". Its answers are dated %s: this machine's clock is behind now", stamp(dated))
	}
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// maxDated limits the sites from which dated reads an answer.
const maxDated = 25

// dated is the date of a run's answers by the servers' clocks: the median of the first sites. It is
// zero if no answer has a date.
func (j *Job) dated(id string) time.Time {
	run, err := reports.OpenUnchecked(j.path(id), j.Version)
	if err != nil {
		return time.Time{}
	}
	var dates []time.Time
	for _, site := range run.Sites[:min(len(run.Sites), maxDated)] {
		for rec, err := range site.Records() {
			if err != nil {
				break
			}
			if rec.Robots == nil {
				continue
			}
			hops := rec.Robots.File.Hops
			if n := len(hops); n > 0 && (!rec.Robots.File.FromCache || hops[n-1].Status == http.StatusNotModified) { // otherwise the answer is from an earlier run
				if at, err := http.ParseTime(hops[n-1].Header.Get("Date")); err == nil {
					dates = append(dates, at)
				}
			}
			break
		}
	}
	if len(dates) == 0 {
		return time.Time{}
	}
	slices.SortFunc(dates, time.Time.Compare)
	return dates[len(dates)/2]
}
