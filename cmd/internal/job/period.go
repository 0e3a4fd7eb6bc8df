package job

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/delivery"
	"robots-audit/audit/watch/history"
	"robots-audit/audit/watch/schedule"
	"robots-audit/reports"
)

// enterPeriods enters the messages at set times that are due: digests and summaries. Each has a row
// in the history, a digest without news as well. So none is sent twice, and none is lost.
func (j *Job) enterPeriods(ctx context.Context) error {
	for _, c := range j.Channels {
		r := c.Common()
		for _, of := range []struct {
			kind string
			cron schedule.Cron
		}{{alert.KindDigest, r.Digest}, {alert.KindSummary, r.Summary}} {
			if of.cron.IsZero() {
				continue
			}
			if err := j.enterPeriod(ctx, c, of.kind, of.cron); err != nil {
				return fmt.Errorf("%s of %s: %w", of.kind, r.Name, err)
			}
		}
	}
	return nil
}

// enterPeriod enters the last message of a kind to a channel that is due, unless that was done. A
// history that is younger than its time has none.
func (j *Job) enterPeriod(ctx context.Context, c delivery.Channel, kind string, cron schedule.Cron) error {
	now, name := j.Now(), c.Common().Name
	p := alert.Period{Kind: kind, Due: cron.Last(now).UTC(), Still: []string{}}
	first, err := j.DB.FirstRun(ctx)
	if err != nil || first.IsZero() || p.Due.Before(first) {
		return err
	}
	if done, err := j.DB.HasDelivery(ctx, p.ID(name)); err != nil || done {
		return err
	}
	last, due, err := j.DB.LastPeriod(ctx, name, kind, p.Due)
	if err != nil {
		return err
	}
	if p.From = due; due.IsZero() {
		if p.From = cron.Last(p.Due.Add(-time.Second)).UTC(); p.From.Before(first) {
			p.From = first.UTC().Add(-time.Second) // so that the first run counts
		}
	}
	newest, err := j.DB.NewestRun(ctx)
	if err != nil {
		return err
	}
	var whole []string
	wholes, err := j.wholes(ctx)
	if err != nil {
		return err
	}
	for _, r := range wholes {
		whole = append(whole, r.ID)
	}
	activity, err := j.DB.ActivitySince(ctx, last, p.From, whole)
	if err != nil {
		return err
	}
	p.Runs, p.Sites, p.Changed = activity.Runs, activity.Sites, activity.Changed
	open, err := j.DB.Alerts(ctx, history.AlertFilter{Open: true, Limit: maxOpen})
	if err != nil {
		return err
	}
	p.AddOpen(open)
	var events []alert.Event
	if kind == alert.KindDigest {
		news, err := j.DB.NewsSince(ctx, name, last, p.From)
		if err != nil {
			return err
		}
		news.Ended = slices.DeleteFunc(news.Ended, j.dropped)
		events = alert.Waited(news, now.In(cron.Zone()))
	}
	of := alert.Context{Run: newest, At: now.In(cron.Zone()), Period: &p}
	if len(whole) > 0 {
		if stored, err := reports.OpenUnchecked(j.path(whole[0]), j.Version); err == nil {
			of.Links, of.Site, of.Order = j.runLinks(whole[0]), j.siteLinks(whole[0], stored), reports.SiteOrder(stored.Path)
		}
	}
	if p.Runs != 1 { // the newest comparison does not show what happened
		of.Links.Comparison = j.linkNews(events)
	}
	message, _ := alert.Digest(of, events)
	lost, err := j.DB.GivenUp(ctx)
	if err != nil {
		return err
	}
	deliveries, told, err := delivery.Plan([]delivery.Channel{c}, message, lost, now)
	if err != nil {
		return err
	}
	if len(deliveries) == 0 { // it is entered as done
		text, err := json.Marshal(message)
		if err != nil {
			return err
		}
		deliveries = []history.Delivery{{ID: p.ID(name), Run: newest, Channel: name, Message: text, Entered: now.UTC(), Next: now.UTC(), Accepted: now.UTC()}}
	}
	return j.DB.EnterDelivery(ctx, deliveries[0], told...)
}

// dropped reports whether an alert ended only because its run did not look for its condition any more.
func (j *Job) dropped(a history.Alert) bool {
	if alert.FromLogs(a.Condition) {
		run, err := readFolder(j.path(a.EndedRun))
		return err == nil && !run.logs
	}
	if !alert.Unasked(&a, nil) {
		return false
	}
	stored, err := j.open(a.EndedRun)
	if err != nil {
		return false
	}
	site, ok := stored.Site(a.Site)
	if site.Check(); !ok || site.Damage != nil {
		return false
	}
	for rec, err := range site.Records() {
		if err != nil || rec.Site != nil {
			return err == nil && alert.Unasked(&a, rec.Site.Asked)
		}
	}
	return false
}

// linkNews links events to the files of their own runs, as far as these exist. The result is the
// comparison with all of them; "" = there is none.
func (j *Job) linkNews(events []alert.Event) (comparison string) {
	links := map[string]func(site string) alert.Links{}
	for i := range events {
		e := &events[i]
		if _, known := links[e.Run]; !known {
			links[e.Run] = nil
			if stored, err := reports.OpenUnchecked(j.path(e.Run), j.Version); err == nil {
				links[e.Run] = j.siteLinks(e.Run, stored)
			}
			comparison = j.runLinks(e.Run).Comparison
		}
		if of := links[e.Run]; of != nil {
			e.Links = of(e.Site)
		}
	}
	if len(links) > 1 {
		return ""
	}
	return comparison
}

// maxOpen bounds the open alerts that are counted.
const maxOpen = 100_000
