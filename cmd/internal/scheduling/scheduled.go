package scheduling

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

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
	"robots-audit/audit/watch/schedule"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/configfile"
	"robots-audit/cmd/internal/health"
	"robots-audit/cmd/internal/job"
	"robots-audit/crawl"
	"robots-audit/engine/wording"
)

// Clock is the clock of schedules. Tests replace it.
var Clock = time.Now

// Read reads the configuration: the settings of the audits, and the schedule's tables.
func (c *Command) Read() error {
	f := c.Settings.Flags("audit")
	c.Fleet.Flags(f, "servers", "bucket", "secrets", "region")
	c.Flagged = f
	var args []string
	if c.Config != "" {
		args = []string{"-config", c.Config}
	}
	err := c.Settings.Load(f, args, os.LookupEnv)
	if err == nil {
		err = c.Settings.Check()
	}
	if c.Config != "" {
		text, readErr := cli.ReadBounded(c.Config, cli.MaxConfig)
		if readErr != nil {
			return err
		}
		var of error
		c.File, of = configfile.ReadSchedules(c.Config, string(text), os.LookupEnv)
		if err == nil || of == nil || err.Error() != of.Error() { // both report that the file is no valid TOML
			err = errors.Join(err, of)
		}
	}
	if err != nil {
		return err
	}
	for _, set := range []struct{ key, value string }{{"domains", c.Settings.Domains}, {"out", c.Settings.Out}} {
		if set.value != "" {
			return fmt.Errorf("%s: remove %s. Here [[schedule]] and [history] set it", c.Config, set.key)
		}
	}
	asked := audits.Names(c.Settings.Crawlers)
	for _, name := range c.File.Alerts.Watch { // watched crawlers are always tested
		if !slices.ContainsFunc(asked, func(a string) bool { return strings.EqualFold(a, name) }) {
			asked = append(asked, name)
		}
	}
	c.Settings.Crawlers = strings.Join(asked, ",")
	if c.Settings.URLs == "" {
		c.Settings.URLs = c.File.Alerts.Important // they are tested even if no sitemap or page has them
	}
	if _, err := c.Settings.Auditor(); err != nil {
		return err
	}
	c.Settings.Used = map[string]any{}
	f.VisitAll(func(fl *flag.Flag) {
		if !audits.Operational[fl.Name] && !configfile.IsFleetFlag(fl.Name) && fl.Name != "domains" {
			c.Settings.Used[fl.Name] = fl.Value.String()
		}
	})
	c.Log = c.Settings.NewLog(&cli.Screen{W: c.Std.Err})
	return c.checkFleet()
}

// run makes the runs that are due now, or continues for ever.
func (c *Command) run() int {
	if name := c.fleetSchedule(); name != "" && c.afar == nil {
		return cli.Usage(c.Std, fmt.Errorf("%s: schedule %q has fleet = true. Run it with: robots-audit-fleet schedule", c.Config, name))
	}
	if c.Now != "" && c.File.Plan.Entry(c.Now) == nil {
		var names []string
		for _, e := range c.File.Plan.Entries {
			names = append(names, e.Name)
		}
		return cli.Usage(c.Std, fmt.Errorf("-now %q: %s has no such schedule. It has %s", c.Now, c.Config, wording.And(names)))
	}
	ctx, done := cli.UntilSignal()
	defer done()
	loop, err := c.Loop()
	if err != nil {
		return cli.Usage(c.Std, err)
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
	case errors.As(broken, new(*job.OwnedError)): // the other process makes the runs
		return cli.Failed(c.Std, broken)
	case broken != nil:
		cli.Complain(c.Std.Err, "%v. Runs continue, and are stored in the history after the problem is fixed", broken)
	}
	switch {
	case c.Once:
		err = loop.Once(ctx)
	case c.Now != "":
		err = loop.OneRun(ctx, c.Now)
	default:
		if loop.Health, err = c.serveHealth(ctx); err != nil {
			return cli.Usage(c.Std, err)
		}
		err = loop.Forever(ctx)
	}
	switch {
	case ctx.Err() != nil, errors.Is(err, job.ErrStopped):
		cli.Complain(c.Std.Err, "stopped by a signal. The next start continues from here")
		return cli.ExitSignal
	case c.worst == cli.ExitUsage:
		return cli.ExitUsage // already reported
	case err != nil:
		return cli.Failed(c.Std, err)
	case broken != nil:
		return cli.ExitFailed
	}
	return c.worst
}

// serveHealth serves the state of the runs over HTTP until ctx ends; nil = no address is
// configured.
func (c *Command) serveHealth(ctx context.Context) (*health.Health, error) {
	of := c.File.Health
	if of.Listen == "" {
		return nil, nil
	}
	listener, err := health.Listen(of.Listen)
	if err != nil {
		return nil, fmt.Errorf("%s: [health] listen: %w", c.Config, err)
	}
	h := health.New(Clock, of.Overdue, cli.Version)
	go func() {
		if err := h.Serve(ctx, listener, of.Hosts); err != nil {
			c.Log.Error("health: " + err.Error())
		}
	}()
	return h, nil
}

// Loop makes the loop that the configuration describes.
func (c *Command) Loop() (*job.Loop, error) {
	alerts := c.File.Alerts
	j := &job.Job{
		Dir: cmp.Or(c.reindex, c.File.History.Dir), Version: cli.Version, Config: c.Config, BaseURL: c.File.History.BaseURL, Audit: c.audit, Zone: c.zone, First: c.first,
		Compare: compare.Options{Watch: alerts.Watch, Share: alerts.Share}, Tries: alerts.Confirm, After: alerts.ConfirmAfter, Others: audits.OtherAskers, Client: c.Settings.Client, AskAgain: audit.AskAgain,
		Credentials: func() map[string]*crawl.Credentials { return job.ListedCredentials(c.File.Plan.Lists()) },
		Quiet:       c.File.Plan.Quiet, Channels: alerts.Channels, KeepRuns: c.File.History.KeepRuns, KeepDays: c.File.History.KeepDays,
		Now: Clock, Log: c.Log,
		Wait:  func(ctx context.Context, until time.Time) error { return schedule.Wait(ctx, Clock, until) },
		Pause: schedule.Pause,
	}
	if alerts.Important != "" {
		important, err := history.ReadImportant(alerts.Important, c.Settings.Tables.Options())
		if err != nil {
			return nil, err
		}
		j.Compare.Important = important.Has
	}
	return &job.Loop{Job: j, Plan: c.File.Plan.Audits(), Watches: c.File.Plan.Watches(), Ping: c.File.Health.Ping}, nil
}

// zone is the time zone of a schedule's messages.
func (c *Command) zone(name string) *time.Location {
	if e := c.File.Plan.Entry(name); e != nil {
		return e.Cron.Zone()
	}
	return nil
}

// first is what the first runs of sites in a schedule report.
func (c *Command) first(name string) schedule.First {
	if e := c.File.Plan.Entry(name); e != nil {
		return e.First
	}
	return schedule.FirstNone
}

// audit makes one audit: in this process, or with a fleet.
func (c *Command) audit(ctx context.Context, a job.Auditing) error {
	switch of := c.File.Plan.Entry(a.Schedule); {
	case len(a.Only) > 0:
	case a.Note.ID() != "" && !of.Fleet:
		return job.ErrSettings
	case of.Fleet && (a.Note.ID() != "" || !a.Resume): // a run begun without the fleet is also finished without it
		return c.afar.Audit(ctx, c, a)
	}
	s := c.Settings
	s.Domains, s.Out, s.Resume, s.Started, s.Past, s.Watch = c.File.Plan.Entry(a.Schedule).Domains, a.Dir, a.Resume, a.Started, a.Past, a.Watch
	s.Seen = a.Seen
	// A copy that is some hours old would hide what the requests between the runs have shown.
	s.Confirm = slices.ContainsFunc(c.File.Plan.Watches(), func(e schedule.Entry) bool { return e.Of == a.Schedule })
	if len(a.Only) > 0 {
		s.Only = func(site string) bool { return slices.Contains(a.Only, site) }
	}
	s.Used = maps.Clone(s.Used)
	s.Used[job.ScheduleKey] = a.Schedule
	code := audits.AuditList(&s, c.Std)
	if code == cli.ExitUsage && a.Resume {
		return job.ErrSettings
	}
	return c.Came(a, code)
}

// Came returns the result of an audit that has ended with an exit code.
func (c *Command) Came(a job.Auditing, code int) error {
	switch {
	case code == cli.ExitSignal:
		return job.ErrStopped
	case code == cli.ExitUsage:
		c.worst = cli.ExitUsage
		return fmt.Errorf("schedule %s: %w", a.Schedule, errors.New("the audit could not begin"))
	case code == cli.ExitFailed:
		return fmt.Errorf("schedule %s: %w", a.Schedule, errors.New("the audit failed"))
	case c.worst != cli.ExitFindings: // findings are reported rather than unknown sites
		c.worst = max(c.worst, code)
		if code == cli.ExitFindings {
			c.worst = code
		}
	}
	return nil
}
