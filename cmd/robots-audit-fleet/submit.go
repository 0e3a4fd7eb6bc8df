package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"robots-audit/audit/fleet"
	"robots-audit/audit/fleet/store"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/configfile"
	"robots-audit/cmd/robots-audit-fleet/internal/fleetwork"
)

var submitHelp = cli.Help{
	Use: `robots-audit-fleet submit gives a run to a fleet: sites, or a list of them, with the flags
of an audit. It prints the ID of the run and ends. The workers of the region audit the
sites, and write the run's folder into the bucket, as runs/ID.

Examples:
  robots-audit-fleet submit -domains list.txt -local -out monday
  robots-audit-fleet submit -config fleet.toml -domains list.txt
  robots-audit-fleet submit -config fleet.toml -domains list.txt -wait -fail-on error
  robots-audit-fleet submit -config fleet.toml -domains list.txt -crawlers Googlebot,GPTBot -out monday
`,
	More: `With -wait it stays until the run is done, and ends as an audit ends. With -out it then
copies the folder out of the bucket.

Workers of the same -region and version process a run. Versions fit if their first two
numbers are the same. Without such workers the run waits. submit and status say so.

If an unfinished run has the same list and settings, submit starts no other run. It prints
the ID of that run. So you can repeat a submit that was stopped.

Files that flags name travel with the run. -workers, -cache, -quiet, -verbose and
-log-format are for this machine and do not. Sites with a name and password are refused,
because others can read the list in the bucket.

With -local the whole fleet is in this process: a node, a worker and a bucket that is
deleted at the end. The folder is the same as that of an audit on one machine.
`,
	Exit: `Exit codes: 0 done, or queued; 1 a site fails -fail-on or -fail-on-blocked; 2 wrong usage
or configuration; 3 done, but a site is unknown, or no site has a host that -robots names;
4 the run or the fleet failed; 130 stopped by a signal: a queued run continues.
`,
}

// submission is one call of the command.
type submission struct {
	configfile.Fleet
	audits.Settings
	std         cli.Streams
	logger      *slog.Logger
	wait, local bool
	named       map[string]bool // flags set by arguments or environment, not only by the configuration
}

// declared are the command's flags.
func (c *submission) declared() *flag.FlagSet {
	f := c.Settings.Flags("submit")
	c.Fleet.Flags(f, "servers", "bucket", "secrets", "region")
	f.BoolVar(&c.wait, "wait", false, "wait until the run is done, and end as an audit ends")
	f.BoolVar(&c.local, "local", false, "run the whole fleet in this process, without other machines")
	return f
}

// namedIn are the flags that arguments or environment set.
func namedIn(args []string) map[string]bool {
	named := map[string]bool{}
	f := new(submission).declared()
	cli.ParseArgs(f, args) // the actual parse reports its error
	f.Visit(func(fl *flag.Flag) { named[fl.Name] = true })
	f.VisitAll(func(fl *flag.Flag) {
		if _, ok := os.LookupEnv(cli.EnvironmentName(fl.Name)); ok {
			named[fl.Name] = true
		}
	})
	return named
}

func runSubmit(args []string, std cli.Streams) int {
	c := submission{std: std, named: namedIn(args)}
	s := &c.Settings
	f := c.declared()
	if code, ok := audits.Parse(s, f, args, submitHelp, std); !ok {
		return code
	}
	c.logger = s.NewLog(std.Err)
	err := c.check(f.Args())
	if err != nil {
		return cli.Usage(std, err)
	}
	run := fleet.Run{Version: cli.Version, Region: c.Region, Settings: fleetwork.Pack(f), Submitted: time.Now().UTC().Truncate(time.Second)}
	prepared, err := s.Prepared(run.Submitted, nil) // report errors now and not after hours
	if err != nil {
		return cli.Usage(std, err)
	}
	audits.WarnOfAuditor(c.logger, s, prepared.Auditor)
	list, end, err := s.OpenSites(std)
	if err != nil {
		return cli.Usage(std, err)
	}
	defer end()
	ctx, release := cli.UntilSignal()
	defer release()
	submitted := c.submission(ctx, run, list)
	if c.local {
		return c.inProcess(ctx, submitted)
	}
	return c.afar(ctx, submitted)
}

// check reports flags that are missing or exclude each other.
func (c *submission) check(args []string) error {
	if err := c.Settings.Name(args); err != nil {
		return err
	}
	if err := checkAfar(&c.Settings, c.Region); err != nil {
		return err
	}
	switch {
	case c.local && c.named["servers"]:
		return errors.New("-local and -servers exclude each other. Remove one of them")
	case c.Out != "":
		if err := fleetwork.CheckFolder(c.Out); err != nil {
			return err
		}
	}
	if c.local {
		if c.Bucket != "" && c.named["bucket"] {
			return store.CheckURL(c.Bucket)
		}
		return nil
	}
	return c.Missing("submit", "servers", "bucket")
}

// checkAfar reports settings that a fleet does not support.
func checkAfar(s *audits.Settings, region string) error {
	switch {
	case s.Resume:
		return errors.New("-resume: a run of a fleet continues by itself. Remove -resume")
	case s.Options.SingleFile:
		return errors.New("-single-file is not possible with a fleet. Remove it")
	case !fleet.ValidRegion(region):
		return fmt.Errorf("-region %q: expected lower-case letters, digits and hyphens", region)
	}
	return nil
}

// submission makes a submission from the flags, for a run.
func (c *submission) submission(ctx context.Context, run fleet.Run, list io.Reader) *queuedRun {
	return &queuedRun{environment: &environment{c.std, c.logger}, Fleet: c.Fleet, Run: run, settings: &c.Settings, list: cli.NewStoppable(ctx, list)}
}

// afar lets a fleet of other processes do the run.
func (c *submission) afar(ctx context.Context, run *queuedRun) int {
	conn, end, err := run.connect(ctx, &c.Fleet, "submit", 0, 0)
	if err != nil {
		return c.ended(ctx, err)
	}
	defer end()
	if err := run.queue(ctx, conn); err != nil {
		return c.ended(ctx, err)
	}
	fmt.Fprintln(c.std.Out, run.ID)
	run.warnOfMissing(ctx, conn)
	if !c.wait && c.Out == "" {
		return cli.ExitDone
	}
	if err := run.wait(ctx, conn); err != nil {
		if ctx.Err() != nil {
			cli.Complain(c.std.Err, "stopped by a signal. Run %s continues", run.ID)
			return cli.ExitSignal
		}
		return cli.Failed(c.std, err)
	}
	dir := fleetwork.FolderOf(c.Bucket, run.ID)
	if c.Out != "" {
		if err := fleetwork.Fetch(ctx, conn.Bucket, run.ID, c.Out); err != nil {
			return c.ended(ctx, fmt.Errorf("the run is in %s, but could not be copied to -out: %w", dir, err))
		}
		dir = c.Out
	}
	outcome, err := fleetwork.ReadOutcome(ctx, conn.Bucket, run.ID)
	if err != nil {
		return c.ended(ctx, err)
	}
	return tellOutcome(&c.Settings, outcome, dir, c.logger, c.std)
}

// inProcess lets a fleet in this process do the run.
func (c *submission) inProcess(ctx context.Context, run *queuedRun) int {
	if c.Out == "" {
		c.Out = "robots-audit-" + run.Submitted.Format("20060102-150405")
	}
	if !c.named["bucket"] { // the configured bucket belongs to another fleet
		run.Bucket = ""
	}
	outcome, err := run.inProcess(ctx, c.Out, cmp.Or(c.Workers, defaultSites))
	if err != nil {
		return c.ended(ctx, err)
	}
	return tellOutcome(&c.Settings, outcome, c.Out, c.logger, c.std)
}

// ended reports the error that ended the run, and returns the exit code.
func (c *submission) ended(ctx context.Context, err error) int {
	if ctx.Err() != nil {
		cli.Complain(c.std.Err, "stopped by a signal")
		return cli.ExitSignal
	}
	return refused(c.std, err)
}

// tellOutcome prints the result of a fleet's run and returns its exit code, as auditRun.outcome
// does.
func tellOutcome(s *audits.Settings, o *fleetwork.Outcome, dir string, log *slog.Logger, std cli.Streams) int {
	for _, text := range o.Warnings {
		log.Warn(text)
	}
	for _, host := range o.Unused {
		log.Warn("-robots: no site of this run has the host " + host + ": its file was not used")
	}
	audits.PrintOutcome(std.Out, o.Totals, o.Worst, dir)
	if o.Severe != "" {
		cli.Complain(std.Err, "-fail-on %s: %s", s.FailOn, cli.OnOneLine(o.Severe))
	}
	if o.Blocked != "" {
		cli.Complain(std.Err, "-fail-on-blocked %s: %s", s.FailOnBlocked, cli.OnOneLine(o.Blocked))
	}
	switch {
	case o.Severe != "" || o.Blocked != "":
		return cli.ExitFindings
	case s.TellUnjudged(std.Err, o.Totals), o.Totals.Unknown > 0 || o.BadLines > 0 || len(o.Unused) > 0:
		return cli.ExitUnknown
	}
	return cli.ExitDone
}
