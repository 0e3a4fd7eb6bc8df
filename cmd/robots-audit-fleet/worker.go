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

var workerHelp = cli.Help{
	Use: `robots-audit-fleet worker takes sites from the queue of a fleet, audits them, and stores the
results in the bucket. It also puts runs together. Start one worker per machine.

Examples:
  robots-audit-fleet worker -servers tls://n1.example:4222 -bucket file:///srv/audits -secrets /etc/robots-audit/fleet
  robots-audit-fleet worker -config fleet.toml -workers 64 -listen 127.0.0.1:7072
  robots-audit-fleet worker -config fleet.toml -workers 0 -runs 4
`,
	More: `A worker takes sites of its -region only, from runs of its version. Versions fit if their
first two numbers are the same. At most one worker of a region and version sends requests to
a host at the same time. -delay, -rate and -connections of a run apply to each worker.
-per-address of the worker applies to all its runs, and a run can ask for less. A site that
waits for its server is not counted.

If a robots.txt answers with a server error, or not at all, the site is retried
after Retry-After or -retry-delay. The delay doubles each time. The last of -tries
counts. SIGTERM gives sites in progress some seconds to finish, and returns the others to the
queue. So no site is lost. A worker waits up to five minutes for nodes that do not answer
yet. If a node refuses it, the worker ends at once.
`,
	Exit: `Exit codes: 0 done; 2 wrong usage or configuration; 4 the fleet cannot be reached, or
refuses; 130 stopped by a signal.
`,
}

// defaultSites is how many sites a worker audits at a time by default. This includes sites that
// wait for the bucket or the queue.
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
	f.StringVar(&c.name, "name", "", "unique `name` of the worker (default host and process)")
	f.IntVar(&c.sites, "workers", defaultSites, "`number` of sites to process at the same time. 0 = only put runs together")
	f.IntVar(&c.runs, "runs", 1, "`number` of runs to put together at the same time. 0 = only audit sites")
	f.IntVar(&c.perAddress, "per-address", 8, "most open `requests` to one IP address at the same time, for all runs and sites. 0 = as many as each run allows")
	f.StringVar(&c.scratch, "scratch", "", "`folder` for files until they are in the bucket (default: a temporary folder of the system)")
	f.DurationVar(&c.lease, "lease", time.Minute, "`time` after which other workers get the sites of a silent worker. The first worker of a fleet decides. With three nodes, a minute or more")
	f.IntVar(&c.retry.Tries, "tries", 6, "`number` of tries for a site whose robots.txt could not be fetched")
	f.DurationVar(&c.retry.Base, "retry-delay", time.Minute, "`time` before the second try of a site. It doubles for each further try")
	f.StringVar(&c.listen, "listen", "", "`host:port` for /healthz and /metrics, without a login")
	f.StringVar(&c.cache, "cache", "", "`file` that keeps robots.txt answers for a day. It keeps the last good ones longer (default none)")
}

// check reports flags that are missing or wrong.
func (c *workerCommand) check() error {
	if err := c.Missing("worker", "servers", "bucket"); err != nil {
		return err
	}
	switch {
	case c.sites < 0 || c.runs < 0 || c.sites+c.runs == 0:
		return fmt.Errorf("-workers %d -runs %d: expected 0 or more, and not 0 for both", c.sites, c.runs)
	case c.perAddress < 0:
		return fmt.Errorf("-per-address %d: expected 0 or more", c.perAddress)
	case c.lease < time.Second:
		return fmt.Errorf("-lease %v: expected a second or more", c.lease)
	case c.retry.Tries < 1 || c.retry.Base <= 0:
		return fmt.Errorf("-tries %d -retry-delay %v: expected more than 0", c.retry.Tries, c.retry.Base)
	case !fleet.ValidRegion(c.Region):
		return fmt.Errorf("-region %q: expected lower-case letters, digits and hyphens", c.Region)
	}
	return nil
}

// run audits sites and merges runs until ctx ends.
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
		env.log.Warn("stopping: sites in progress have some seconds to finish. The others go back to the queue. A second signal stops at once")
	})()
	return (&crew{place: place, conn: conn, name: name, region: c.Region, sites: c.sites, runs: c.runs, retry: c.retry, listen: c.listen}).run(ctx)
}

// machine is the name of this process in the fleet.
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
