package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/history"
	"robots-audit/audit/schedule"
	"robots-audit/cmd/robots-audit/internal/fleetconfig"
	"robots-audit/cmd/robots-audit/internal/health"
	"robots-audit/cmd/robots-audit/internal/job"
	"robots-audit/cmd/robots-audit/internal/scheduleconfig"
	"robots-audit/crawl"
)

// clock is the time of schedules. Tests set their own.
var clock = time.Now

// read reads the configuration: the settings of the audits, and the schedule's tables.
func (c *scheduling) read() error {
	f := c.settings.flags("audit")
	c.fleet.Flags(f, "servers", "bucket", "secrets", "region")
	c.flagged = f
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
		if !operational[fl.Name] && !fleetconfig.IsFlag(fl.Name) && fl.Name != "domains" {
			c.settings.used[fl.Name] = fl.Value.String()
		}
	})
	c.log = newLog(&c.settings, &screen{w: c.std.err})
	return c.checkFleet()
}

// run makes runs: those that are due, or for ever.
func (c *scheduling) run() int {
	ctx, done := untilSignal()
	defer done()
	loop, err := c.loop()
	if err != nil {
		return usage(c.std, err)
	}
	opener := job.Opener{Dir: loop.Dir}
	defer opener.Close()
	loop.Open = opener.Open
	defer func() {
		if loop.DB != nil {
			loop.DB.Close()
		}
	}()
	var broken error
	loop.DB, broken = opener.Open(ctx)
	switch {
	case errors.As(broken, new(*job.OwnedError)): // who has it makes the runs
		return failed(c.std, broken)
	case broken != nil:
		complain(c.std.err, "robots-audit: %v; runs are made all the same, and entered when that is mended", broken)
	}
	if c.once {
		err = loop.Once(ctx)
	} else {
		if loop.Health, err = c.serveHealth(ctx); err != nil {
			return usage(c.std, err)
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

// untilSignal returns a context that a signal ends, until done.
func untilSignal() (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(context.Background())
	stop.set(cancel)
	return ctx, func() {
		stop.set(nil)
		cancel()
	}
}

// serveHealth tells over HTTP, until ctx ends, how the runs fare; nil = nobody is to be told.
func (c *scheduling) serveHealth(ctx context.Context) (*health.Health, error) {
	of := c.file.Health
	if of.Listen == "" {
		return nil, nil
	}
	listener, err := health.Listen(of.Listen)
	if err != nil {
		return nil, fmt.Errorf("%s: [health] listen: %w", c.config, err)
	}
	h := health.New(clock, of.Overdue, version)
	go func() {
		if err := h.Serve(ctx, listener, of.Hosts); err != nil {
			c.log.Error("health: " + err.Error())
		}
	}()
	return h, nil
}

// loop wires the configuration to the job.
func (c *scheduling) loop() (*job.Loop, error) {
	alerts := c.file.Alerts
	j := &job.Job{
		Dir: cmp.Or(c.reindex, c.file.History.Dir), Version: version, Audit: c.audit, Zone: c.zone,
		Compare: compare.Options{Watch: alerts.Watch, Share: alerts.Share}, Tries: alerts.Confirm, After: alerts.ConfirmAfter, Others: otherAskers, Client: c.client,
		Credentials: func(origin string) *crawl.Credentials { return job.ListedCredentials(c.file.Plan.Lists(), origin) },
		Quiet: func(site string, at time.Time) bool {
			_, quiet := c.file.Plan.Quiet(site, at)
			return quiet
		},
		Channels: alerts.Channels, KeepRuns: c.file.History.KeepRuns, KeepDays: c.file.History.KeepDays,
		Now: clock, Log: c.log,
		Wait:  func(ctx context.Context, until time.Time) error { return schedule.Wait(ctx, clock, until) },
		Pause: schedule.Pause,
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

// zone is the one in which the messages of a schedule tell times.
func (c *scheduling) zone(name string) *time.Location {
	if e := c.file.Plan.Entry(name); e != nil {
		return e.Cron.Zone()
	}
	return nil
}

// audit makes one audit: by the main job's own code, or by a fleet.
func (c *scheduling) audit(ctx context.Context, a job.Auditing) error {
	switch of := c.file.Plan.Entry(a.Schedule); {
	case a.Note.ID() != "" && !of.Fleet:
		return job.ErrSettings
	case of.Fleet && (a.Note.ID() != "" || !a.Resume): // what is begun here is ended here
		return c.auditAfar(ctx, a)
	}
	s := c.settings
	s.domains, s.out, s.resume, s.started, s.past, s.watch = c.file.Plan.Entry(a.Schedule).Domains, a.Dir, a.Resume, a.Started, a.Past, a.Watch
	s.used = maps.Clone(s.used)
	s.used[job.ScheduleKey] = a.Schedule
	code := auditList(&s, c.std)
	if code == exitUsage && a.Resume {
		return job.ErrSettings
	}
	return c.came(a, code)
}

// came is what came of an audit that has ended with an exit code.
func (c *scheduling) came(a job.Auditing, code int) error {
	switch {
	case code == exitSignal:
		return job.ErrStopped
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
		client.Addresses = crawl.NewAddresses(c.settings.perAddress)
	}
	return client, err
}
