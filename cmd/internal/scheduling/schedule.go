// Package scheduling is the command schedule of both programs: its flags and its configuration,
// which it passes to package job. A program that makes audits with a fleet passes a [Fleet].
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

const scheduleUse = `%[1]s schedule audits lists of sites at set times. It compares each run with the
run before, stores both in a history, and sends alerts by mail, webhook or file. The
configuration has the tables [history], [[schedule]] and [alerts]. See config.toml.

Examples:
  %[1]s schedule -config FILE           run until Ctrl-C
  %[1]s schedule -config FILE -once     make the runs that are due, and end: for cron
  %[1]s schedule -config FILE -plan     print the next runs
  %[1]s schedule -config FILE -test     send a test message through every channel
  %[1]s schedule -config FILE -ack ID -until 2026-12-31 -note "Ann fixes it"
  %[1]s schedule -config FILE -accept ID -all -note "as intended"
`

const scheduleMore = `Above its tables, the file has the settings of the audits.

-once also delivers messages that are due. A run is due if its cron time was after the
last run, or if there was no run yet. -plan also shows what changes when the clocks change.
-test prints what each mail server, webhook or file answered, whatever its min. It needs no
history, and tries once.
-now NAME makes a run of this schedule whatever the clock says, delivers its messages, and
ends. If a run of the schedule was interrupted, it continues that run instead.
-ack: you hear of the alert again after the date of -until, or if it gets worse or is
resolved. Each message has the ID of its alert. With -all, all open alerts of its site.
-accept: this is as intended. The alert ends with the next run, and later runs are compared
with the site as it is now. With -all, also the other alerts of the same change: those that
the same run raised on the same site.
-assign ID -owner Ann: Ann works on this alert. With -all, on all open alerts of its site.
With -owner "" the owner is removed. -ack and -accept take -owner, too.
-reindex HISTORY makes the database again from the folders of runs. Runs that were
removed are copied from the old database. If that is damaged, it says what is lost.
Without -config, the new database has no important URLs, watched crawlers or
maintenance windows, and no alerts of these.

A stopped run loses only the site in progress, and the next start continues the run. If the
configuration has changed since then, the run is not stored in the history, and the next
run audits all sites. If the database cannot be used, runs are stored in it later.

%[1]s
Alerts, and the level for min of a channel:

%[2]s`

const scheduleExit = `Exit codes: 0 done, or nothing was due; 1 a site fails fail-on of the configuration; 2 wrong
usage or configuration; 3 done, but a site is unknown; 4 a run failed, or could not
be stored in the history, or a channel of -test did not accept; 130 stopped by a signal.
`

// Command is one call of the command.
type Command struct {
	Config, ack, accept, assign, until, note, owner, reindex string
	Now                                                      string // schedule that is run at once; "" = none
	Once, plan, test, all                                    bool

	Settings audits.Settings // of the audits
	Flagged  *flag.FlagSet   // with which settings and fleet were read
	Fleet    configfile.Fleet
	File     configfile.Schedules
	Log      *slog.Logger
	Std      cli.Streams
	worst    int // exit code of the audits so far
	afar     Fleet
}

// Fleet makes the audits of schedules that have fleet = true.
type Fleet interface {
	// Help describes how a schedule with a fleet differs, in a paragraph of the command's help.
	Help() string
	// Check reports settings that a fleet does not support.
	Check(c *Command) error
	// Audit makes one audit, and returns once its folder is complete in its place.
	Audit(ctx context.Context, c *Command, a job.Auditing) error
}

// fleetHelp describes schedules with fleet = true.
func (c *Command) fleetHelp() string {
	if c.afar == nil {
		return "Audits of a [[schedule]] with fleet = true need robots-audit-fleet schedule.\n"
	}
	return c.afar.Help()
}

// fleetSchedule is the name of a schedule with fleet = true; "" = none.
func (c *Command) fleetSchedule() string {
	for _, e := range c.File.Plan.Entries {
		if e.Fleet {
			return e.Name
		}
	}
	return ""
}

// checkFleet reports settings that a fleet does not support, if a schedule has one.
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
	f.StringVar(&c.Now, "now", "", "make one run of the schedule with this `name` at once, and end")
	f.BoolVar(&c.test, "test", false, "send a test message through every channel, and print the answers")
	f.BoolVar(&c.plan, "plan", false, "print when runs are due, and end")
	f.StringVar(&c.ack, "ack", "", "acknowledge the alert with this `ID`")
	f.StringVar(&c.accept, "accept", "", "end the alert with this `ID`, because it is as intended")
	f.StringVar(&c.assign, "assign", "", "set who works on the alert with this `ID`: see -owner")
	f.BoolVar(&c.all, "all", false, "with -accept, answer all alerts of the same change. With -ack and -assign, answer all open alerts of the same site")
	f.StringVar(&c.until, "until", "", "last `day` of -ack, as 2026-12-31, or a time, as 2026-12-31T18:00:00Z")
	f.StringVar(&c.note, "note", "", "`text` for -ack and -accept: who works on it, or why it is intended")
	f.StringVar(&c.owner, "owner", "", "`name` of who works on the alert of -assign, -ack or -accept")
	f.StringVar(&c.reindex, "reindex", "", "make the database of this history `folder` again")
	return f
}

// Run runs the command. fleet makes the audits of schedules with fleet = true; nil = the program
// has no fleet.
func Run(args []string, std cli.Streams, fleet Fleet) int {
	c := Command{Std: std, afar: fleet}
	f := c.flags()
	if code, ok := cli.ParseFlags(f, args, cli.Help{Use: fmt.Sprintf(scheduleUse, cli.Current.Name), More: fmt.Sprintf(scheduleMore, c.fleetHelp(), alert.Manual()), Exit: scheduleExit}, std); !ok {
		return code
	}
	if err := c.check(f); err != nil {
		return cli.Usage(std, err)
	}
	if err := c.Read(); err != nil {
		return cli.Usage(std, err)
	}
	switch {
	case c.plan:
		return c.printPlan()
	case c.test:
		return c.testChannels()
	case c.answers():
		return c.acknowledge()
	case c.reindex != "":
		return c.remake()
	}
	return c.run()
}

// answers reports whether the call is an answer to alerts.
func (c *Command) answers() bool { return c.ack != "" || c.accept != "" || c.assign != "" }

// check reports flags that are missing or exclude each other.
func (c *Command) check(f *flag.FlagSet) error {
	var empty error
	owned := false
	f.Visit(func(of *flag.Flag) { // an empty variable of a script must not start a schedule that runs until Ctrl-C
		owned = owned || of.Name == "owner"
		if of.Value.String() == "" && of.Name != "note" && of.Name != "owner" {
			empty = fmt.Errorf("-%s is empty. Write a value, or remove it", of.Name)
		}
	})
	if empty != nil {
		return empty
	}
	asked := 0
	for _, given := range []bool{c.Once, c.Now != "", c.test, c.plan, c.ack != "", c.accept != "", c.assign != "", c.reindex != ""} {
		if given {
			asked++
		}
	}
	switch {
	case f.NArg() > 0:
		return errors.New("schedule takes no arguments. Name the lists of sites in the file of -config")
	case asked > 1:
		return errors.New("-once, -now, -test, -plan, -ack, -accept, -assign and -reindex exclude each other. Use one of them")
	case c.Config == "" && c.reindex == "":
		return errors.New("schedule needs a configuration. Name it with -config FILE")
	case c.ack == "" && c.until != "":
		return errors.New("-until needs -ack. Add -ack ID, or remove -until")
	case !c.answers() && c.all:
		return errors.New("-all needs -ack, -accept or -assign. Add one of them, or remove -all")
	case !c.answers() && owned:
		return errors.New("-owner needs -assign, -ack or -accept. Add one of them, or remove -owner")
	case c.assign != "" && !owned:
		return errors.New("-assign needs a name: -owner NAME")
	case c.ack == "" && c.accept == "" && c.note != "":
		return errors.New("-note needs -ack or -accept. Add one of them, or remove -note")
	case c.ack != "" && c.until == "":
		return errors.New("-ack needs a date: -until 2026-12-31")
	}
	return nil
}

// Printed if alerts are sent, but this one is turned off.
const (
	NotLookedFor = "AL06 (a different robots.txt for Googlebot than for people) is off, because second-look is off. Set second-look = true to turn it on"
	NotAskedAs   = "AL18 (not let in when asked as a crawler) is off, because ask-as names no crawler. Set ask-as = \"Googlebot,GPTBot\" to turn it on"
)

// printPlan prints the next times of the runs.
func (c *Command) printPlan() int {
	if err := c.File.Plan.Write(c.Std.Out, Clock(), 5); err != nil {
		return cli.Failed(c.Std, err)
	}
	if len(c.File.Alerts.Channels) > 0 && !c.Settings.SecondLook {
		fmt.Fprintln(c.Std.Out, NotLookedFor)
	}
	if len(c.File.Alerts.Channels) > 0 && c.Settings.AskAs == "" {
		fmt.Fprintln(c.Std.Out, NotAskedAs)
	}
	return cli.ExitDone
}

// acknowledge stores that a person knows of an alert, or accepts the state that it reports.
func (c *Command) acknowledge() int {
	answer := Answer{Alerts: []string{cmp.Or(c.ack, c.accept, c.assign)}, All: c.all, Accept: c.accept != "", Until: c.until, Note: c.note, Assign: c.assign != "", Owner: c.owner}
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

func (c *Command) remake() int {
	ctx, done := cli.UntilSignal()
	defer done()
	loop, err := c.Loop()
	if err != nil {
		return cli.Usage(c.Std, err)
	}
	if info, err := os.Stat(c.reindex); err != nil || !info.IsDir() {
		return cli.Usage(c.Std, fmt.Errorf("-reindex %s: no such folder. Name the folder of a history", c.reindex))
	}
	if c.Config == "" {
		cli.Complain(c.Std.Err, "without -config the new history has no important URLs, watched crawlers or maintenance windows, and no alerts of these")
	}
	made, err := loop.Reindex(ctx)
	carried := made.Carried
	if ctx.Err() != nil {
		cli.Complain(c.Std.Err, "stopped by a signal. The old history is unchanged")
		return cli.ExitSignal
	}
	if err != nil {
		return cli.Failed(c.Std, err)
	}
	fmt.Fprintf(c.Std.Out, "%s read again from their folders. Copied from the old history: %s, %s and %s\n", wording.Plural(made.Runs, "run"),
		wording.Plural(carried.Runs, "run"), wording.Plural(carried.Acknowledgements, "acknowledgement"), wording.Plural(carried.Deliveries, "sent or waiting message"))
	for _, lost := range made.Poorer {
		cli.Complain(c.Std.Err, "%s", cli.OnOneLine(lost))
	}
	if carried.Lost != nil {
		cli.Complain(c.Std.Err, "part of the old history could not be read: %v", carried.Lost)
	}
	if carried.Kept != "" {
		cli.Complain(c.Std.Err, "the damaged history is in %s", carried.Kept)
	}
	return cli.ExitDone
}
