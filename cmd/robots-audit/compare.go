package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"robots-audit/reports"
	"robots-audit/reports/changes"
)

const compareHelp = `robots-audit compare OLD NEW tells what changed between two runs: which URLs
flipped, for which crawler, by which line of robots.txt, and what else differs.
OLD and NEW are folders of runs, or the records of one site (RUN/records/*.jsonl.zst).

Both runs are judged by this version of the program, from the answers that they
hold, so that an upgrade is never told as a change of a site. URLs that only one
run knows have appeared or vanished, and are no flips.

Written are index.html, changes.xlsx, changes.json and changes.md.

Examples:
  robots-audit compare monday tuesday
  robots-audit compare monday tuesday -out what-changed -fail-on newly-blocked
  robots-audit compare monday tuesday -site www.example.com -json

Exit codes: 0 done; 1 something changed that -fail-on names; 2 usage, or a run that
cannot be compared; 3 done, but a site is in one of the runs alone, was cut short, or is
now unclear; 4 the comparison itself failed; 130 stopped by a signal.
`

func runCompare(args []string, std streams) int {
	var c comparing
	f := c.flags("compare")
	if code, ok := parseFlags(f, args, compareHelp, std); !ok {
		return code
	}
	if f.NArg() != 2 {
		return usage(std, errors.New("compare takes two arguments: the folder of the older run, and that of the newer one"))
	}
	old, err := openStored(f.Arg(0))
	if err != nil {
		return usage(std, err)
	}
	new, err := openStored(f.Arg(1))
	if err != nil {
		return usage(std, err)
	}
	if !new.Started.IsZero() && new.Started.Before(old.Started) {
		fmt.Fprintf(std.err, "robots-audit: %s is of an earlier time than %s; they are compared in the order in which they are named\n", f.Arg(1), f.Arg(0))
	}
	list := sides(old, new)
	if old.ID == "" || new.ID == "" { // a file of one site, which the other side may have among many
		list = slices.DeleteFunc(list, func(s sidesOf) bool { return s.old == nil || s.new == nil })
		if len(list) == 0 {
			return usage(std, fmt.Errorf("%s and %s have no site in common", f.Arg(0), f.Arg(1)))
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
}

func (c *comparing) flags(name string) *flag.FlagSet {
	c.name = name
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.StringVar(&c.out, "out", "", "the `folder` of what is written (default robots-audit-"+name+"-<time>; with -json none)")
	f.StringVar(&c.site, "site", "", "this `host` alone")
	f.BoolVar(&c.json, "json", false, "print changes.json")
	f.StringVar(&c.failOn, "fail-on", "never", "exit with 1 on any `kind` of change: "+strings.Join(changes.Gates(), ", "))
	return f
}

// openStored opens a run that is named as an argument.
func openStored(name string) (*reports.StoredRun, error) {
	run, err := reports.OpenStored(name, version)
	switch {
	case errors.Is(err, reports.ErrNoRun):
		return nil, fmt.Errorf("%s: no run lies there: it has no run.json", name)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no run %s", name)
	}
	return run, err
}

// run compares sites and writes the report.
func (c *comparing) run(old, new *reports.StoredRun, sites []sidesOf, std streams) int {
	if !slices.Contains(changes.Gates(), c.failOn) {
		return usage(std, fmt.Errorf("-fail-on %q: want %s", c.failOn, strings.Join(changes.Gates(), ", ")))
	}
	if c.site != "" {
		sites = slices.DeleteFunc(sites, func(s sidesOf) bool { return s.name != c.site })
		if len(sites) == 0 {
			return usage(std, fmt.Errorf("-site %s: neither run knows it", c.site))
		}
	}
	dir, temporary, err := c.folder()
	if err != nil {
		return failed(std, err)
	}
	if temporary {
		defer os.RemoveAll(dir)
	}
	report, err := changes.Open(changes.Options{Dir: dir, Old: sideOf(old, ""), New: sideOf(new, sites[0].robots), Version: version})
	if err != nil {
		return usage(std, err)
	}
	unclear := false
	for _, s := range sites {
		site, err := report.AddSite(s.compare(report.Temp()))
		if err != nil {
			report.Discard()
			return failed(std, fmt.Errorf("%s: %w", s.name, err))
		}
		unclear = unclear || site.Old == nil || site.New == nil || site.Old.Finished.IsZero() || site.New.Finished.IsZero() || site.Totals.NowUnclear > 0
	}
	if err := report.Close(); err != nil {
		return failed(std, err)
	}
	if err := c.print(report, dir, std.out); err != nil {
		return failed(std, err)
	}
	switch {
	case report.Totals.Fails(c.failOn):
		return exitFindings
	case unclear:
		return exitUnknown
	}
	return exitDone
}

// print prints what was found.
func (c *comparing) print(report *changes.Report, dir string, out io.Writer) error {
	if !c.json {
		io.WriteString(out, report.Outcome(width(out)))
		fmt.Fprintf(out, "Reports: %s, %s\n", onOneLine(filepath.Join(dir, "index.html")), onOneLine(filepath.Join(dir, "changes.xlsx")))
		return nil
	}
	file, err := os.Open(filepath.Join(dir, "changes.json"))
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(out, file)
	return err
}
