package main

import (
	"context"

	"golang.org/x/sync/errgroup"

	"robots-audit/audit/fleet"
	"robots-audit/audit/fleet/node"
	"robots-audit/audit/fleet/store"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/robots-audit-fleet/internal/fleetwork"
)

// inProcess runs a fleet in this process for one run, with so many sites at a time, and writes the
// folder out. Without a configured bucket it uses a temporary one.
func (s *queuedRun) inProcess(ctx context.Context, out string, workers int) (*fleetwork.Outcome, error) {
	local, err := fleetwork.OpenLocal(out)
	if err != nil {
		return nil, err
	}
	outcome, err := s.together(ctx, local, workers)
	if e := local.Close(); err == nil {
		err = e
	}
	return outcome, err
}

// together starts all parts of a fleet, lets them do a run, and stops them.
func (s *queuedRun) together(ctx context.Context, local *fleetwork.Local, workers int) (*fleetwork.Outcome, error) {
	prepare, end, err := prepareCached(s.settings, s.log, workers, 0)
	if err != nil {
		return nil, err
	}
	defer end()
	own, err := node.Start(ctx, node.Options{Name: "local", Dir: local.Path("node"), Passing: true, Log: s.nodeLog})
	if err != nil {
		return nil, err
	}
	defer own.Stop()
	bucket := s.Bucket
	if bucket == "" {
		bucket = store.FolderURL(local.Path("bucket"))
	}
	conn, disconnect, err := s.connectTo(ctx, node.Server{Node: own, Name: "local"}, bucket, 0)
	if err != nil {
		return nil, err
	}
	defer disconnect()
	if s.Bucket == "" {
		if err := conn.Bucket.Passing(); err != nil {
			return nil, err
		}
	}
	s.Run.ID = fleet.NewID(s.Submitted) // so that it does not join a run of another fleet with that bucket
	if err := s.queue(ctx, conn); err != nil {
		return nil, err
	}
	place := &fleetwork.Place{Bucket: conn.Bucket, Scratch: local.Path("scratch"), InPlace: s.Bucket == "", Version: cli.Version, Log: s.log, Prepare: prepare}
	team := crew{place: place, conn: conn, name: "local", region: s.Run.Region, sites: workers, runs: 1, retry: fleet.Retry{Tries: 1}}
	working, rest := context.WithCancel(ctx)
	defer rest()
	group, working := errgroup.WithContext(working)
	group.Go(func() error { return team.run(working) })
	err = s.wait(working, conn)
	rest()
	if e := group.Wait(); err == nil || working.Err() != nil && ctx.Err() == nil && e != nil {
		err = e
	}
	if err != nil {
		return nil, err
	}
	outcome, err := fleetwork.ReadOutcome(ctx, conn.Bucket, s.ID)
	if err != nil {
		return nil, err
	}
	if s.Bucket != "" {
		return outcome, fleetwork.Fetch(ctx, conn.Bucket, s.ID, local.Out)
	}
	return outcome, local.Take(fleetwork.FolderOf(bucket, s.ID))
}
