package main

import (
	"context"
	"io"
	"time"

	"robots-audit/audit/fleet"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/configfile"
	"robots-audit/cmd/robots-audit-fleet/internal/fleetwork"
)

// queuedRun is a run for a fleet. Call its methods in this order: queue, warnOfMissing, wait.
type queuedRun struct {
	*environment
	configfile.Fleet
	fleet.Run
	settings *audits.Settings // of this process, for inProcess
	list     io.Reader        // of sites
}

// queue puts the run into the queue, and sets Run to the queued one. Errors are those of
// fleet.Submit.
func (s *queuedRun) queue(ctx context.Context, conn *fleet.Conn) (err error) {
	inputs := map[string]string{}
	for _, input := range fleetwork.Inputs(s.Settings) {
		inputs[input.Name] = input.Path
	}
	s.Run, err = fleet.Submit(ctx, conn, s.Run, s.list, inputs)
	if err == nil && s.Joined {
		s.log.Warn("run " + s.ID + " has the same list and settings and has not ended. No other run is started")
	}
	return err
}

// warnOfMissing warns of parts of the fleet that are missing for the queued run.
func (s *queuedRun) warnOfMissing(ctx context.Context, conn *fleet.Conn) {
	missing, err := fleet.Absent(ctx, conn, &s.Run)
	if err != nil && ctx.Err() == nil {
		s.log.Warn("run " + s.ID + " is queued. The workers are unknown: " + onOneLine(err.Error()))
	}
	for _, why := range missing {
		s.log.Warn("run " + s.ID + " is queued and waits: " + onOneLine(why))
	}
}

// wait waits until the run is done, as fleet.Wait, and logs its progress at intervals.
func (s *queuedRun) wait(ctx context.Context, conn *fleet.Conn) error {
	next := time.Now().Add(audits.LogInterval)
	return fleet.Wait(ctx, conn, s.ID, func(p fleet.Progress) {
		if now := time.Now(); now.After(next) {
			next = now.Add(audits.LogInterval)
			s.log.Info("progress", "sites", p.Done, "of", p.Sites)
		}
	})
}
