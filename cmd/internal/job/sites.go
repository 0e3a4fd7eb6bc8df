package job

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
	"robots-audit/audit/watch/schedule"
	"robots-audit/cmd/internal/pairs"
	"robots-audit/cmd/internal/resources"
	"robots-audit/reports"
	"robots-audit/reports/changes"
)

// entering is a run while it is stored in the history.
type entering struct {
	*Job
	run      folder
	asks     bool // request robots.txt again if an alert depends on it
	first    schedule.First
	stored   *reports.StoredRun
	last     string                        // ID of the schedule's previous run; "" = none
	standing standing                      // state of the history before the run
	earlier  map[string]*reports.StoredRun // runs with which sites are compared, by ID; nil = its folder cannot be read
	sites    []*siteResult                 // in the order of the run, then sites that are only in earlier runs
	again    *confirmations
	intended map[string][]history.Alert // see accepted; nil = not read
	named    map[string]bool            // by run: see namesLogs
	looked   earlierRuns                // of the site that is compared

	past  *history.PastReader // open while sites are compared
	facts *facts
}

// siteResult is the result for one site of the run.
type siteResult struct {
	name   string
	stored *reports.StoredSite // nil = the run does not have it
	input  *alert.Input        // until the site is judged
	asks   bool                // robots.txt must be requested again before input is judged
	again  []history.Confirmation
	judged alert.Judged
	starts bool  // the history has no earlier run of the site, or the schedule has it again
	facts  place // facts from its records
	more   place // facts from its comparison, with new owner notes
}

// enter compares, confirms, judges and stores a run whose folder is complete.
func (j *Job) enter(ctx context.Context, run folder, asks bool) error {
	e, err := j.begin(ctx, run, asks)
	if err != nil {
		return err
	}
	return e.enter(ctx)
}

// begin opens a run and the data to compare it with.
func (j *Job) begin(ctx context.Context, run folder, asks bool) (*entering, error) {
	e := &entering{Job: j, run: run, asks: asks, earlier: map[string]*reports.StoredRun{}}
	var err error
	if e.stored, err = j.open(run.id); err != nil {
		return nil, err
	}
	if e.standing, err = j.standing(ctx, run); err != nil {
		return nil, err
	}
	e.last = e.standing.last
	if e.again, err = j.readConfirmations(run.id); e.again != nil {
		e.first = e.again.First
	} else {
		e.first = j.First(run.schedule)
	}
	return e, err
}

func (e *entering) enter(ctx context.Context) error {
	steps := []struct {
		name string
		do   func(context.Context) error
	}{{"compared", e.compare}, {"confirmed", e.confirm}, {"entered", e.record}}
	var err error
	if e.facts = e.seen; e.facts == nil {
		if e.facts, err = newFacts(e.Dir); err != nil {
			return err
		}
		defer e.facts.close()
	}
	took := []any{"run", e.run.id, "schedule", e.run.schedule}
	for _, step := range steps {
		began, used := time.Now(), resources.CPU()
		if err := step.do(ctx); err != nil {
			return err
		}
		took = append(took, step.name, time.Since(began).Round(time.Millisecond), step.name+"_cpu", (resources.CPU() - used).Round(time.Millisecond))
	}
	e.Log.Info("the run is in the history", append(took, "sites", len(e.sites))...)
	return nil
}

// open opens an earlier run; nil = unreadable, for which a warning is logged once.
func (e *entering) open(id string) *reports.StoredRun {
	run, ok := e.earlier[id]
	if ok {
		return run
	}
	run, err := e.Job.open(id)
	if err != nil {
		run = nil
		if !e.replay { // a rebuild reports all gaps itself
			e.Log.Warn("an earlier run could not be compared: "+err.Error(), "run", id)
		}
	}
	e.earlier[id] = run
	return run
}

// compare compares the run with the schedule's last one into a folder, and each site with its last
// settled run.
func (e *entering) compare(ctx context.Context) (err error) {
	if e.past, err = e.DB.OpenPast(ctx, e.run.schedule, e.run.id); err != nil {
		return err
	}
	defer e.past.Close()
	old := &reports.StoredRun{}
	if e.last != "" {
		if run := e.open(e.last); run != nil {
			old = run
		}
	}
	var report *changes.Report
	if old.ID != "" && !e.hasComparison() {
		report, err = changes.Open(changes.Options{Dir: filepath.Join(e.Dir, comparisonsFolder, e.run.id), Old: pairs.Side(old, "", nil), New: pairs.Side(e.stored, "", nil), Version: e.Version})
		if err != nil {
			return err
		}
		defer report.Discard()
	}
	some := e.isPartial(e.run.id)
	for _, p := range pairs.Of(old, e.stored) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if some && p.New == nil { // it was not to be audited
			continue
		}
		if err := e.addSite(ctx, p, old, report); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	if report == nil {
		return nil
	}
	return report.Close()
}

// addSite compares a site with the last run, and judges it unless robots.txt must be requested
// again.
func (e *entering) addSite(ctx context.Context, p pairs.Pair, last *reports.StoredRun, report *changes.Report) (err error) {
	var seen *fact
	if p.New != nil {
		if seen = e.facts.of(p.Name); seen == nil {
			p.New.Check()
		}
	}
	if p.Old != nil {
		p.Old.Check()
	}
	if p.New != nil && p.New.Damage != nil {
		e.Log.Warn("a site is skipped in the history: "+p.New.Damage.Error(), "site", p.Name)
		return nil
	}
	if why, audited := e.stored.Unwritten[p.Name]; p.New == nil && audited {
		e.Log.Warn("a site is skipped in the history: "+why, "site", p.Name)
		return nil
	}
	of := &siteResult{name: p.Name, stored: p.New}
	e.sites = append(e.sites, of)
	why, audited := last.Unwritten[p.Name]
	back := last.ID != "" && p.Old == nil && !audited // the run before is without the site
	switch {
	case p.Old == nil && audited:
		e.Log.Warn("a site is not compared: "+why, "site", p.Name)
		report = nil // it must not be reported as new
	case p.Old != nil && p.Old.Damage != nil:
		e.Log.Warn("a site is not compared: "+p.Old.Damage.Error(), "site", p.Name)
		p.Old, report = nil, nil
	}
	if p.New == nil && p.Old == nil {
		return nil
	}
	settled, _, err := e.past.Settled(p.Name)
	if err != nil {
		return err
	}
	var watcher *watcher
	if p.New != nil && seen == nil {
		watcher = e.watch(&p)
	}
	known := p.Old != nil
	switch {
	case back && settled != "" && e.initial(): // its alerts ended when it was removed
		settled = ""
	case settled == "" && !known:
		if known, err = e.past.Knows(p.Name); err != nil {
			return err
		}
	}
	of.starts = settled == "" && !known
	// A site that answered, with nothing to compare and no open alert, is settled without any
	// alert.
	settles := func() bool {
		return seen != nil && seen.answered && settled == "" && !e.initial() && len(e.standing.open[p.Name]) == 0
	}
	compared := &compare.Site{Name: p.Name}
	switch {
	case report != nil:
		compared, err = report.AddSite(p.Compare(e.options(e.last, report.Temp())))
	case p.Old != nil || !settles():
		compared, err = siteOf(p, e.options(e.last, ""))
	}
	if err != nil {
		return err
	}
	if watcher != nil {
		if seen, err = watcher.keep(); err != nil {
			return err
		}
		p.Watch = nil
	}
	if seen != nil {
		if err := e.storeComparison(of, seen, compared); err != nil {
			return err
		}
	}
	if settles() {
		of.judged.Settled = true
		return nil
	}
	since := compared
	var initial *compare.Site // for alerts without a base
	switch {
	case settled == "" && e.initial():
		initial, err = e.against("", p, true)
		since = initial
	case settled != e.last && (settled != "" || p.Old != nil):
		since, err = e.against(settled, p, false)
	}
	if err != nil {
		return err
	}
	in := &alert.Input{
		Site: p.Name, Run: e.run.id, Started: e.started(), Settled: settled, Compared: since,
		Quiet: e.quiet(p.Name), Ended: e.standing.over[p.Name], NoLogs: !e.run.logs,
	}
	if settled == "" && e.initial() {
		accepted, err := e.accepted(ctx)
		if err != nil {
			return err
		}
		in.Ended = slices.Concat(in.Ended, accepted[p.Name])
	}
	if own := since.Own(); own != nil && own.New != nil && own.New.Unreachable() {
		if in.UnreachableSince, err = e.unreachableSince(p.Name); err != nil {
			return err
		}
	}
	standing := e.standing.open[p.Name]
	if p.New == nil {
		schedules, err := e.past.Schedules(p.Name)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(schedules, func(name string) bool { return name != e.run.schedule && e.Zone(name) != nil }) {
			standing = nil // another schedule still audits the site
		}
	}
	for _, a := range standing {
		open := alert.Open{Alert: a, Compared: since}
		switch a.Base {
		case "":
			if initial == nil {
				if initial, err = e.against("", p, true); err != nil {
					return err
				}
			}
			open.Compared = initial
		case settled:
		case e.last:
			open.Compared = compared
		default:
			if open.Compared, err = e.against(a.Base, p, false); err != nil {
				return err
			}
		}
		in.Open = append(in.Open, open)
	}
	of.input = in
	if of.asks = p.New != nil && len(alert.Questions(*in)) > 0; !of.asks { // true for most; the comparison is large, so it is not kept
		of.judged, of.input = alert.Judge(*in), nil
	}
	return nil
}

// accepted are all alerts that ended because they were accepted, by site.
func (e *entering) accepted(ctx context.Context) (map[string][]history.Alert, error) {
	if e.intended == nil {
		ended, err := e.DB.EndedSince(ctx, time.Time{})
		if err != nil {
			return nil, err
		}
		e.intended = map[string][]history.Alert{}
		for _, a := range ended {
			if !a.Accepted.IsZero() {
				e.intended[a.Site] = append(e.intended[a.Site], a)
			}
		}
	}
	return e.intended, nil
}

// started is the start of the run, in the time zone of its messages.
func (e *entering) started() time.Time {
	if zone := e.Zone(e.run.schedule); zone != nil {
		return e.run.started.In(zone)
	}
	return e.run.started.UTC()
}

// options are those of a comparison with an earlier run, with temporary files in a folder.
func (e *entering) options(old, temp string) compare.Options {
	o := e.Compare
	o.Temp, o.Earlier = temp, func(site string, newer bool) []compare.EarlierRun {
		return e.earlierRuns(site, map[bool]string{false: old}[newer])
	}
	return o
}

// initial reports whether first runs of sites report what is already wrong.
func (e *entering) initial() bool {
	return e.first == schedule.FirstAlert || e.first == schedule.FirstSummary
}

// against compares a site with an earlier run of it; "" = there is none, and initial conditions are
// asked for or not.
func (e *entering) against(id string, p pairs.Pair, initial bool) (*compare.Site, error) {
	p.Old = nil
	if id != "" {
		if run := e.open(id); run != nil {
			site, ok := run.Site(p.Name)
			if site.Check(); ok && site.Damage == nil {
				p.Old = &site
			}
		}
	}
	o := e.options(id, "")
	o.Initial = initial && id == ""
	return siteOf(p, o)
}

// siteOf compares a site without a report.
func siteOf(p pairs.Pair, o compare.Options) (site *compare.Site, err error) {
	if p.Old == nil && p.New == nil {
		return &compare.Site{Name: p.Name}, nil
	}
	for item, err := range p.Compare(o) {
		if err != nil {
			return nil, err
		}
		site = item.Site
	}
	return site, nil
}

// storeComparison adds the data of a site's comparison, and new owner notes, to the facts.
func (e *entering) storeComparison(s *siteResult, seen *fact, c *compare.Site) (err error) {
	s.facts = seen.place
	var more history.Entry
	addComparison(&more, c)
	if seen.past {
		var of storedFact
		if seen.notes {
			if of, err = e.facts.read(seen.place); err != nil {
				return err
			}
		}
		if more.Notes, err = e.newNotes(s.name, &audit.Past{Notes: of.Notes}); err != nil {
			return err
		}
	}
	if more.Changes != nil || more.Flips != nil || more.Notes != nil {
		s.more, err = e.facts.add(storedFact{Entry: more})
	}
	return err
}

// addComparison adds the data of a comparison that the history keeps to an entry.
func addComparison(to *history.Entry, c *compare.Site) {
	if c.Old == nil || c.New == nil {
		return
	}
	to.Changes = c.Changes
	for i, f := range c.Flips {
		if f.Flips() > 0 {
			to.Flips = append(to.Flips, history.Flips{Crawler: c.Crawlers[i].Label, Counts: f.Counts})
		}
	}
}

// confirm requests robots.txt again if an alert depends on it, and judges those sites.
func (e *entering) confirm(ctx context.Context) error {
	if e.again == nil {
		of, err := e.ask(ctx)
		if err == nil {
			err = e.writeConfirmations(of)
		}
		if err != nil {
			return err
		}
		e.again = of
	}
	for _, s := range e.sites {
		if s.input != nil {
			s.input.Hiccups, s.again = e.again.ofSite(s.name)
			s.judged, s.input = alert.Judge(*s.input), nil
		}
	}
	return nil
}

func (e *entering) ask(ctx context.Context) (*confirmations, error) {
	c := &confirmations{Run: e.run.id, Tries: max(e.Tries, 1), First: e.first}
	for _, s := range e.sites {
		if e.quiet(s.name) {
			c.Quiet = append(c.Quiet, s.name)
		}
		if !s.asks || c.Tries < 2 {
			continue
		}
		questions := alert.Questions(*s.input)
		first, asked, err := firstAnswers(*s.stored, questions)
		if err != nil {
			return nil, err
		}
		for _, q := range questions {
			c.questions = append(c.questions, question{site: s.name, Question: q, first: first[q.Origin], asked: asked})
		}
	}
	if !e.asks {
		return c, nil
	}
	return c, e.Job.confirm(ctx, e.run, c.questions)
}

// quiet reports whether the run began within a maintenance window of a site, as recorded at the
// time, if it was.
func (e *entering) quiet(site string) bool {
	if e.again != nil {
		return slices.Contains(e.again.Quiet, site)
	}
	return e.Quiet(site, e.run.started)
}

// hasComparison reports whether the run's comparison exists, as it does when the history is
// rebuilt.
func (e *entering) hasComparison() bool {
	return e.replay && e.there(comparisonsFolder, e.run.id, "changes.json") != ""
}
