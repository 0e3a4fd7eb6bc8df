package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"robots-audit/audit/fleet"
	"robots-audit/audit/fleet/node"
	"robots-audit/audit/fleet/store"
	"robots-audit/cmd/robots-audit/internal/fleetwork"
)

const submitHelp = `robots-audit submit puts a run into the queue of a fleet: sites, or a list of them, with the
flags of an audit. It prints the run's id, and ends. The workers of the region audit the sites,
and the run's folder is made in the bucket, as runs/ID. With -wait it stays until that is done,
and ends as an audit ends; with -out it copies the folder out of the bucket then.

A run is done by workers of its -region, and of its version: programs whose versions differ after
the second number work on the same runs. Until there are such workers it waits; submit says so,
and status.

Files that flags name travel with the run. -workers, -cache, -quiet and -log-format are about
this machine, and do not. What has a name and a password in it is refused: the list lies in the
bucket, where others read it.

With -local all of the fleet is in this process: a node that listens to nobody, a worker and the
bucket, which is gone in the end. The folder is that of an audit on one machine.

Examples:
  robots-audit submit -domains list.txt -local -out monday
  robots-audit submit -config fleet.toml -domains list.txt
  robots-audit submit -config fleet.toml -domains list.txt -crawlers Googlebot,GPTBot -wait -fail-on error
  robots-audit submit -servers tls://n1.example:4222 -bucket file:///srv/audits -secrets /etc/robots-audit/fleet -domains list.txt -out monday

Exit codes: 0 done, or queued; 1 a site fails by -fail-on or -fail-on-blocked; 2 usage or
configuration; 3 done, but part of the sites is unknown, or none has a host that -robots names;
4 the run, or the fleet, failed; 130 stopped by a signal: a run that is queued goes on.
`

// submission is one call of the command.
type submission struct {
	fleeting
	wait, local bool
	named       map[string]bool // flags that arguments or environment have, and not the configuration alone
}

// declared are the command's flags.
func (c *submission) declared() *flag.FlagSet {
	f := c.settings.flags("submit")
	c.Config.Flags(f, "servers", "bucket", "secrets", "region")
	f.BoolVar(&c.wait, "wait", false, "stay until the run is done, and end as an audit ends")
	f.BoolVar(&c.local, "local", false, "do it in this process: no other machine, and nothing listens")
	return f
}

// namedIn are the flags that arguments or environment have.
func namedIn(args []string) map[string]bool {
	named := map[string]bool{}
	f := new(submission).declared()
	parseArgs(f, args) // whoever reads them in earnest tells of its error
	f.Visit(func(fl *flag.Flag) { named[fl.Name] = true })
	f.VisitAll(func(fl *flag.Flag) {
		if _, ok := os.LookupEnv(environmentName(fl.Name)); ok {
			named[fl.Name] = true
		}
	})
	return named
}

func runSubmit(args []string, std streams) int {
	c := submission{fleeting: fleeting{std: std}, named: namedIn(args)}
	s := &c.settings
	f := c.declared()
	if code, ok := parse(s, f, args, submitHelp, std); !ok {
		return code
	}
	c.logger = newLog(s, std.err)
	err := c.check(f.Args())
	if err != nil {
		return usage(std, err)
	}
	run := fleet.Run{Version: version, Region: c.Region, Settings: fleetwork.Pack(f), Submitted: time.Now().UTC().Truncate(time.Second)}
	prepared, err := s.prepared(run.Submitted, nil) // a mistake is better told before hours than after them
	if err != nil {
		return usage(std, err)
	}
	warnOfAuditor(c.logger, s, prepared.Auditor)
	list, end, err := s.openSites(std)
	if err != nil {
		return usage(std, err)
	}
	defer end()
	ctx, release := untilSignal()
	defer release()
	if c.local {
		return c.inProcess(ctx, run, newStoppable(ctx, list))
	}
	return c.afar(ctx, run, newStoppable(ctx, list))
}

// check looks for what is missing among the flags, or excludes each other.
func (c *submission) check(args []string) error {
	if err := c.settings.name(args); err != nil {
		return err
	}
	switch {
	case c.resume:
		return errors.New("-resume: a run of a fleet goes on by itself, and another one begins anew")
	case c.single:
		return errors.New("-single-file: the pages of a fleet's sites lie in the bucket, and none holds all of them")
	case !fleet.ValidRegion(c.Region):
		return fmt.Errorf("-region %q: want small letters, digits and hyphens", c.Region)
	case c.local && c.named["servers"]:
		return errors.New("-local is a fleet in this process; -servers names another")
	case c.out != "":
		if err := fleetwork.CheckFolder(c.out); err != nil {
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

// submit puts the run into the queue.
func (c *submission) submit(ctx context.Context, conn *fleet.Conn, run fleet.Run, list io.Reader) (fleet.Run, error) {
	inputs := map[string]string{}
	for _, input := range fleetwork.Inputs(run.Settings) {
		inputs[input.Name] = input.Path
	}
	return fleet.Submit(ctx, conn, run, list, inputs)
}

// afar has a fleet of other processes do the run.
func (c *submission) afar(ctx context.Context, run fleet.Run, list io.Reader) int {
	conn, end, err := c.connect(ctx, "submit", nil, 0, 0)
	if err != nil {
		return c.ended(ctx, err)
	}
	defer end()
	if run, err = c.submit(ctx, conn, run, list); err != nil {
		return c.ended(ctx, err)
	}
	fmt.Fprintln(c.std.out, run.ID)
	missing, err := fleet.Absent(ctx, conn, &run)
	if err != nil && ctx.Err() == nil {
		c.logger.Warn("run " + run.ID + " is queued; who is there to do it is not known: " + onOneLine(err.Error()))
	}
	for _, why := range missing {
		c.logger.Warn("run " + run.ID + " is queued, and waits: " + onOneLine(why))
	}
	if !c.wait && c.out == "" {
		return exitDone
	}
	if err := fleet.Wait(ctx, conn, run.ID, c.tell()); err != nil {
		if ctx.Err() != nil {
			complain(c.std.err, "robots-audit: stopped by a signal; run %s goes on", run.ID)
			return exitSignal
		}
		return failed(c.std, err)
	}
	dir := fleetwork.FolderOf(c.Bucket, run.ID)
	if c.out != "" {
		if err := fleetwork.Fetch(ctx, conn.Bucket, run.ID, c.out); err != nil {
			return c.ended(ctx, fmt.Errorf("the run lies in %s, and cannot be copied to -out: %w", dir, err))
		}
		dir = c.out
	}
	outcome, err := fleetwork.ReadOutcome(ctx, conn.Bucket, run.ID)
	if err != nil {
		return c.ended(ctx, err)
	}
	return c.outcome(outcome, dir)
}

// ended is the exit code of what an error ended, which it tells.
func (c *submission) ended(ctx context.Context, err error) int {
	if ctx.Err() != nil {
		complain(c.std.err, "robots-audit: stopped by a signal")
		return exitSignal
	}
	return refused(c.std, err)
}

// tell returns what tells of a run's progress, now and then.
func (c *submission) tell() func(fleet.Progress) {
	next := time.Now().Add(logInterval)
	return func(p fleet.Progress) {
		if now := time.Now(); now.After(next) {
			next = now.Add(logInterval)
			c.logger.Info("progress", "sites", p.Done, "of", p.Sites)
		}
	}
}

// inProcess has a fleet of this process do the run.
func (c *submission) inProcess(ctx context.Context, run fleet.Run, list io.Reader) int {
	if c.out == "" {
		c.out = "robots-audit-" + run.Submitted.Format("20060102-150405")
	}
	local, err := fleetwork.OpenLocal(c.out)
	if err != nil {
		return c.ended(ctx, err)
	}
	outcome, err := c.together(ctx, local, run, list)
	if e := local.Close(); err == nil {
		err = e
	}
	if err != nil {
		return c.ended(ctx, err)
	}
	return c.outcome(outcome, c.out)
}

// together starts all parts of a fleet, has them do a run, and ends them.
func (c *submission) together(ctx context.Context, local *fleetwork.Local, run fleet.Run, list io.Reader) (*fleetwork.Outcome, error) {
	cache, remark, err := c.openCache(c.logger)
	if err != nil {
		return nil, err
	}
	defer closeCache(cache, c.logger)
	own, err := node.Start(ctx, node.Options{Name: "local", Dir: local.Path("node"), Passing: true, Log: c.nodeLog})
	if err != nil {
		return nil, err
	}
	defer own.Stop()
	shared := c.Bucket != "" && c.named["bucket"]
	if !shared {
		c.Bucket = "file://" + filepath.ToSlash(local.Path("bucket"))
	}
	conn, end, err := c.connect(ctx, "local", own, 0, 0)
	if err != nil {
		return nil, err
	}
	defer end()
	if !shared {
		if err := conn.Bucket.Passing(); err != nil {
			return nil, err
		}
	}
	if run, err = c.submit(ctx, conn, run, list); err != nil {
		return nil, err
	}
	place := &fleetwork.Place{Bucket: conn.Bucket, Scratch: local.Path("scratch"), InPlace: !shared, Version: version, Log: c.logger, Prepare: cached(prepare(c.workers, 0), cache, remark)}
	team := crew{place: place, conn: conn, name: "local", region: run.Region, sites: c.workers, runs: 1, retry: fleet.Retry{Tries: 1}}
	working, rest := context.WithCancel(ctx)
	defer rest()
	group, working := errgroup.WithContext(working)
	group.Go(func() error { return team.run(working) })
	err = fleet.Wait(working, conn, run.ID, c.tell())
	rest()
	if e := group.Wait(); err == nil || working.Err() != nil && ctx.Err() == nil && e != nil {
		err = e
	}
	if err != nil {
		return nil, err
	}
	outcome, err := fleetwork.ReadOutcome(ctx, conn.Bucket, run.ID)
	if err != nil {
		return nil, err
	}
	if shared {
		return outcome, fleetwork.Fetch(ctx, conn.Bucket, run.ID, local.Out)
	}
	return outcome, local.Take(fleetwork.FolderOf(c.Bucket, run.ID))
}

// outcome tells what came of a run, and returns its exit code: as auditRun.outcome.
func (c *submission) outcome(o *fleetwork.Outcome, dir string) int {
	for _, text := range o.Warnings {
		c.logger.Warn(text)
	}
	for _, host := range o.Unused {
		c.logger.Warn("-robots: no site of this run has the host " + host + ": its file stood in for nothing")
	}
	printOutcome(c.std.out, o.Totals, o.Worst, dir)
	if o.Severe != "" {
		complain(c.std.err, "robots-audit: -fail-on %s: %s", c.failOn, onOneLine(o.Severe))
	}
	if o.Blocked != "" {
		complain(c.std.err, "robots-audit: -fail-on-blocked %s: %s", c.failOnBlocked, onOneLine(o.Blocked))
	}
	switch {
	case o.Severe != "" || o.Blocked != "":
		return exitFindings
	case o.Totals.Unknown > 0 || o.BadLines > 0 || len(o.Unused) > 0:
		return exitUnknown
	}
	return exitDone
}
