package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"robots-audit/audit/compare"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/pairs"
	"robots-audit/crawl/errno"
	"robots-audit/engine/wording"
	"robots-audit/reports"
	"robots-audit/reports/changes"
)

var compareHelp = cli.Help{
	Use: `robots-audit compare OLD NEW shows what changed between two runs. It lists newly blocked and
newly allowed URLs, for which crawler, and which line of robots.txt decides. OLD and NEW
are folders of runs, or the records of one site (RUN/records/*.jsonl.zst).

Examples:
  robots-audit compare monday tuesday
  robots-audit compare monday tuesday -out what-changed -fail-on newly-blocked
  robots-audit compare monday tuesday -fail-on 'newly-blocked>5%:Googlebot'
  robots-audit compare monday tuesday -site www.example.com -json
`,
	More: `This version of the program computes the verdicts of both runs from their stored answers.
So an upgrade of the program is never shown as a change of a site. URLs that are in one run
only have appeared or vanished. They do not count as newly blocked or newly allowed.

It writes index.html, changes.xlsx, changes.json and changes.md.

-fail-on takes kinds of change with commas between them. Each applies to every site:
  newly-blocked               a URL is newly blocked for one of the crawlers
  newly-blocked>100           more than 100 URLs of a site
  newly-blocked>5%:Googlebot  more than 5 % of the URLs of a site, for this crawler
  newly-blocked-clicks>50     URLs with more than 50 clicks, from a list of the audit
  newly-blocked>5%hits        URLs with more than 5 % of the crawlers' requests, from access logs
  newly-allowed…              the same for newly allowed URLs
  flip                        any changed verdict
  change                      anything, also in sitemaps and findings
Quote it, because a shell reads > as a redirection.
`,
	Exit: `Exit codes: 0 done; 1 a change that -fail-on names; 2 wrong usage, or a run that cannot be
compared; 3 done, but a site is in one run only, was cut short, or is now unclear, or
nothing could be compared; 4 the comparison failed; 130 stopped by a signal.
`,
}

func runCompare(args []string, std cli.Streams) int {
	var c comparing
	f := c.flags("compare")
	if code, ok := cli.ParseFlags(f, args, compareHelp, std); !ok {
		return code
	}
	if f.NArg() != 2 {
		return cli.Usage(std, errors.New("compare needs two arguments: the folder of the older run and that of the newer run, as in: robots-audit compare monday tuesday"))
	}
	old, err := openStored(f.Arg(0))
	if err != nil {
		return notOpened(std, err)
	}
	new, err := openStored(f.Arg(1))
	if err != nil {
		return notOpened(std, err)
	}
	if !new.Started.IsZero() && new.Started.Before(old.Started) {
		cli.Complain(std.Err, "%s is older than %s. They are compared in the order in which you named them", f.Arg(1), f.Arg(0))
	}
	list := pairs.Of(old, new)
	if old.ID == "" || new.ID == "" { // a file of one site; the other side may have the site among many
		list = slices.DeleteFunc(list, func(s pairs.Pair) bool { return s.Old == nil || s.New == nil })
		if len(list) == 0 {
			return cli.Usage(std, fmt.Errorf("%s and %s have no site in common. Name two runs of the same sites", f.Arg(0), f.Arg(1)))
		}
	}
	return c.run(old, new, list, std)
}

// comparing are the flags that compare and simulate share.
type comparing struct {
	name   string // of the command
	out    string
	site   string
	json   bool
	failOn string
	gate   compare.Gate // of failOn
	wished bool         // a change was found for URLs, and is compared
}

func (c *comparing) flags(name string) *flag.FlagSet {
	c.name = name
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.StringVar(&c.out, "out", "", "`folder` for the reports (default robots-audit-"+name+"-<time>, with -json none)")
	f.StringVar(&c.site, "site", "", "only this `host`")
	f.BoolVar(&c.json, "json", false, "print changes.json")
	f.StringVar(&c.failOn, "fail-on", "never", "exit with 1 on these `kinds` of change: newly-blocked, newly-allowed, flip (any changed verdict), change (anything) or never. A limit can follow: newly-blocked>5%:Googlebot")
	return f
}

// openStored opens a run that is named as an argument.
func openStored(name string) (*reports.StoredRun, error) {
	run, err := reports.OpenStored(name, cli.Version)
	switch {
	case errors.Is(err, reports.ErrNoRun), errors.Is(err, fs.ErrNotExist), errno.NoName(err):
		return nil, noRun(name)
	}
	return run, err
}

// noRunError says that a folder is not that of a run.
type noRunError struct{ error }

// Unwrap returns the cause, so that it is explained in plain words.
func (e noRunError) Unwrap() error { return e.error }

// noRun is the error for a folder without a run.
func noRun(dir string) error {
	if _, err := os.Stat(dir); err != nil {
		return noRunError{fmt.Errorf("%s: no such folder. Name the folder of a run", dir)}
	}
	return noRunError{fmt.Errorf("%s: not the folder of a run, because it has no run.json. Name a folder that an audit has written", dir)}
}

// cutRun says that a run is incomplete; "" = it is complete, or it is the records of one site.
func cutRun(run *reports.StoredRun) string {
	if run.ID == "" || !run.Finished.IsZero() {
		return ""
	}
	return run.Path + ": this run stopped early or still runs. Sites may be missing"
}

// notOpened reports the error of openStored: the argument is no run, or a file of the run cannot be
// read.
func notOpened(std cli.Streams, err error) int {
	if errors.As(err, new(noRunError)) {
		return cli.Usage(std, err)
	}
	for _, mistake := range []error{reports.ErrNoRecords, reports.ErrNotRecords, reports.ErrOtherVersion, reports.ErrNewer} {
		if errors.Is(err, mistake) {
			return cli.Usage(std, err)
		}
	}
	return cli.Failed(std, err)
}

// check looks for errors in the flags. new is the newer run.
func (c *comparing) check(new *reports.StoredRun) (err error) {
	c.gate.On, err = parseFailOn("-fail-on", c.failOn, new)
	return err
}

// parseFailOn reads the conditions of a flag for the crawlers of a run.
func parseFailOn(flag, text string, run *reports.StoredRun) (compare.FailOn, error) {
	on, err := compare.ParseFailOn(text)
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", flag, text, err)
	}
	var labels []string
	for _, c := range run.Crawlers {
		labels = append(labels, c.Label)
	}
	if err := on.Check(labels); err != nil {
		return nil, fmt.Errorf("%s %w", flag, err)
	}
	return on, nil
}

// run compares sites and writes the report.
func (c *comparing) run(old, new *reports.StoredRun, sites []pairs.Pair, std cli.Streams) int {
	if err := c.check(new); err != nil {
		return cli.Usage(std, err)
	}
	if c.site != "" {
		audits.TellPath(std.Err, c.site, "-site ", "comparing")
		if sites = pairs.Pick(sites, c.site); len(sites) == 0 {
			return cli.Usage(std, fmt.Errorf("-site %s: neither run has this site. Check the name", c.site))
		}
	}
	if err := pairs.Damage(sites); err != nil {
		return cli.Failed(std, err)
	}
	signal.Ignore(syscall.SIGPIPE) // the reader of our output may be gone; the reports matter more
	defer cli.Stop.Writing("")
	folder, report, err := c.open(changes.Options{Old: pairs.Side(old, "", sites[0].Crawlers), New: pairs.Side(new, sites[0].Robots, sites[0].Crawlers), Version: cli.Version})
	switch {
	case errors.Is(err, audits.ErrOut):
		return cli.Usage(std, err)
	case err != nil:
		return cli.Failed(std, err)
	}
	unclear, err := c.report(report, folder, sites)
	if err == nil {
		err = c.print(report, folder.dir, std.Out)
	}
	cli.Stop.During(func() func() { // if a signal ends the program meanwhile, errors that it causes are not reported
		if err != nil || folder.temporary {
			folder.unmake() // best effort
		}
		return nil
	})
	if err != nil {
		return cli.Failed(std, err)
	}
	for _, run := range slices.Compact([]*reports.StoredRun{old, new}) {
		if why := cutRun(run); why != "" {
			cli.Complain(std.Err, "%s", why)
		}
		if n := len(run.Unwritten); n > 0 {
			cli.Complain(std.Err, "%s: the reports of %s could not be written in this run, and are missing here", run.Path, wording.Plural(n, "site"))
		}
	}
	for i, why := range unclear {
		if i == pairs.MaxNamed {
			cli.Complain(std.Err, "likewise %s", wording.Plural(len(unclear)-i, "further site"))
			break
		}
		cli.Complain(std.Err, "%s", why)
	}
	failing := c.gate.Failing()
	for _, text := range failing {
		cli.Complain(std.Err, "-fail-on %s", cli.OnOneLine(text))
	}
	switch {
	case failing != nil:
		return cli.ExitFindings
	case len(unclear) > 0:
		return cli.ExitUnknown
	}
	return cli.ExitDone
}

// report writes the report, and returns the reasons why sites could not be judged.
func (c *comparing) report(report *changes.Report, folder *outFolder, sites []pairs.Pair) (unclear []string, err error) {
	defer report.Discard()
	var empty []string // why sites have nothing to compare
	for of, err := range pairs.Add(report, sites) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", of.Name, err)
		}
		if why := cmp.Or(pairs.Unclear(of.Site), c.gate.Add(of.Site), of.Idle(of.Site)); why != "" {
			unclear = append(unclear, of.Name+": "+why)
		} else if why := pairs.Empty(of.Site); why != "" {
			empty = append(empty, of.Name+": "+why+", so nothing could be compared")
		}
	}
	if why := c.gate.Unclear(); why != "" && unclear == nil {
		unclear = append(unclear, "-fail-on: "+why)
	}
	if len(empty) == len(sites) && unclear == nil && !c.wished { // URLs of -free and -block were tested already
		unclear = empty
	}
	if err := report.Finish(); err != nil {
		return nil, err
	}
	cli.Stop.During(func() func() { // the files appear all at once, a signal or not
		if err = report.Close(); err != nil || folder.temporary {
			return folder.abandon
		}
		folder.made = false // it is not empty any more
		return nil
	})
	return unclear, err
}

// print prints the result. It ignores write errors after the reader of the output has gone.
func (c *comparing) print(report *changes.Report, dir string, out io.Writer) (err error) {
	defer func() {
		if errno.Gone(err) {
			err = nil
		}
	}()
	if !c.json {
		_, err = fmt.Fprintf(out, "%sReports: %s, %s\n", report.Outcome(cli.Width(out)), cli.OnOneLine(filepath.Join(dir, "index.html")), cli.OnOneLine(filepath.Join(dir, "changes.xlsx")))
		return err
	}
	file, err := os.Open(filepath.Join(dir, "changes.json"))
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(out, file)
	return err
}
