package job

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/delivery"
	"robots-audit/audit/watch/history"
	"robots-audit/audit/watch/schedule"
	"robots-audit/reports"
)

// record stores the run, with the messages about it, in one transaction.
func (e *entering) record(ctx context.Context) error {
	lost, err := e.DB.GivenUp(ctx)
	if err != nil {
		return err
	}
	tx, err := e.DB.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.AddRun(history.Run{ID: e.run.id, Folder: path.Join(runsFolder, e.run.id), Schedule: e.run.schedule, Started: e.run.started, Finished: e.run.finished, Program: e.run.version}); err != nil {
		return err
	}
	var events []alert.Event
	for _, s := range e.sites {
		if s.stored != nil {
			entry, err := e.facts.entry(s)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			entry.Settled, entry.Confirmations = s.judged.Settled, s.again
			if err := tx.AddSite(ctx, entry); err != nil {
				return err
			}
		}
		events = append(events, s.judged.Events...)
	}
	for _, s := range e.sites { // after all sites, so that each has its number
		for _, a := range s.judged.Alerts {
			if err := tx.SaveAlert(a); err != nil {
				return err
			}
		}
	}
	if !e.replay {
		if events, err = e.addMessages(tx, events, lost); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, event := range events {
		e.Log.Info("alert: "+event.Text, "id", event.Alert, "event", event.Kind, "condition", event.Condition, "severity", event.Severity, "site", event.Site)
	}
	return nil
}

// addMessages stores the messages of the run, and returns the events in their order.
func (e *entering) addMessages(tx *history.Tx, events []alert.Event, lost []history.Delivery) ([]alert.Event, error) {
	of := alert.Context{Run: e.run.id, Schedule: e.run.schedule, At: e.started(), Links: e.runLinks(e.run.id), Site: e.siteLinks(e.run.id, e.stored), Brief: e.first == schedule.FirstSummary}
	for _, s := range e.sites {
		if s.starts && e.initial() {
			of.Started = append(of.Started, s.name)
		}
	}
	if len(events) > 1 {
		of.Order = reports.SiteOrder(e.stored.Path)
	}
	message, ok := alert.Digest(of, events)
	if !ok {
		message = alert.Message{Run: of.Run, Schedule: of.Schedule, At: of.At, Links: of.Links}
	}
	deliveries, told, err := delivery.Plan(e.Channels, message, lost, e.Now())
	if err != nil {
		return nil, err
	}
	for _, d := range deliveries {
		if err := tx.SaveDelivery(d); err != nil {
			return nil, err
		}
	}
	return message.Events, tx.MarkTold(told...)
}

// runLinks are links to the files of a run and of its comparison.
func (j *Job) runLinks(id string) alert.Links {
	return alert.Links{
		Page:       j.there(runsFolder, id, "index.html"),
		Workbook:   j.there(runsFolder, id, "summary.xlsx"),
		Comparison: j.there(comparisonsFolder, id, "index.html"),
	}
}

// siteLinks are links to the files of a site in a run, by its name.
func (j *Job) siteLinks(id string, stored *reports.StoredRun) func(site string) alert.Links {
	comparison := j.runLinks(id).Comparison
	bases := map[string]string{}
	for _, s := range stored.Sites {
		bases[s.Name] = s.Base
	}
	return func(site string) alert.Links {
		links := alert.Links{Comparison: comparison}
		if base, ok := bases[site]; ok {
			links.Page = j.there(runsFolder, id, "pages", base+".html")
			links.Workbook = j.there(runsFolder, id, base+".xlsx")
		}
		return links
	}
}

// there is the path of a file below the history's folder; "" = it does not exist.
func (j *Job) there(names ...string) string {
	name := path.Join(names...)
	if _, err := os.Stat(filepath.Join(j.Dir, filepath.FromSlash(name))); err != nil {
		return ""
	}
	return name
}

// standing is the state of the history before a run.
type standing struct {
	last string                     // ID of the run of the same schedule before; "" = none
	open map[string][]history.Alert // open alerts, by site
	over map[string][]history.Alert // alerts resolved since the first open alert that hides others
}

func (j *Job) standing(ctx context.Context, run folder) (s standing, err error) {
	last, ok, err := j.lastWhole(ctx, run.schedule)
	if err != nil {
		return s, err
	}
	if ok {
		s.last = last.ID
	}
	alerts, err := j.DB.OpenAlerts(ctx)
	s.open, s.over = map[string][]history.Alert{}, map[string][]history.Alert{}
	var since time.Time
	for _, a := range alerts {
		if schedule.Ahead(a.Accepted, j.Now()) { // the clock was ahead: it was really before this run
			a.Accepted = run.started.Add(-time.Second)
		}
		s.open[a.Site] = append(s.open[a.Site], a)
		if alert.Hides(a.Condition) && (since.IsZero() || a.Since.Before(since)) {
			since = a.Since
		}
	}
	if err != nil || since.IsZero() {
		return s, err
	}
	alerts, err = j.DB.EndedSince(ctx, since)
	for _, a := range alerts {
		s.over[a.Site] = append(s.over[a.Site], a)
	}
	return s, err
}

// unreachable are the answers that mean that robots.txt cannot be fetched.
var unreachable = []history.Answer{history.AnswerBusy, history.AnswerServerError, history.AnswerNone}

// unreachableSince is the start of the first run in the unbroken series that could not fetch a
// site's robots.txt. Zero means that this is the first. Wrong clocks cannot move it before the last
// successful run or after this one.
func (e *entering) unreachableSince(site string) (since time.Time, err error) {
	past, err := e.past.Past(site)
	if err != nil {
		return since, err
	}
	for _, p := range slices.Backward(past.Points) {
		if !slices.Contains(unreachable, history.Answer(p.Answer)) {
			if !since.IsZero() && since.Before(p.Started) && p.Started.Before(e.run.started) {
				since = p.Started
			}
			break
		}
		since = p.Started
	}
	if since.After(e.run.started) {
		since = e.run.started
	}
	return since, nil
}
