package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"robots-audit/audit/fleet"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/job"
	"robots-audit/cmd/internal/scheduling"
	"robots-audit/cmd/robots-audit-fleet/internal/fleetwork"
)

// schedulePatience is how long a schedule waits for nodes that do not answer. Tests set a shorter
// time.
var schedulePatience = nodePatience

// fleetSchedule lets the fleet make the audits of a schedule.
type fleetSchedule struct{}

// Help describes how a schedule with a fleet differs.
func (fleetSchedule) Help() string {
	return `The fleet of the table [fleet] makes the audits of a [[schedule]] with fleet = true. Each audit
is submitted, and then copied from the bucket. Everything else happens on this machine. If
schedule is stopped, the run of the fleet continues, and the next start waits for it.
Other runs wait until then.

In a run of a fleet, pages and workbooks have no timeline and no owner notes. The cache of
this machine is not used: the fleet has worker -cache. single-file and lists with names
and passwords are not possible. If nodes do not answer for five minutes, the audit has failed.
`
}

// Check reports settings that a fleet does not support.
func (fleetSchedule) Check(c *scheduling.Command) error {
	if err := checkAfar(&c.Settings, c.Fleet.Region); err != nil {
		return err
	}
	_, err := (&environment{c.Std, c.Log}).server(&c.Fleet)
	return err
}

// Audit lets a fleet make one audit, and returns once its folder is complete in its place.
func (fleetSchedule) Audit(ctx context.Context, c *scheduling.Command, a job.Auditing) error {
	s := c.Settings
	s.Domains = c.File.Plan.Entry(a.Schedule).Domains
	outcome, err := fetchRun(ctx, c, a, &s)
	switch {
	case err != nil && ctx.Err() != nil:
		return job.ErrStopped
	case misused(err):
		cli.Complain(c.Std.Err, "schedule %s: %v", a.Schedule, err)
		return c.Came(a, cli.ExitUsage)
	case err != nil:
		return fmt.Errorf("schedule %s: the fleet: %w", a.Schedule, err)
	}
	return c.Came(a, tellOutcome(&s, outcome, a.Dir, c.Log, c.Std))
}

// fetchRun lets the fleet do the run, unless it is doing it already, and downloads its folder.
func fetchRun(ctx context.Context, c *scheduling.Command, a job.Auditing, s *audits.Settings) (*fleetwork.Outcome, error) {
	run := &queuedRun{environment: &environment{c.Std, c.Log}, Fleet: c.Fleet}
	conn, end, err := run.connect(ctx, &c.Fleet, "schedule", 0, schedulePatience)
	if err != nil {
		return nil, err
	}
	defer end()
	if err := makeRun(ctx, c, conn, run, a, s); err != nil {
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

// makeRun returns when the run is done. It waits for the run of the note if the fleet knows it, and
// otherwise submits a new one. It does not wait for a run that the fleet has given up.
func makeRun(ctx context.Context, c *scheduling.Command, conn *fleet.Conn, run *queuedRun, a job.Auditing, s *audits.Settings) (err error) {
	if run.ID = a.Note.ID(); run.ID != "" {
		c.Log.Info("waiting for a run of the fleet", "run", run.ID)
		if _, err = conn.Setup(ctx); err == nil {
			err = run.wait(ctx, conn)
		}
	}
	if run.ID == "" || errors.Is(err, fleet.ErrForgotten) {
		if err = submitRun(ctx, c, conn, run, a, s); err == nil {
			run.warnOfMissing(ctx, conn)
			err = run.wait(ctx, conn)
		}
	}
	if errors.Is(err, fleet.ErrGivenUp) {
		return errors.Join(err, a.Note.Drop())
	}
	return err
}

// submitRun submits the run. It writes the note first, so that the next process knows of the run if
// this one ends.
func submitRun(ctx context.Context, c *scheduling.Command, conn *fleet.Conn, run *queuedRun, a job.Auditing, s *audits.Settings) error {
	run.Run = fleet.Run{ID: fleet.NewID(a.Started), Version: cli.Version, Region: c.Fleet.Region, Settings: fleetwork.Pack(c.Flagged), Submitted: a.Started}
	delete(run.Settings, "domains")
	run.Settings[job.ScheduleKey] = a.Schedule
	if _, err := s.Prepared(a.Started, nil); err != nil { // report errors now and not after hours
		return misuse{err}
	}
	list, end, err := s.OpenSites(c.Std)
	if err != nil {
		return misuse{err}
	}
	defer end()
	run.list = cli.NewStoppable(ctx, list)
	if err := a.Note.Write(run.ID); err != nil {
		return err
	}
	err = run.queue(ctx, conn)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if queued, e := conn.Bucket.Exists(ctx, fleet.RunKey(run.ID)); e == nil && !queued { // otherwise it may be queued, without a confirmation
		return errors.Join(err, a.Note.Drop())
	}
	return err
}
