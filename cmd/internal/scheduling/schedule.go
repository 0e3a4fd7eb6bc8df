// Package scheduling is the command schedule of both programs: its flags and its configuration,
// which it gives to package job. Who makes audits with a fleet brings a [Fleet].
package scheduling

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"

	"robots-audit/audit/watch/alert"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/configfile"
	"robots-audit/cmd/internal/job"
	"robots-audit/engine/wording"
)

const scheduleHelp = `%[1]s schedule -config FILE audits lists of sites at set times, compares each run
with the one before, enters both in a history, and tells by mail, webhook or file what
has come, got worse and ended. The tables [history], [[schedule]] and [alerts] of the file
say when, what and whom; above them stand the settings of the audits, as for the
main job. config.toml in the source has all of it, with comments.

Alerts, and the level that the min of a channel goes by:

%[2]s
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

%[3]s
Exit codes: 0 done, or nothing was due; 1 a site of a run fails by fail-on of the
configuration; 2 usage or configuration; 3 done, but part of the sites is unknown; 4 a run
failed, or could not be entered in the history; 130 stopped by a signal.
`

// Command is one call of the command.
type Command struct {
	Config, ack, accept, until, note, reindex string
	Once, plan                                bool

	Settings audits.Settings // of the audits
	Flagged  *flag.FlagSet   // that settings and fleet were read by
	Fleet    configfile.Fleet
	File     configfile.Schedules
	Log      *slog.Logger
	Std      cli.Streams
	worst    int // exit code of the audits so far
	afar     Fleet
}

// Fleet makes the audits of schedules that have fleet = true.
type Fleet interface {
	// Help says what is different with a fleet: a paragraph of the command's help.
	Help() string
	// Check says what a fleet does not take of the configuration.
	Check(c *Command) error
	// Audit makes one audit, whose folder is whole in its place then.
	Audit(ctx context.Context, c *Command, a job.Auditing) error
}

// fleetHelp says what becomes of a schedule that has fleet = true.
func (c *Command) fleetHelp() string {
	if c.afar == nil {
		return "A [[schedule]] with fleet = true has its audits made by a fleet: robots-audit-fleet schedule.\n"
	}
	return c.afar.Help()
}

// fleetSchedule is the name of a schedule that has fleet = true; "" = none has.
func (c *Command) fleetSchedule() string {
	for _, e := range c.File.Plan.Entries {
		if e.Fleet {
			return e.Name
		}
	}
	return ""
}

// checkFleet says what a fleet does not take of the configuration, where a schedule has one.
func (c *Command) checkFleet() error {
	if c.afar == nil || c.fleetSchedule() == "" {
		return nil
	}
	if err := c.afar.Check(c); err != nil {
		return fmt.Errorf("%s: a schedule has fleet = true: %w", c.Config, err)
	}
	return nil
}

func (c *Command) flags() *flag.FlagSet {
	f := flag.NewFlagSet("schedule", flag.ContinueOnError)
	f.StringVar(&c.Config, "config", "", "read settings, schedules and alerts from this TOML `file`")
	f.BoolVar(&c.Once, "once", false, "make the runs that are due now, and end")
	f.BoolVar(&c.plan, "plan", false, "print when runs are due, and end")
	f.StringVar(&c.ack, "ack", "", "acknowledge the alert with this `ID`")
	f.StringVar(&c.accept, "accept", "", "end the alert with this `ID`: it is as it should be")
	f.StringVar(&c.until, "until", "", "the last `day` of -ack, as 2026-12-31, or a time, as 2026-12-31T18:00:00Z")
	f.StringVar(&c.note, "note", "", "a `text` for -ack and -accept: who looks into it, or why it may stay")
	f.StringVar(&c.reindex, "reindex", "", "make the database of this `folder` of a history anew")
	return f
}

// Run runs the command. fleet makes the audits of schedules that have fleet = true; nil = the
// program has none.
func Run(args []string, std cli.Streams, fleet Fleet) int {
	c := Command{Std: std, afar: fleet}
	f := c.flags()
	if code, ok := cli.ParseFlags(f, args, fmt.Sprintf(scheduleHelp, cli.Current.Name, alert.Manual(), c.fleetHelp()), std); !ok {
		return code
	}
	if err := c.check(f.Args()); err != nil {
		return cli.Usage(std, err)
	}
	if err := c.Read(); err != nil {
		return cli.Usage(std, err)
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
func (c *Command) check(args []string) error {
	asked := 0
	for _, given := range []bool{c.Once, c.plan, c.ack != "", c.accept != "", c.reindex != ""} {
		if given {
			asked++
		}
	}
	switch {
	case len(args) > 0:
		return errors.New("schedule takes no arguments: the configuration names the lists of sites")
	case asked > 1:
		return errors.New("-once, -plan, -ack, -accept and -reindex are different things to do: name one")
	case c.Config == "" && c.reindex == "":
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

// NotLookedFor is said where alerts are to be told and one of them cannot come.
const NotLookedFor = "AL06, another robots.txt for Googlebot than for people, is not looked for: second-look is off"

// printPlan prints when runs are due.
func (c *Command) printPlan() int {
	if err := c.File.Plan.Write(c.Std.Out, Clock(), 5); err != nil {
		return cli.Failed(c.Std, err)
	}
	if len(c.File.Alerts.Channels) > 0 && !c.Settings.SecondLook {
		fmt.Fprintln(c.Std.Out, NotLookedFor)
	}
	return cli.ExitDone
}

// acknowledge enters that somebody knows of an alert, or accepts what it tells of.
func (c *Command) acknowledge() int {
	answer := Answer{Alert: cmp.Or(c.ack, c.accept), Accept: c.accept != "", Until: c.until, Note: c.note}
	sentence, err := answer.Enter(context.Background(), c.File.History.Dir, Clock())
	switch {
	case errors.As(err, new(*Refusal)):
		return cli.Usage(c.Std, err)
	case err != nil:
		return cli.Failed(c.Std, err)
	}
	fmt.Fprintln(c.Std.Out, sentence)
	return cli.ExitDone
}

// remake makes the history anew.
func (c *Command) remake() int {
	ctx, done := cli.UntilSignal()
	defer done()
	loop, err := c.Loop()
	if err != nil {
		return cli.Usage(c.Std, err)
	}
	if info, err := os.Stat(c.reindex); err != nil || !info.IsDir() {
		return cli.Usage(c.Std, fmt.Errorf("-reindex %s: there is no such folder; name that of a history, which holds runs", c.reindex))
	}
	if c.Config == "" {
		cli.Complain(c.Std.Err, "without -config the history is made without important URLs, watched crawlers and maintenance windows, and the alerts of these")
	}
	made, err := loop.Reindex(ctx)
	carried := made.Carried
	if ctx.Err() != nil {
		cli.Complain(c.Std.Err, "stopped by a signal; the old history is as it was")
		return cli.ExitSignal
	}
	if err != nil {
		return cli.Failed(c.Std, err)
	}
	fmt.Fprintf(c.Std.Out, "%s entered anew from their folders; taken over from the old history: %s, %s and %s\n", wording.Plural(made.Runs, "run"),
		wording.Plural(carried.Runs, "run"), wording.Plural(carried.Acknowledgements, "acknowledgement"), wording.Plural(carried.Deliveries, "sent or waiting message"))
	for _, lost := range made.Poorer {
		cli.Complain(c.Std.Err, "%s", cli.OnOneLine(lost))
	}
	if carried.Lost != nil {
		cli.Complain(c.Std.Err, "some of the old history could not be read: %v", carried.Lost)
	}
	if carried.Kept != "" {
		cli.Complain(c.Std.Err, "the damaged one lies in %s", carried.Kept)
	}
	return cli.ExitDone
}
