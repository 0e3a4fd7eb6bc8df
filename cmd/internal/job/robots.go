package job

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"robots-audit/audit/watch/history"
	"robots-audit/audit/watch/schedule"
	"robots-audit/crawl"
	"robots-audit/reports"
)

// robotsWatch requests the robots.txt of the sites of a schedule again and again, between its runs. A
// site with another answer than in its last run is audited at once, in a partial run. All that it
// knows is in the history, so a kill loses nothing.
type robotsWatch struct {
	*Loop
	entry schedule.Entry
	run   string // last run of the schedule that is watched, partial or not
	sites []*watched
	lost  int // of urgent, at the last check
}

// watched is a site whose robots.txt is watched.
type watched struct {
	name, origin string
	run          string        // its last run
	last         crawl.Outcome // the last file, whose validators make the next request conditional; zero = none
	file         mark          // of it
	known        mark          // the answer of the last run, or of the run that is due
	seen         mark          // the answer of the last request; zero = it was not sent
	held         time.Time     // it is not audited before this, because it has been so often; zero = it may be at once
}

// mark distinguishes answers to the request for a robots.txt.
type mark struct {
	answer history.Answer
	rules  [sha256.Size]byte // of a file: the hash of its lines without comments, such as the time at which it was made
}

func newMark(answer history.Answer, body []byte) mark {
	switch {
	case answer == history.AnswerOK:
		hash := sha256.New()
		for line := range bytes.FieldsFuncSeq(body, func(r rune) bool { return r == '\n' || r == '\r' }) {
			line, _, _ = bytes.Cut(line, []byte("#"))
			if line = bytes.TrimSpace(line); len(line) > 0 {
				hash.Write(line)
				hash.Write([]byte{'\n'})
			}
		}
		return mark{answer, [sha256.Size]byte(hash.Sum(nil))}
	case slices.Contains(unreachable, answer): // a server that is down may answer in several ways
		return mark{answer: history.AnswerServerError}
	}
	return mark{answer: answer}
}

// A site whose file is another at each request would be audited at each check. After some partial runs
// since its last whole one, it is audited once an hour.
const (
	atOnce  = 6
	between = time.Hour
)

// checking limits the sites that are asked at a time.
const checking = 32

// load finds the sites to watch, again after each run of their schedule.
func (r *robotsWatch) load(ctx context.Context) error {
	newest, ok, err := r.DB.LastRun(ctx, r.entry.Of)
	if err != nil || !ok || newest.ID == r.run {
		return err
	}
	whole, ok, err := r.lastWhole(ctx, r.entry.Of)
	if err != nil || !ok {
		return err
	}
	opened := map[string]*reports.StoredRun{} // most sites have the same last run
	open := func(id string) (*reports.StoredRun, error) {
		if opened[id] == nil {
			stored, err := reports.OpenUnchecked(r.path(id), r.Version)
			if err != nil {
				return nil, err
			}
			opened[id] = stored
		}
		return opened[id], nil
	}
	stored, err := open(whole.ID)
	if err != nil {
		return err
	}
	known := map[string]*watched{}
	for _, w := range r.sites {
		known[w.name] = w
	}
	r.sites, r.run = nil, newest.ID
	for i := range stored.Sites {
		name := stored.Sites[i].Name
		runs, err := r.DB.SiteRuns(ctx, name, 1)
		if err != nil {
			return err
		}
		if len(runs) == 0 {
			continue
		}
		w := known[name]
		if w == nil || w.run != runs[0].Run.ID {
			last, err := open(runs[0].Run.ID)
			if err == nil {
				w, err = begin(last, name, &runs[0])
			}
			if err == nil && r.isPartial(runs[0].Run.ID) {
				w.held, err = r.heldUntil(ctx, name)
			}
			if err != nil {
				r.Log.Warn("the robots.txt of a site is not watched: "+err.Error(), "site", name, "schedule", r.entry.Name)
				continue
			}
		}
		r.sites = append(r.sites, w)
	}
	return nil
}

// heldUntil is the time until which a site is not audited again.
func (r *robotsWatch) heldUntil(ctx context.Context, name string) (at time.Time, err error) {
	runs, err := r.DB.SiteRuns(ctx, name, atOnce)
	if err != nil || len(runs) < atOnce || slices.ContainsFunc(runs, func(s history.SiteRun) bool { return !r.isPartial(s.Run.ID) }) {
		return at, err
	}
	return runs[0].Run.Started.Add(between), nil
}

// begin reads the answer of a site's last run.
func begin(stored *reports.StoredRun, name string, last *history.SiteRun) (*watched, error) {
	site, ok := stored.Site(name)
	if !ok {
		return nil, fmt.Errorf("run %s does not have it", last.Run.ID)
	}
	w := &watched{name: name, run: last.Run.ID, known: newMark(last.Answer, nil)}
	for rec, err := range site.Records() {
		if err != nil {
			return nil, err
		}
		if rec.Robots != nil && rec.Robots.Index == 0 {
			if w.origin = rec.Robots.Origin; w.known.answer == history.AnswerOK {
				w.known = newMark(w.known.answer, rec.Robots.File.Body)
				w.last, w.file = rec.Robots.File.Outcome, w.known
			}
			return w, nil
		}
	}
	return nil, fmt.Errorf("run %s did not request it", last.Run.ID)
}

// check requests each robots.txt once, and has the sites audited whose answer is new.
func (r *robotsWatch) check(ctx context.Context) error {
	if r.DB == nil {
		return nil
	}
	if lost := r.urgent.failures(); lost != r.lost { // an answer whose run has failed is new again
		r.lost, r.run, r.sites = lost, "", nil
	}
	if err := r.load(ctx); err != nil {
		return err
	}
	client, err := r.Client()
	if err != nil {
		return err
	}
	logins := r.Credentials()
	group := errgroup.Group{}
	group.SetLimit(checking)
	for _, w := range r.sites {
		group.Go(func() error {
			r.ask(ctx, client, w, logins[w.origin])
			return nil
		})
	}
	group.Wait() // no error is possible
	if err := ctx.Err(); err != nil {
		return err // an interrupted request is no answer
	}
	for _, w := range r.sites {
		if w.seen != (mark{}) && w.seen != w.known && !w.held.After(r.Now()) {
			if !w.held.IsZero() {
				r.Log.Warn("robots.txt changes again and again, so the site is audited at most once an hour", "site", w.name, "schedule", r.entry.Name)
			}
			r.Log.Info("robots.txt has changed", "site", w.name, "before", w.known.answer, "now", w.seen.answer, "schedule", r.entry.Name)
			w.known = w.seen // until the next run of the site
			r.urgent.add(r.entry.Of, w.name)
		}
	}
	return nil
}

// ask requests the robots.txt of a site.
func (r *robotsWatch) ask(ctx context.Context, client *crawl.Client, w *watched, login *crawl.Credentials) {
	site := client.Site()
	defer site.Close()
	if login != nil {
		site.Authenticate(w.origin, *login)
	}
	switch file := site.RobotsAgain(ctx, w.origin, &w.last); {
	case file == nil:
		w.seen = w.file
	case history.AnswerOf(file) == history.AnswerNotAsked:
		w.seen = mark{}
	default:
		if w.seen = newMark(history.AnswerOf(file), file.Body); w.seen.answer == history.AnswerOK {
			w.last, w.file = file.Outcome, w.seen
		}
	}
}

// forever checks at each time of the entry until ctx ends.
func (r *robotsWatch) forever(ctx context.Context) error {
	for {
		if err := r.check(ctx); err != nil && ctx.Err() == nil {
			r.Log.Error("robots.txt could not be watched: "+err.Error(), "schedule", r.entry.Name)
		}
		next := r.entry.Cron.Next(r.Now())
		if next.IsZero() {
			return nil
		}
		if err := r.Wait(ctx, next); err != nil {
			return err
		}
	}
}

// watchOnce checks the robots.txt of some entries once, and audits the sites whose answer is new.
func (l *Loop) watchOnce(ctx context.Context, entries []schedule.Entry) error {
	var errs []error
	for _, e := range entries {
		watch := &robotsWatch{Loop: l, entry: e}
		errs = append(errs, watch.check(ctx))
	}
	return errors.Join(append(errs, l.runUrgent(ctx))...)
}

// runUrgent audits the sites whose robots.txt has changed.
func (l *Loop) runUrgent(ctx context.Context) error {
	var errs []error
	sites := l.urgent.take()
	for _, name := range slices.Sorted(maps.Keys(sites)) {
		l.Log.Info("sites with a new robots.txt are audited", "schedule", name, "sites", len(sites[name]))
		err := l.RunSites(ctx, name, sites[name])
		if errs = append(errs, err); over(ctx, err) {
			break
		}
		if err != nil {
			l.urgent.failed()
		}
	}
	return errors.Join(errs...)
}
