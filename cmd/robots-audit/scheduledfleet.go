package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"robots-audit/audit/fleet"
	"robots-audit/audit/schedule"
	"robots-audit/cmd/robots-audit/internal/fleetcommand"
	"robots-audit/cmd/robots-audit/internal/fleetwork"
	"robots-audit/cmd/robots-audit/internal/job"
)

// schedulePatience is how long a schedule waits for nodes of a fleet that do not answer. Tests set
// their own.
var schedulePatience = fleetcommand.NodePatience

// checkFleet says what a fleet does not take of the configuration, where a schedule has one.
func (c *scheduling) checkFleet() error {
	if !slices.ContainsFunc(c.file.Plan.Entries, func(e schedule.Entry) bool { return e.Fleet }) {
		return nil
	}
	err := c.settings.checkAfar(c.fleet.Region)
	if err == nil {
		err = fleetEnv(c.log, c.std).Check(&c.fleet)
	}
	if err != nil {
		return fmt.Errorf("%s: a schedule has fleet = true: %w", c.config, err)
	}
	return nil
}

// auditAfar has a fleet make one audit, whose folder is whole in its place then.
func (c *scheduling) auditAfar(ctx context.Context, a job.Auditing) error {
	s := c.settings
	s.domains = c.file.Plan.Entry(a.Schedule).Domains
	outcome, err := c.fetched(ctx, a, &s)
	switch {
	case err != nil && ctx.Err() != nil:
		return job.ErrStopped
	case misused(err):
		complain(c.std.err, "robots-audit: schedule %s: %v", a.Schedule, err)
		return c.came(a, exitUsage)
	case err != nil:
		return fmt.Errorf("schedule %s: the fleet: %w", a.Schedule, err)
	}
	return c.came(a, s.tellOutcome(outcome, a.Dir, c.log, c.std))
}

// fetched has the fleet do the run, unless it does already, and fetches its folder.
func (c *scheduling) fetched(ctx context.Context, a job.Auditing, s *settings) (*fleetwork.Outcome, error) {
	run := &fleetcommand.Submission{Env: fleetEnv(c.log, c.std), Config: c.fleet, Interval: logInterval}
	conn, end, err := run.Connect(ctx, &c.fleet, "schedule", 0, schedulePatience)
	if err != nil {
		return nil, err
	}
	defer end()
	if err := c.done(ctx, conn, run, a, s); err != nil {
		return nil, err
	}
	outcome, err := fleetwork.ReadOutcome(ctx, conn.Bucket, run.ID)
	if err != nil {
		return nil, err
	}
	dir, err := a.Note.Space()
	if err != nil {
		return nil, err
	}
	if err := fleetwork.Fetch(ctx, conn.Bucket, run.ID, dir); err != nil {
		return nil, err
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(a.Dir), 0o755), os.Rename(dir, a.Dir)); err != nil {
		return nil, err
	}
	return outcome, a.Note.Drop()
}

// done returns when the run is done: the one of the note where the fleet knows it, and else one that
// is submitted now. What the fleet gives up is no longer waited for.
func (c *scheduling) done(ctx context.Context, conn *fleet.Conn, run *fleetcommand.Submission, a job.Auditing, s *settings) (err error) {
	if run.ID = a.Note.ID(); run.ID != "" {
		c.log.Info("waiting for a run that the fleet has", "run", run.ID)
		if _, err = conn.Setup(ctx); err == nil {
			err = run.Wait(ctx, conn)
		}
	}
	if run.ID == "" || errors.Is(err, fleet.ErrForgotten) {
		if err = c.submit(ctx, conn, run, a, s); err == nil {
			run.TellMissing(ctx, conn)
			err = run.Wait(ctx, conn)
		}
	}
	if errors.Is(err, fleet.ErrGivenUp) {
		return errors.Join(err, a.Note.Drop())
	}
	return err
}

// submit submits the run. The note says so before: whatever ends this process, the next one knows of it.
func (c *scheduling) submit(ctx context.Context, conn *fleet.Conn, run *fleetcommand.Submission, a job.Auditing, s *settings) error {
	run.Run = fleet.Run{ID: fleet.NewID(a.Started), Version: version, Region: c.fleet.Region, Settings: fleetwork.Pack(c.flagged), Submitted: a.Started}
	delete(run.Settings, "domains")
	run.Settings[job.ScheduleKey] = a.Schedule
	if _, err := s.prepared(a.Started, nil); err != nil { // a mistake is better told before hours than after them
		return fleetcommand.Misuse{Err: err}
	}
	list, end, err := s.openSites(c.std)
	if err != nil {
		return fleetcommand.Misuse{Err: err}
	}
	defer end()
	run.List = newStoppable(ctx, list)
	if err := a.Note.Write(run.ID); err != nil {
		return err
	}
	err = run.Queue(ctx, conn)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if queued, e := conn.Bucket.Exists(ctx, fleet.RunKey(run.ID)); e == nil && !queued { // else it may be, though nobody has said so
		return errors.Join(err, a.Note.Drop())
	}
	return err
}
