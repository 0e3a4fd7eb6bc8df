package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"

	"robots-audit/audit/schedule/alert"
	"robots-audit/cmd/robots-audit/internal/acknowledgement"
	"robots-audit/cmd/robots-audit/internal/fleetconfig"
	"robots-audit/cmd/robots-audit/internal/scheduleconfig"
	"robots-audit/engine/wording"
)

const scheduleHelp = `robots-audit schedule -config FILE audits lists of sites at set times, compares each run
with the one before, enters both in a history, and tells by mail, webhook or file what
has come, got worse and ended. The tables [history], [[schedule]] and [alerts] of the file
say when, what and whom; above them stand the settings of the audits, as for the
main job. config.toml in the source has all of it, with comments.

Alerts, and the level that the min of a channel goes by:

%s
  schedule -config FILE          runs until a signal comes
  schedule -config FILE -once    makes the runs that are due, delivers what is due, and ends:
                                 for cron, and for a timer of systemd. Due is what the cron
                                 expression has asked for since the last run; what never
                                 ran is due
  schedule -config FILE -plan    prints when runs are due next, and what is different when
                                 clocks change
  schedule -config FILE -ack ID -until DATE -note TEXT
                                 nobody is told of this alert again before DATE is over,
                                 unless it gets graver or ends; ID is in each message
  schedule -config FILE -accept ID -note TEXT
                                 what this alert tells of is as it should be: the alert ends
                                 with the next run, and later runs are compared with the
                                 site as it is now
  schedule -reindex HISTORY -config FILE
                                 makes the database anew from the folders of runs. What the
                                 retention has removed of them is taken over from the old
                                 database; where that is damaged, what is lost is told.
                                 Without -config it is made without important URLs, watched
                                 crawlers and maintenance windows, and the alerts of these

A kill or a signal costs nothing but the site at hand: the next start goes on with the run,
unless what is asked for has been changed in the configuration since: then the run stays out
of the history, which is told, and the next one asks for all sites.
Where the database cannot be used, runs are made all the same, and entered later.

A [[schedule]] with fleet = true has its audits made by the fleet of the table [fleet]: each is
submitted, waited for, and fetched from the bucket, where a copy stays. All else is as ever,
and happens here, asking robots.txt again too. A kill or a signal leaves the fleet's run going,
with the settings it began with, and the next start waits for it; other runs wait until then.
What is not there of a fleet's run: the timeline and the owner notes in pages and workbooks,
the cache of answers of this machine (worker -cache has the fleet's), single-file, and lists
with names and passwords. Nodes that do not answer are waited for for five minutes, then the
audit has failed.

Exit codes: 0 done, or nothing was due; 1 a site of a run fails by fail-on of the
configuration; 2 usage or configuration; 3 done, but part of the sites is unknown; 4 a run
failed, or could not be entered in the history; 130 stopped by a signal.
`

// scheduling is one call of the command.
type scheduling struct {
	config, ack, accept, until, note, reindex string
	once, plan                                bool

	settings settings      // of the audits
	flagged  *flag.FlagSet // that settings and fleet were read by
	fleet    fleetconfig.Config
	file     scheduleconfig.Config
	log      *slog.Logger
	std      streams
	worst    int // exit code of the audits so far
}

func (c *scheduling) flags() *flag.FlagSet {
	f := flag.NewFlagSet("schedule", flag.ContinueOnError)
	f.StringVar(&c.config, "config", "", "read settings, schedules and alerts from this TOML `file`")
	f.BoolVar(&c.once, "once", false, "make the runs that are due now, and end")
	f.BoolVar(&c.plan, "plan", false, "print when runs are due, and end")
	f.StringVar(&c.ack, "ack", "", "acknowledge the alert with this `ID`")
	f.StringVar(&c.accept, "accept", "", "end the alert with this `ID`: it is as it should be")
	f.StringVar(&c.until, "until", "", "the last `day` of -ack, as 2026-12-31, or a time, as 2026-12-31T18:00:00Z")
	f.StringVar(&c.note, "note", "", "a `text` for -ack and -accept: who looks into it, or why it may stay")
	f.StringVar(&c.reindex, "reindex", "", "make the database of this `folder` of a history anew")
	return f
}

func runSchedule(args []string, std streams) int {
	c := scheduling{std: std}
	f := c.flags()
	if code, ok := parseFlags(f, args, fmt.Sprintf(scheduleHelp, alert.Manual()), std); !ok {
		return code
	}
	if err := c.check(f.Args()); err != nil {
		return usage(std, err)
	}
	if err := c.read(); err != nil {
		return usage(std, err)
	}
	switch {
	case c.plan:
		return c.printPlan()
	case c.ack != "", c.accept != "":
		return c.acknowledge()
	case c.reindex != "":
		return c.remake()
	}
	return c.run()
}

// check looks for what is missing among the flags, or excludes each other.
func (c *scheduling) check(args []string) error {
	asked := 0
	for _, given := range []bool{c.once, c.plan, c.ack != "", c.accept != "", c.reindex != ""} {
		if given {
			asked++
		}
	}
	switch {
	case len(args) > 0:
		return errors.New("schedule takes no arguments: the configuration names the lists of sites")
	case asked > 1:
		return errors.New("-once, -plan, -ack, -accept and -reindex are different things to do: name one")
	case c.config == "" && c.reindex == "":
		return errors.New("schedule needs a configuration: -config FILE")
	case c.ack == "" && c.until != "":
		return errors.New("-until belongs to -ack")
	case c.ack == "" && c.accept == "" && c.note != "":
		return errors.New("-note belongs to -ack and -accept")
	case c.ack != "" && c.until == "":
		return errors.New("-ack needs a date: -until 2026-12-31")
	}
	return nil
}

// notLookedFor is said where alerts are to be told and one of them cannot come.
const notLookedFor = "AL06, another robots.txt for Googlebot than for people, is not looked for: second-look is off"

// printPlan prints when runs are due.
func (c *scheduling) printPlan() int {
	if err := c.file.Plan.Write(c.std.out, clock(), 5); err != nil {
		return failed(c.std, err)
	}
	if len(c.file.Alerts.Channels) > 0 && !c.settings.secondLook {
		fmt.Fprintln(c.std.out, notLookedFor)
	}
	return exitDone
}

// acknowledge enters that somebody knows of an alert, or accepts what it tells of.
func (c *scheduling) acknowledge() int {
	var said string
	var err error
	if ctx, dir, now := context.Background(), c.file.History.Dir, clock(); c.accept != "" {
		said, err = acknowledgement.Accept(ctx, dir, c.accept, now, c.note)
	} else {
		said, err = acknowledgement.Until(ctx, dir, c.ack, c.until, now, c.note)
	}
	switch {
	case errors.As(err, new(*acknowledgement.Refusal)):
		return usage(c.std, err)
	case err != nil:
		return failed(c.std, err)
	}
	fmt.Fprintln(c.std.out, said)
	return exitDone
}

// remake makes the history anew.
func (c *scheduling) remake() int {
	ctx, done := untilSignal()
	defer done()
	loop, err := c.loop()
	if err != nil {
		return usage(c.std, err)
	}
	if info, err := os.Stat(c.reindex); err != nil || !info.IsDir() {
		return usage(c.std, fmt.Errorf("-reindex %s: there is no such folder; name that of a history, which holds runs", c.reindex))
	}
	if c.config == "" {
		complain(c.std.err, "robots-audit: without -config the history is made without important URLs, watched crawlers and maintenance windows, and the alerts of these")
	}
	made, err := loop.Reindex(ctx)
	carried := made.Carried
	if ctx.Err() != nil {
		complain(c.std.err, "robots-audit: stopped by a signal; the old history is as it was")
		return exitSignal
	}
	if err != nil {
		return failed(c.std, err)
	}
	fmt.Fprintf(c.std.out, "%s entered anew from their folders; taken over from the old history: %s, %s and %s\n", wording.Plural(made.Runs, "run"),
		wording.Plural(carried.Runs, "run"), wording.Plural(carried.Acknowledgements, "acknowledgement"), wording.Plural(carried.Deliveries, "sent or waiting message"))
	for _, lost := range made.Poorer {
		complain(c.std.err, "robots-audit: %s", onOneLine(lost))
	}
	if carried.Lost != nil {
		complain(c.std.err, "robots-audit: some of the old history could not be read: %v", carried.Lost)
	}
	if carried.Kept != "" {
		complain(c.std.err, "robots-audit: the damaged one lies in %s", carried.Kept)
	}
	return exitDone
}
