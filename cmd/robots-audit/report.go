package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/reports"
)

var reportHelp = cli.Help{
	Use: `robots-audit report RUN writes the reports of a run again from its records, offline.
RUN is the folder of the run.

Examples:
  robots-audit report monday
  robots-audit report monday -reports brief -brief-name "Example Agency"
  robots-audit report monday -site www.example.com -reports brief -out client
  robots-audit report monday -site www.example.com -site shop.example.com
`,
	More: `With -site it writes all files of these sites only, as -reports all does. Use it for a
run that skipped them. The summaries link to the new files after "report RUN".

If the records of a site are missing or damaged, the site is reported as unknown. Its
workbook, page and evidence stay as they are. To repair it, restore its records and run
report again, or audit the site again with -resume. If nothing can be written again,
the summaries stay as they are.
`,
	Exit: `Exit codes: 0 done; 2 wrong usage; 3 done, but the run has not ended, or an audit could not
write the report of a site; 4 a file of the run is missing or damaged.
`,
}

func runReport(args []string, std cli.Streams) int {
	f := flag.NewFlagSet("report", flag.ContinueOnError)
	var sites []string
	f.Func("site", "write all files of this `HOST` only. Can be repeated", func(text string) error {
		sites = append(sites, audits.Names(text)...)
		return nil
	})
	var sender audits.Brief
	sender.Flags(f)
	extra := f.String("reports", "", "brief: also write a page for clients for each site, and one for the run")
	sheets := f.String("sheets", "main", "`which` sheets and columns the workbooks have: main or all. A run with -sheets all keeps all")
	out := f.String("out", "", "with -site: `folder` for the files (default: that of the run)")
	if code, ok := cli.ParseFlags(f, args, reportHelp, std); !ok {
		return code
	}
	switch {
	case f.NArg() != 1:
		return cli.Usage(std, errors.New("report needs one argument: the folder of a run, as in: robots-audit report monday"))
	case *sheets != "main" && *sheets != "all":
		return cli.Usage(std, fmt.Errorf("-sheets %q: expected main or all", *sheets))
	case *extra != "" && !slices.Contains(reports.Extras(), *extra):
		return cli.Usage(std, fmt.Errorf("-reports %q: expected %s. All other reports are written again as the run has them", *extra, strings.Join(reports.Extras(), " or ")))
	case len(sites) == 0 && *out != "":
		return cli.Usage(std, errors.New("-out needs a site, as in: robots-audit report RUN -site HOST -out DIR. Without -out, all reports are written again in the folder of the run"))
	}
	signal.Ignore(syscall.SIGPIPE)
	dir := f.Arg(0)
	options := reports.Options{Dir: dir, AllSheets: *sheets == "all", Version: cli.Version, Warn: func(text string) { cli.Complain(std.Err, "%s: %s", dir, text) }}
	var err error
	if options.Brief, err = sender.Sender(); err != nil {
		return cli.Usage(std, err)
	}
	if *extra != "" {
		options.Reports = []string{*extra}
	}
	for _, site := range sites {
		audits.TellPath(std.Err, site, "-site ", "writing the reports of")
	}
	if len(sites) > 0 {
		return reportSites(options, sites, *out, std)
	}
	rebuilt, err := options.Rebuild()
	var loss *reports.LossError
	switch {
	case errors.Is(err, reports.ErrNoRun):
		return cli.Usage(std, noRun(dir))
	case errors.Is(err, reports.ErrNewer):
		return cli.Usage(std, err)
	case errors.As(err, &loss) && loss.Untouched:
		return cli.Failed(std, fmt.Errorf("%s: the reports could not be written again and stay as they are:\n%w\nRestore the missing files or free some space, and run report again. Or audit the sites again with: -out %[1]s -resume", dir, err))
	case errors.As(err, &loss):
		return cli.Failed(std, fmt.Errorf("%s: the reports are written again without the content of these files:\n%w\nRestore them or free some space, and run report again. Or audit the sites again with: -out %[1]s -resume", dir, err))
	case err != nil:
		return cli.Failed(std, err)
	}
	audits.PrintOutcome(std.Out, rebuilt.Totals, rebuilt.Worst, dir)
	switch {
	case rebuilt.Unfinished:
		cli.Complain(std.Err, "the run has not ended. Continue it with: -out %s -resume", dir)
		return cli.ExitUnknown
	case rebuilt.Failed > 0:
		cli.Complain(std.Err, "the audit could not write the reports of %d of the sites. Continue it with: -out %s -resume", rebuilt.Failed, dir)
		return cli.ExitUnknown
	}
	return cli.ExitDone
}

func sameFolder(a, b string) bool {
	one, err := os.Stat(a)
	other, errOther := os.Stat(b)
	return err == nil && errOther == nil && os.SameFile(one, other)
}

// reportSites writes the files of single sites.
func reportSites(options reports.Options, sites []string, out string, std cli.Streams) int {
	made, err := options.Demand(sites, out)
	for _, of := range made {
		fmt.Fprintf(std.Out, "%s: %s\n", cli.OnOneLine(of.Site), cli.OnOneLine(strings.Join(of.Paths, ", ")))
	}
	var unknown *reports.UnknownSiteError
	switch {
	case errors.Is(err, reports.ErrNoRun):
		return cli.Usage(std, noRun(options.Dir))
	case errors.Is(err, reports.ErrHoldsRun) && sameFolder(out, options.Dir):
		return cli.Usage(std, fmt.Errorf("-out %s is the folder of the run itself. Leave -out away: the files are then written there", out))
	case errors.Is(err, reports.ErrHoldsRun):
		return cli.Usage(std, fmt.Errorf("-out %s holds another run. Name a folder that is new or has no run", out))
	case errors.As(err, &unknown), errors.Is(err, reports.ErrNewer):
		return cli.Usage(std, err)
	case errors.Is(err, reports.ErrLocked):
		return cli.Failed(std, fmt.Errorf("%w. Or write the files elsewhere with -out DIR", err))
	case err != nil:
		return cli.Failed(std, err)
	}
	return cli.ExitDone
}
