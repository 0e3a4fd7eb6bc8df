package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"robots-audit/audit/fleet"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/configfile"
	"robots-audit/cmd/robots-audit-fleet/internal/fleetwork"
)

// workerHelp is the help of the command.
const workerHelp = `robots-audit-fleet worker takes sites of a fleet's runs from the queue, audits them as an audit on
one machine does, and stores what it finds in the bucket; and it puts runs together. Start as
many as there are machines. It takes sites of its -region alone, and of runs that a program of its
version has submitted, up to the second number; others wait for workers that fit. Of those of one
region and version, no more than one at a time asks a host. -delay, -rate and -connections of a
run hold for each worker by itself, and -per-address of the worker
for all its runs; a run may ask for less. A site that waits for its server stands aside for
another, as in an audit on one machine.

A site whose robots.txt answers with a server error, or not at all, is tried again later, as
Retry-After asks for or after -retry-delay, doubled each time; the last of -tries counts
whatever it finds. SIGTERM lets the sites in work finish for some seconds, and gives the others
back: no site is lost, whatever becomes of a worker. It waits for nodes that do not answer yet,
five minutes at most; where one refuses, it ends at once.

Examples:
  robots-audit-fleet worker -servers tls://n1.example:4222 -bucket file:///srv/audits -secrets /etc/robots-audit/fleet
  robots-audit-fleet worker -config fleet.toml -workers 64 -listen 127.0.0.1:7072
  robots-audit-fleet worker -config fleet.toml -workers 0 -runs 4

Exit codes: 0 done; 2 usage or configuration; 4 the fleet cannot be reached, or refuses;
130 stopped by a signal.
`

// defaultSites is how many sites of a worker are at work at a time where nobody says how many. A
// site is at work here also while it waits for the bucket and the queue.
const defaultSites = 16

// workerCommand is a call of the command worker.
type workerCommand struct {
	configfile.Fleet
	name, scratch, listen, cache string
	sites, runs, perAddress      int
	lease                        time.Duration
	retry                        fleet.Retry
}

// flags declares the command's flags.
func (c *workerCommand) flags(f *flag.FlagSet) {
	c.Fleet.Flags(f, "servers", "bucket", "secrets", "region")
	f.StringVar(&c.name, "name", "", "`name` of the worker, which no other has (default host and process)")
	f.IntVar(&c.sites, "workers", defaultSites, "`number` of sites at work at a time; 0 = none: it only puts runs together")
	f.IntVar(&c.runs, "runs", 1, "`number` of runs that are put together at a time; 0 = none: it only audits sites")
	f.IntVar(&c.perAddress, "per-address", 8, "most `requests` under way at a time to one IP address, of all runs and sites; 0 = as many as each run allows")
	f.StringVar(&c.scratch, "scratch", "", "`folder` for files until they are in the bucket (default one of the system's for temporary files)")
	f.DurationVar(&c.lease, "lease", time.Minute, "`time` after which the sites of a worker that is silent are given to others, with three nodes a minute or more; the first of a fleet decides")
	f.IntVar(&c.retry.Tries, "tries", 6, "`number` of tries for a site whose robots.txt cannot be had")
	f.DurationVar(&c.retry.Base, "retry-delay", time.Minute, "`time` before the second try of a site; it is doubled for each further one")
	f.StringVar(&c.listen, "listen", "", "`host:port` for /healthz and /metrics, without a login")
	f.StringVar(&c.cache, "cache", "", "`file` that keeps robots.txt answers for a day, and the last good ones for longer (default none)")
}

// check looks for what is missing, or makes no sense.
func (c *workerCommand) check() error {
	if err := c.Missing("worker", "servers", "bucket"); err != nil {
		return err
	}
	switch {
	case c.sites < 0 || c.runs < 0 || c.sites+c.runs == 0:
		return fmt.Errorf("-workers %d -runs %d: a worker has sites or runs to do", c.sites, c.runs)
	case c.perAddress < 0:
		return fmt.Errorf("-per-address %d: must not be negative", c.perAddress)
	case c.lease < time.Second:
		return fmt.Errorf("-lease %v: must be at least a second", c.lease)
	case c.retry.Tries < 1 || c.retry.Base <= 0:
		return fmt.Errorf("-tries %d -retry-delay %v: must be more than nothing", c.retry.Tries, c.retry.Base)
	case !fleet.ValidRegion(c.Region):
		return fmt.Errorf("-region %q: want small letters, digits and hyphens", c.Region)
	}
	return nil
}

// run does sites and runs until ctx ends.
func (c *workerCommand) run(ctx context.Context, env *environment) error {
	name := machine(c.name)
	conn, end, err := env.connect(ctx, &c.Fleet, "worker "+name, c.lease, nodePatience)
	if err != nil {
		return err
	}
	defer end()
	scratch, remove, err := fleetwork.OpenScratch(c.scratch)
	if err != nil {
		return fmt.Errorf("-scratch: %w", err)
	}
	defer remove()
	place := &fleetwork.Place{Bucket: conn.Bucket, Scratch: scratch, Version: cli.Version, Log: env.log}
	var close func()
	if place.Prepare, close, err = prepareCached(&audits.Settings{Cache: c.cache, NoCache: c.cache == ""}, env.log, max(c.sites, 1), c.perAddress); err != nil {
		return err
	}
	defer close()
	if conn.Timing, err = conn.Setup(ctx); err != nil {
		return err
	}
	env.log.Info("worker "+name+" is up", "region", c.Region, "sites", c.sites, "runs", c.runs)
	defer context.AfterFunc(ctx, func() {
		env.log.Warn("stopping: sites in work have some seconds to finish, and the others are given back; a second signal ends at once")
	})()
	return (&crew{place: place, conn: conn, name: name, region: c.Region, sites: c.sites, runs: c.runs, retry: c.retry, listen: c.listen}).run(ctx)
}

// machine is how this process is called among others.
func machine(name string) string {
	if name != "" {
		return name
	}
	host, err := os.Hostname()
	if err != nil {
		host = "worker"
	}
	return fmt.Sprintf("%s-%d", host, os.Getpid())
}
