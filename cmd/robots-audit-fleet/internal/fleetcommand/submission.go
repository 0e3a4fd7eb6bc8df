package fleetcommand

import (
	"context"
	"io"
	"time"

	"robots-audit/audit/fleet"
	"robots-audit/cmd/internal/fleetconfig"
	"robots-audit/cmd/robots-audit-fleet/internal/fleetwork"
)

// Submission is a run that a fleet is to do. Its methods go on from each other: Queue, Missing, Wait.
type Submission struct {
	*Env
	fleetconfig.Config
	fleet.Run
	List     io.Reader     // of sites
	Interval time.Duration // between two lines of the log
}

// Queue puts the run into the queue; Run is as it was queued then. Errors are those of fleet.Submit.
func (s *Submission) Queue(ctx context.Context, conn *fleet.Conn) (err error) {
	inputs := map[string]string{}
	for _, input := range fleetwork.Inputs(s.Settings) {
		inputs[input.Name] = input.Path
	}
	s.Run, err = fleet.Submit(ctx, conn, s.Run, s.List, inputs)
	if err == nil && s.Joined {
		s.Log.Warn("run " + s.ID + " has the same list and settings, and has not ended: no other is begun")
	}
	return err
}

// TellMissing tells who is missing for a run that is queued.
func (s *Submission) TellMissing(ctx context.Context, conn *fleet.Conn) {
	missing, err := fleet.Absent(ctx, conn, &s.Run)
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("run " + s.ID + " is queued; who is there to do it is not known: " + onOneLine(err.Error()))
	}
	for _, why := range missing {
		s.Log.Warn("run " + s.ID + " is queued, and waits: " + onOneLine(why))
	}
}

// Wait waits until the run is done, as fleet.Wait, and tells now and then how far it is.
func (s *Submission) Wait(ctx context.Context, conn *fleet.Conn) error {
	next := time.Now().Add(s.Interval)
	return fleet.Wait(ctx, conn, s.ID, func(p fleet.Progress) {
		if now := time.Now(); now.After(next) {
			next = now.Add(s.Interval)
			s.Log.Info("progress", "sites", p.Done, "of", p.Sites)
		}
	})
}
