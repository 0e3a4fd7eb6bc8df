package job

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/logs"
	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/delivery"
	"robots-audit/audit/watch/history"
	"robots-audit/audit/watch/schedule"
	"robots-audit/cmd/internal/resources"
	"robots-audit/crawl"
	"robots-audit/reports"
)

// Job makes and stores the runs in one history's folder. Only one goroutine may use it, except for
// Deliver.
type Job struct {
	Dir     string      // the history's folder
	DB      *history.DB // nil = not usable: audits continue, and are stored later
	Version string      // of the program
	Config  string      // path of the configuration, for the commands in mails
	BaseURL string      // where the history is shown, for the links in messages: see alert.Home

	Audit Audit
	Zone  func(schedule string) *time.Location // for the times in messages; nil = the configuration does not have this schedule any more

	First func(schedule string) schedule.First // what first runs of sites report

	Compare compare.Options // the user's settings for alerts
	Quiet   func(site string, at time.Time) bool
	Tries   int            // tries that confirm an answer, including the run's own; 1 = no second request
	After   time.Duration  // time between two tries
	Others  crawl.Variants // other ways in which an audit requests robots.txt, to find answers that differ
	Client  func() (*crawl.Client, error)
	// AskAgain requests a URL again in the name of a crawler, see audit.AskAgain.
	AskAgain func(ctx context.Context, site *crawl.Site, asked *audit.Asked, crawler, url string) audit.Reply
	// Credentials reads those in the lists of sites, by origin.
	Credentials func() map[string]*crawl.Credentials

	Channels []delivery.Channel
	KeepRuns int // run folders that are kept; 0 = all
	KeepDays int // days for which they are kept; 0 = no limit

	Now   func() time.Time
	Wait  func(ctx context.Context, until time.Time) error // see schedule.Wait
	Pause func(ctx context.Context, d time.Duration) error // see schedule.Pause
	Log   *slog.Logger

	sending sync.Mutex         // one Deliver at a time
	replay  bool               // the history is being rebuilt
	warned  map[string]bool    // IDs of runs that cannot be continued or stored, for which a warning was logged
	seen    *facts             // of sites of the current run that this start has audited; nil = none
	before  *reports.StoredRun // the run before the current one; nil = not opened
}

// Audit audits the sites of a schedule into the folder that Auditing names. It returns ErrStopped
// after a signal, and ErrSettings if a run cannot continue because the configuration has changed.
// After any other error the run is unfinished, and continued later.
type Audit func(ctx context.Context, a Auditing) error

// Auditing is one audit to make.
type Auditing struct {
	Schedule string
	Dir      string // of the run's folder
	Started  time.Time
	Resume   bool
	Only     []string // sites of a partial run; nil = all
	Note     *Note    // for a run that a fleet does
	Past     func(site string) (*audit.Past, error)
	Seen     func(site string) ([]logs.Observation, error) // robots.txt of a site in earlier runs; nil = there is no history
	Watch    func(site *audit.Site) reports.Watcher        // see reports.Options
}

// Errors of an Audit and of a Job.
var (
	ErrStopped  = errors.New("stopped by a signal")
	ErrSettings = errors.New("the configuration has changed since the start of the run")
	// ErrNotEntered means that a run is complete in its folder, but not in the history: the next
	// start stores it.
	ErrNotEntered = errors.New("the run is complete, but could not be stored in the history")
)

// Run makes one run of a schedule, after completing what an earlier start has left. If that
// includes a run of this schedule, it makes no other.
func (j *Job) Run(ctx context.Context, schedule string) error {
	resumed, err := j.Recover(ctx)
	if err != nil || resumed[schedule] {
		return err
	}
	id, started := j.newID(j.Now())
	run := folder{id: id, schedule: schedule, started: started}
	defer j.forget()
	if err := j.audit(ctx, run, false); err != nil {
		return err
	}
	return j.finish(ctx, run, true)
}

// Recover completes what an earlier start has left: runs in folders that are not in the history,
// the oldest first. resumed has the schedules of the runs that are now complete and stored; true =
// one of them was interrupted, and had to audit all sites.
//
// For the last run of a schedule it requests robots.txt again, however long ago that run ended. So
// a condition that persists is confirmed and reported now, not by the next run. Earlier runs need
// no request, because the last one shows what has changed since.
func (j *Job) Recover(ctx context.Context) (resumed map[string]bool, err error) {
	list, err := j.known()
	if err != nil {
		return nil, err
	}
	entered, newest, err := j.entered(ctx)
	if err != nil {
		return nil, err
	}
	now := j.Now()
	list = slices.DeleteFunc(list, func(run folder) bool { return entered[run.id] && schedule.Ahead(run.started, now) }) // runs with future dates must not count as later ones
	resumed = map[string]bool{}
	lastOf := map[string]string{} // by schedule
	for _, run := range list {
		lastOf[run.schedule] = run.id
	}
	for i, run := range list {
		asks := lastOf[run.schedule] == run.id
		switch last := i == len(list)-1; {
		case entered[run.id]:
			continue
		case run.id < newest:
			j.skip(run, "a later run is already stored. Add it with: robots-audit schedule -reindex")
			continue
		case run.finished.IsZero() && !last:
			j.skip(run, "it did not finish before a later run started")
			continue
		case run.finished.IsZero():
			if j.Zone(run.schedule) == nil {
				j.skip(run, "it has not finished, and the configuration has no schedule with its name")
				continue
			}
			j.Log.Info("continuing an unfinished run", "run", run.id, "schedule", run.schedule)
			defer j.forget() // there is no later one
			err := j.audit(ctx, run, true)
			if errors.Is(err, ErrSettings) {
				j.skip(run, err.Error()+". You may remove its folder. The next run of its schedule audits all sites again")
				continue
			}
			if err != nil {
				return nil, err
			}
		case j.DB == nil:
			continue
		default:
			j.Log.Info("storing a run that is missing in the history", "run", run.id, "schedule", run.schedule)
		}
		if err := j.finish(ctx, run, asks); err != nil {
			return nil, err
		}
		resumed[run.schedule] = resumed[run.schedule] || run.finished.IsZero() && !j.isPartial(run.id)
	}
	return resumed, nil
}

// skip warns, once, of a run that is neither continued nor stored.
func (j *Job) skip(run folder, why string) {
	if err := j.note(run).Drop(); err != nil { // a fleet may still do the run, but nothing waits for it
		j.Log.Warn(err.Error())
	}
	j.warnOnce(run.id, "a run is not in the history: "+why, "schedule", run.schedule)
}

// warnOnce warns of a run, once.
func (j *Job) warnOnce(id, what string, more ...any) {
	if !j.warned[id] {
		if j.warned == nil {
			j.warned = map[string]bool{}
		}
		j.warned[id] = true
		j.Log.Warn(what, append([]any{"run", id}, more...)...)
	}
}

// forget drops the data of the current run from memory.
func (j *Job) forget() {
	j.before = nil
	if j.seen != nil {
		j.seen.close()
		j.seen = nil
	}
}

// audit creates a run's folder, or continues it. Call forget once the run is stored, or cannot be.
func (j *Job) audit(ctx context.Context, run folder, resume bool) error {
	a := Auditing{Schedule: run.schedule, Dir: j.path(run.id), Started: run.started, Resume: resume, Note: j.note(run)}
	var err error
	if a.Only, err = j.partial(run.id); err != nil {
		return err
	}
	if j.DB != nil {
		var end func() error
		a.Past, end = j.past(run)
		a.Seen = func(site string) ([]logs.Observation, error) { return Observed(ctx, j.DB, site) }
		defer end()
		if seen, err := newFacts(j.Dir); err == nil { // otherwise the records are read again
			j.seen = seen
			a.Watch = func(site *audit.Site) reports.Watcher { return seen.watch(site.Name, j.Compare.Important) }
		}
	}
	used := resources.CPU()
	err = j.Audit(ctx, a)
	j.Log.Info("the audit has ended", "run", run.id, "schedule", run.schedule, "cpu", (resources.CPU() - used).Round(time.Millisecond))
	return err
}

// finish does all steps after a run's folder is complete. asks = robots.txt is requested again if
// an alert depends on it.
func (j *Job) finish(ctx context.Context, run folder, asks bool) error {
	run, err := readFolder(j.path(run.id)) // it now has the time of its end
	if err != nil {
		return err
	}
	if j.DB == nil {
		return fmt.Errorf("%s: %w", j.path(run.id), ErrNotEntered)
	}
	if j.isPartial(run.id) {
		if _, err := j.open(run.id); errors.Is(err, reports.ErrNoRecords) { // it could not be stored, now or later
			j.Log.Info("removed a run without sites: those with a new robots.txt are no longer in the list", "run", run.id, "schedule", run.schedule)
			return j.remove(run.id)
		}
	}
	if err := j.enter(ctx, run, asks); err != nil {
		if ctx.Err() != nil {
			return err
		}
		return fmt.Errorf("%s: %w: %w", j.path(run.id), ErrNotEntered, err)
	}
	if err := j.Deliver(ctx); err != nil {
		return err
	}
	return j.prune(ctx)
}

// Deliver tries the deliveries that are due. Any goroutine may call it.
func (j *Job) Deliver(ctx context.Context) error {
	_, err := j.deliver(ctx)
	return err
}

// deliver is Deliver, and reports whether there was a try.
func (j *Job) deliver(ctx context.Context) (tried bool, err error) {
	j.sending.Lock()
	defer j.sending.Unlock()
	home := alert.Home{Folder: j.Dir, Config: j.Config, Base: j.BaseURL}
	for _, name := range []*string{&home.Folder, &home.Config} {
		if path, err := filepath.Abs(*name); err == nil && *name != "" {
			*name = path
		}
	}
	if err := j.enterPeriods(ctx); err != nil {
		j.Log.Warn("a digest or summary could not be made: " + err.Error())
	}
	for more := true; more; {
		var tries []delivery.Try
		var err error
		tries, more, err = delivery.Send(ctx, j.DB, j.Channels, home, j.Now)
		tried = tried || len(tries) > 0
		for _, t := range tries {
			switch t.State {
			case delivery.Accepted:
				j.Log.Info("delivered", "channel", t.Channel, "delivery", t.ID, "tries", t.Tries, "note", t.Text)
			case delivery.Failed:
				j.Log.Warn("a message was not delivered and is retried", "channel", t.Channel, "delivery", t.ID, "tries", t.Tries, "next", t.Next, "why", t.Text)
			case delivery.GivenUp:
				j.Log.Error("a message was not delivered. There are no more retries", "channel", t.Channel, "delivery", t.ID, "tries", t.Tries, "why", t.Text)
			}
		}
		if err != nil {
			return tried, err
		}
	}
	return tried, nil
}
