package main

import (
	"context"
	"errors"
	"log/slog"

	"golang.org/x/sync/errgroup"

	"robots-audit/audit"
	"robots-audit/audit/fleet"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/resources"
	"robots-audit/cmd/robots-audit-fleet/internal/fleetwork"
)

// crew are the worker and the coordinator of a process.
type crew struct {
	place        *fleetwork.Place
	conn         *fleet.Conn
	name, region string
	sites, runs  int
	retry        fleet.Retry
	listen       string // address for /healthz and /metrics; "" = none
}

// run runs both until ctx ends.
func (c *crew) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	recorder := fleet.NewRecorder(c.name, c.region, cli.Version, c.sites, c.runs)
	served, err := serve(ctx, c.listen, c.conn)
	if err != nil {
		return err
	}
	group.Go(served)
	say := func(level, text string) {
		levels := map[string]slog.Level{"info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
		c.place.Log.Log(ctx, levels[level], onOneLine(text))
	}
	if c.sites > 0 {
		working, waiting, _ := resources.SiteLimits(resources.OpenFiles(), resources.Memory(), c.sites)
		worker := &fleet.Worker{
			Conn: c.conn, Region: c.region, Name: c.name, Retry: c.retry, Grace: cli.Grace, Log: say, Watch: recorder,
			Work: fleetwork.Work{Place: c.place}, Pool: audit.NewPool(working, waiting),
		}
		group.Go(func() error { return worker.Run(ctx) })
	}
	if c.runs > 0 {
		coordinator := &fleet.Coordinator{Conn: c.conn, Name: c.name, Runs: c.runs, Merge: fleetwork.Merge{Place: c.place}, Log: say}
		recorder.Runs = coordinator.Progress
		group.Go(func() error { return coordinator.Run(ctx) })
	}
	quiet, err := recorder.Answer(c.conn.NATS)
	if err != nil {
		cancel()
		return errors.Join(err, group.Wait())
	}
	defer quiet()
	return group.Wait()
}
