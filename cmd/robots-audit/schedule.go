package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/history"
	"robots-audit/audit/schedule"
	"robots-audit/audit/schedule/alert"
	"robots-audit/cmd/robots-audit/internal/health"
	"robots-audit/cmd/robots-audit/internal/job"
	"robots-audit/cmd/robots-audit/internal/scheduleconfig"
	"robots-audit/crawl"
	"robots-audit/engine/wording"
)

const scheduleHelp = `robots-audit schedule -config FILE audits lists of sites at set times, compares each run
with the one before, enters both in a history, and tells by mail, webhook or file what
has come, got worse and ended. The tables [history], [[schedule]] and [alerts] of the file
say when, what and whom; above them stand the settings of the audits, as for the
main job. config.toml in the source has all of it, with comments.

  schedule -config FILE          runs until a signal comes
  schedule -config FILE -once    makes the runs that are due, delivers what is due, and ends:
                                 for cron, and for a timer of systemd. Due is what the cron
                                 expression has asked for since the last run; what never
                                 ran is due
  schedule -config FILE -plan    prints when runs are due next, and what is different when
                                 clocks change
  schedule -config FILE -ack ID -until DATE -note TEXT
                                 nobody is told of this alert again before DATE is over,
                                 unless it gets graver or ends; ID is in each message
  schedule -config FILE -accept ID -note TEXT
                                 what this alert tells of is as it should be: the alert ends
                                 with the next run, and later runs are compared with the
                                 site as it is now
  schedule -reindex HISTORY      makes the database anew from the folders of runs; with
                                 -config by its lists and windows. What the retention has
                                 removed of them is taken over from the old database; where
                                 that is damaged, what is lost is told

A kill or a signal costs nothing but the site at hand: the next start goes on with the run,
unless what is asked for has been changed in the configuration since: then the run stays out
of the history, which is told, and the next one asks for all sites.
Where the database cannot be used, runs are made all the same, and entered later.

Exit codes: 0 done, or nothing was due; 1 a site of a run fails by fail-on of the
configuration; 2 usage or configuration; 3 done, but part of the sites is unknown; 4 a run
failed, or could not be entered in the history; 130 stopped by a signal.
`

// notLookedFor is said where alerts are to be told and one of them cannot come.
const notLookedFor = "AL06, another robots.txt for Googlebot than for people, is not looked for: second-look is off"

// clock is the time of schedules. Tests set their own.
var clock = time.Now

// scheduling is one call of the command.
type scheduling struct {
	config, ack, accept, until, note, reindex string
	once, plan                                bool

	settings settings // of the audits
	file     scheduleconfig.Config
	log      *slog.Logger
	std      streams
	worst    int // exit code of the audits so far
}

func (c *scheduling) flags() *flag.FlagSet {
	f := flag.NewFlagSet("schedule", flag.ContinueOnError)
	f.StringVar(&c.config, "config", "", "read settings, schedules and alerts from this TOML `file`")
	f.BoolVar(&c.once, "once", false, "make the runs that are due now, and end")
	f.BoolVar(&c.plan, "plan", false, "print when runs are due, and end")
	f.StringVar(&c.ack, "ack", "", "acknowledge the alert with this `ID`")
	f.StringVar(&c.accept, "accept", "", "end the alert with this `ID`: it is as it should be")
	f.StringVar(&c.until, "until", "", "the last `day` of -ack, as 2026-12-31, or a time, as 2026-12-31T18:00:00Z")
	f.StringVar(&c.note, "note", "", "a `text` for -ack and -accept: who looks into it, or why it may stay")
	f.StringVar(&c.reindex, "reindex", "", "make the database of this `folder` of a history anew")
	return f
}

func runSchedule(args []string, std streams) int {
	c := scheduling{std: std}
	f := c.flags()
	if code, ok := parseFlags(f, args, scheduleHelp, std); !ok {
		return code
	}
	if err := c.check(f.Args()); err != nil {
		return usage(std, err)
	}
	if err := c.read(); err != nil {
		return usage(std, err)
	}
	switch {
	case c.plan:
		return c.printPlan()
	case c.ack != "", c.accept != "":
		return c.acknowledge()
	}
	return c.run()
}

// check looks for what is missing among the flags, or excludes each other.
func (c *scheduling) check(args []string) error {
	asked := 0
	for _, given := range []bool{c.once, c.plan, c.ack != "", c.accept != "", c.reindex != ""} {
		if given {
			asked++
		}
	}
	switch {
	case len(args) > 0:
		return errors.New("schedule takes no arguments: the configuration names the lists of sites")
	case asked > 1:
		return errors.New("-once, -plan, -ack, -accept and -reindex are different things to do: name one")
	case c.config == "" && c.reindex == "":
		return errors.New("schedule needs a configuration: -config FILE")
	case c.ack == "" && c.until != "":
		return errors.New("-until belongs to -ack")
	case c.ack == "" && c.accept == "" && c.note != "":
		return errors.New("-note belongs to -ack and -accept")
	case c.ack != "" && c.until == "":
		return errors.New("-ack needs a date: -until 2026-12-31")
	}
	return nil
}

// read reads the configuration: the settings of the audits, and the schedule's tables.
func (c *scheduling) read() error {
	f := c.settings.flags("audit")
	var args []string
	if c.config != "" {
		args = []string{"-config", c.config}
	}
	err := c.settings.load(f, args, os.LookupEnv)
	if err == nil {
		err = c.settings.check()
	}
	if c.config != "" {
		text, readErr := readBounded(c.config, maxConfig)
		if readErr != nil {
			return err
		}
		var of error
		c.file, of = scheduleconfig.Read(c.config, string(text), os.LookupEnv)
		err = errors.Join(err, of)
	}
	if err != nil {
		return err
	}
	for _, set := range []struct{ key, value string }{{"domains", c.settings.domains}, {"out", c.settings.out}} {
		if set.value != "" {
			return fmt.Errorf("%s: %s is told by [[schedule]] and [history] here", c.config, set.key)
		}
	}
	asked := names(c.settings.crawlers)
	for _, name := range c.file.Alerts.Watch { // who is watched is asked about
		if !slices.ContainsFunc(asked, func(a string) bool { return strings.EqualFold(a, name) }) {
			asked = append(asked, name)
		}
	}
	c.settings.crawlers = strings.Join(asked, ",")
	if c.settings.urls == "" {
		c.settings.urls = c.file.Alerts.Important // they are to be known, whoever names them
	}
	if _, err := c.settings.auditor(); err != nil {
		return err
	}
	c.settings.used = map[string]any{}
	f.VisitAll(func(fl *flag.Flag) {
		if !operational[fl.Name] && fl.Name != "domains" {
			c.settings.used[fl.Name] = fl.Value.String()
		}
	})
	c.log = newLog(&c.settings, &screen{w: c.std.err})
	return nil
}

// printPlan prints when runs are due.
func (c *scheduling) printPlan() int {
	now := clock()
	for _, e := range c.file.Plan.Entries {
		fmt.Fprintf(c.std.out, "%s  %s  %s  %s\n", e.Name, e.Cron, e.Cron.Zone(), e.Domains)
		for range 5 {
			if now = e.Cron.Next(now); now.IsZero() {
				break
			}
			fmt.Fprintf(c.std.out, "  %s\n", now.Format("Mon 2006-01-02 15:04 MST"))
		}
		now = clock()
		for _, change := range e.Cron.Changes(now, 2) {
			fmt.Fprintf(c.std.out, "  %s\n", change.Text)
		}
	}
	if len(c.file.Alerts.Channels) > 0 && !c.settings.secondLook {
		fmt.Fprintln(c.std.out, notLookedFor)
	}
	return exitDone
}

// acknowledge enters that somebody knows of an alert, or accepts what it tells of.
func (c *scheduling) acknowledge() int {
	var until time.Time
	if c.ack != "" {
		var err error
		if until, err = parseUntil(c.until); err != nil {
			return usage(c.std, err)
		}
		if !until.After(clock()) {
			return usage(c.std, fmt.Errorf("-until %s: that is over", c.until))
		}
	}
	ctx := context.Background()
	db, err := history.OpenBeside(ctx, c.file.History.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return usage(c.std, fmt.Errorf("%s: there is no history yet", c.file.History.Dir))
	} else if err != nil {
		return failed(c.std, err)
	}
	defer db.Close()
	name, id := "-ack", c.ack
	if c.accept != "" {
		name, id = "-accept", c.accept
	}
	a, err := db.Alert(ctx, id)
	switch {
	case errors.Is(err, history.ErrNoAlert):
		return usage(c.std, fmt.Errorf("%s %s: there is no such alert", name, id))
	case err != nil:
		return failed(c.std, err)
	case c.accept != "" && a.EndedRun != "":
		return usage(c.std, fmt.Errorf("-accept %s: this alert has ended already", id))
	case c.accept != "" && !alert.Acceptable(a.Condition):
		return usage(c.std, fmt.Errorf("-accept %s: robots.txt of %s cannot be had, which is never as it should be; -ack makes it silent until a day", id, onOneLine(a.Site)))
	case c.accept != "":
		err = db.Accept(ctx, id, clock(), c.note)
	default:
		err = db.Acknowledge(ctx, id, until, clock(), c.note)
	}
	if err != nil {
		return failed(c.std, err)
	}
	if c.accept != "" {
		fmt.Fprintf(c.std.out, "%s of %s is accepted as it is now; the next run ends the alert\n", a.Condition, onOneLine(a.Site))
		return exitDone
	}
	fmt.Fprintf(c.std.out, "%s of %s is acknowledged until %s\n", a.Condition, onOneLine(a.Site), until.Format("2006-01-02 15:04 MST"))
	return exitDone
}

// parseUntil reads the value of -until: a day, which counts to its end, or a time.
func parseUntil(text string) (time.Time, error) {
	if day, err := time.ParseInLocation(time.DateOnly, text, time.Local); err == nil {
		return day.AddDate(0, 0, 1), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fmt.Errorf("-until %q: want a day, as 2026-12-31, or a time, as 2026-12-31T18:00:00Z", text)
	}
	return at, nil
}

// run makes runs, or the history anew.
func (c *scheduling) run() int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop.set(cancel)
	defer stop.set(nil)
	loop, err := c.loop()
	if err != nil {
		return usage(c.std, err)
	}
	if c.reindex != "" {
		return c.remake(ctx, loop.Job)
	}
	release := func() error { return nil } // the folder's lock, where the database cannot be opened
	loop.Open = func(ctx context.Context) (*history.DB, error) {
		release()
		release = func() error { return nil }
		db, err := history.Open(ctx, loop.Dir)
		if err == nil {
			return db, nil
		}
		unlock, lockErr := history.Lock(loop.Dir)
		switch {
		case errors.Is(lockErr, history.ErrLocked):
			return nil, errOwned{err}
		case lockErr == nil:
			release = unlock
		}
		return nil, err
	}
	defer func() {
		if loop.DB != nil {
			loop.DB.Close()
		}
		release()
	}()
	loop.DB, err = loop.Open(ctx)
	switch {
	case errors.As(err, new(errOwned)): // who has it makes the runs
		return failed(c.std, err)
	case err != nil:
		complain(c.std.err, "robots-audit: %v; runs are made all the same, and entered when that is mended", err)
	}
	broken := err
	if c.once {
		err = loop.Once(ctx)
	} else {
		if of := c.file.Health; of.Listen != "" {
			listener, err := health.Listen(of.Listen)
			if err != nil {
				return usage(c.std, fmt.Errorf("%s: [health] listen: %w", c.config, err))
			}
			loop.Health = health.New(clock, of.Overdue, version)
			go func() {
				if err := loop.Health.Serve(ctx, listener, of.Hosts); err != nil {
					c.log.Error("health: " + err.Error())
				}
			}()
		}
		err = loop.Forever(ctx)
	}
	switch {
	case ctx.Err() != nil, errors.Is(err, job.ErrStopped):
		complain(c.std.err, "robots-audit: stopped by a signal; the next start goes on from here")
		return exitSignal
	case c.worst == exitUsage:
		return exitUsage // it was told
	case err != nil:
		return failed(c.std, err)
	case broken != nil:
		return exitFailed
	}
	return c.worst
}

// remake makes the history anew.
func (c *scheduling) remake(ctx context.Context, j *job.Job) int {
	if info, err := os.Stat(c.reindex); err != nil || !info.IsDir() {
		return usage(c.std, fmt.Errorf("-reindex %s: there is no such folder; name that of a history, which holds runs", c.reindex))
	}
	made, err := j.Reindex(ctx)
	carried := made.Carried
	if ctx.Err() != nil {
		complain(c.std.err, "robots-audit: stopped by a signal; the old history is as it was")
		return exitSignal
	}
	if err != nil {
		return failed(c.std, err)
	}
	fmt.Fprintf(c.std.out, "%s entered anew from their folders; taken over from the old history: %s, %s and %s\n", wording.Plural(made.Runs, "run"),
		wording.Plural(carried.Runs, "run"), wording.Plural(carried.Acknowledgements, "acknowledgement"), wording.Plural(carried.Deliveries, "sent or waiting message"))
	for _, lost := range made.Poorer {
		complain(c.std.err, "robots-audit: %s", onOneLine(lost))
	}
	if carried.Lost != nil {
		complain(c.std.err, "robots-audit: some of the old history could not be read: %v", carried.Lost)
	}
	if carried.Kept != "" {
		complain(c.std.err, "robots-audit: the damaged one lies in %s", carried.Kept)
	}
	return exitDone
}

// loop wires the configuration to the job.
func (c *scheduling) loop() (*job.Loop, error) {
	alerts := c.file.Alerts
	j := &job.Job{
		Dir: cmp.Or(c.reindex, c.file.History.Dir), Version: version, Audit: c.audit, Zone: c.zone,
		Compare: compare.Options{Watch: alerts.Watch, Share: alerts.Share}, Tries: alerts.Confirm, After: alerts.ConfirmAfter, Others: otherAskers, Client: c.client, Credentials: c.credentials,
		Quiet: func(site string, at time.Time) bool {
			_, quiet := c.file.Plan.Quiet(site, at)
			return quiet
		},
		Channels: alerts.Channels, KeepRuns: c.file.History.KeepRuns, KeepDays: c.file.History.KeepDays,
		Now: clock, Log: c.log,
		Wait: func(ctx context.Context, until time.Time) error { return schedule.Wait(ctx, clock, until) },
	}
	if alerts.Important != "" {
		important, err := history.ReadImportant(alerts.Important)
		if err != nil {
			return nil, err
		}
		j.Compare.Important = important.Has
	}
	return &job.Loop{Job: j, Plan: c.file.Plan}, nil
}

// entry is the schedule of a name; nil = there is none.
func (c *scheduling) entry(name string) *schedule.Entry {
	for i := range c.file.Plan.Entries {
		if e := &c.file.Plan.Entries[i]; e.Name == name {
			return e
		}
	}
	return nil
}

func (c *scheduling) zone(name string) *time.Location {
	if e := c.entry(name); e != nil {
		return e.Cron.Zone()
	}
	return nil
}

// audit makes one audit by the main job's own code.
func (c *scheduling) audit(a job.Auditing) error {
	s := c.settings
	s.domains, s.out, s.resume, s.started, s.past = c.entry(a.Schedule).Domains, a.Dir, a.Resume, a.Started, a.Past
	s.used = maps.Clone(s.used)
	s.used[job.ScheduleKey] = a.Schedule
	code := auditList(&s, c.std)
	switch {
	case code == exitSignal:
		return job.ErrStopped
	case code == exitUsage && a.Resume:
		return job.ErrSettings
	case code == exitUsage:
		c.worst = exitUsage
		return fmt.Errorf("schedule %s: %w", a.Schedule, errors.New("the audit could not begin"))
	case code == exitFailed:
		return fmt.Errorf("schedule %s: %w", a.Schedule, errors.New("the audit failed"))
	case c.worst != exitFindings: // of findings and unknown sites, findings are told
		c.worst = max(c.worst, code)
		if code == exitFindings {
			c.worst = code
		}
	}
	return nil
}

// client makes the client that asks again: without a cache, whose answers are no new ones.
func (c *scheduling) client() (*crawl.Client, error) {
	client, err := c.settings.client()
	if err == nil {
		client.Delay, client.Rate, client.MaxConns = c.settings.delay, c.settings.rate, c.settings.connections
	}
	return client, err
}

// credentials are those of an origin, by the lists of sites.
func (c *scheduling) credentials(origin string) *crawl.Credentials {
	for _, e := range c.file.Plan.Entries {
		file, err := os.Open(e.Domains)
		if err != nil {
			continue
		}
		for d, err := range audit.Domains(file) {
			if err == nil && d.Credentials != nil && d.Origin(d.Scheme) == origin {
				file.Close()
				return d.Credentials
			}
		}
		file.Close()
	}
	return nil
}

// errOwned is that another schedule has the folder of the history.
type errOwned struct{ error }
