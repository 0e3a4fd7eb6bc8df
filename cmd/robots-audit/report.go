package main

import (
	"errors"
	"flag"
	"fmt"
	"os/signal"
	"strings"
	"syscall"

	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/reports"
)

const reportHelp = `robots-audit report RUN makes the reports of a run again from its records,
offline. RUN is the run's folder.

With -site it makes all files of these sites alone, the same that -reports all
would have written: of a run that left them out. No other records are read. The
summaries lead to them once they are made again, by report RUN.

A site whose records are missing or damaged is reported as unknown, and its
workbook, page and evidence stay as they are: put its file back and call report
again, or let the audit go on with -resume, which asks the site anew. Where
nothing can be made again, no summary is touched.

Exit codes: 0 done; 2 usage; 3 done, but the run itself has not ended, or an
audit could not write the report of a site; 4 a file of the run is missing or
damaged.

Examples:
  robots-audit report monday
  robots-audit report monday -site www.example.com -site shop.example.com
`

func runReport(args []string, std cli.Streams) int {
	f := flag.NewFlagSet("report", flag.ContinueOnError)
	var sites []string
	f.Func("site", "`HOST`: make the files of this site of the run alone; may be repeated", func(text string) error {
		sites = append(sites, audits.Names(text)...)
		return nil
	})
	out := f.String("out", "", "with -site: the `folder` to which the files go; empty = that of the run")
	if code, ok := cli.ParseFlags(f, args, reportHelp, std); !ok {
		return code
	}
	switch {
	case f.NArg() != 1:
		return cli.Usage(std, errors.New("report takes one argument: the run's folder"))
	case len(sites) == 0 && *out != "":
		return cli.Usage(std, errors.New("-out wants a site: report RUN -site HOST -out DIR"))
	}
	signal.Ignore(syscall.SIGPIPE)
	dir := f.Arg(0)
	options := reports.Options{Dir: dir, Version: cli.Version, Warn: func(text string) { fmt.Fprintf(std.Err, "robots-audit: %s: %s\n", dir, text) }}
	if len(sites) > 0 {
		return reportSites(options, sites, *out, std)
	}
	rebuilt, err := options.Rebuild()
	var loss *reports.LossError
	switch {
	case errors.Is(err, reports.ErrNoRun):
		return cli.Usage(std, fmt.Errorf("%s: no run lies there: it has no run.json", dir))
	case errors.Is(err, reports.ErrNewer):
		return cli.Usage(std, err)
	case errors.As(err, &loss) && loss.Untouched:
		return cli.Failed(std, fmt.Errorf("%s: the reports cannot be made again, and stay as they are:\n%w\nPut back what is missing, or make room where the disk is full, and call report again; or audit the sites again with: -out %[1]s -resume", dir, err))
	case errors.As(err, &loss):
		return cli.Failed(std, fmt.Errorf("%s: the reports are made again, and lack what these files held:\n%w\nPut them back, or make room where the disk is full, and call report again; or audit the sites again with: -out %[1]s -resume", dir, err))
	case err != nil:
		return cli.Failed(std, err)
	}
	audits.PrintOutcome(std.Out, rebuilt.Totals, rebuilt.Worst, dir)
	switch {
	case rebuilt.Unfinished:
		fmt.Fprintf(std.Err, "robots-audit: the run has not ended; go on with: -out %s -resume\n", dir)
		return cli.ExitUnknown
	case rebuilt.Failed > 0:
		fmt.Fprintf(std.Err, "robots-audit: the audit could not write the reports of %d of the sites; go on with: -out %s -resume\n", rebuilt.Failed, dir)
		return cli.ExitUnknown
	}
	return cli.ExitDone
}

// reportSites makes the files of single sites.
func reportSites(options reports.Options, sites []string, out string, std cli.Streams) int {
	made, err := options.Demand(sites, out)
	for _, of := range made {
		fmt.Fprintf(std.Out, "%s: %s\n", cli.OnOneLine(of.Site), cli.OnOneLine(strings.Join(of.Paths, ", ")))
	}
	var unknown *reports.UnknownSiteError
	switch {
	case errors.Is(err, reports.ErrNoRun):
		return cli.Usage(std, fmt.Errorf("%s: no run lies there: it has no run.json", options.Dir))
	case errors.As(err, &unknown), errors.Is(err, reports.ErrHoldsRun), errors.Is(err, reports.ErrNewer):
		return cli.Usage(std, err)
	case errors.Is(err, reports.ErrLocked):
		return cli.Failed(std, fmt.Errorf("%w; -out DIR writes the files elsewhere", err))
	case err != nil:
		return cli.Failed(std, err)
	}
	return cli.ExitDone
}
