package main

import (
	"errors"
	"flag"
	"fmt"
	"os/signal"
	"syscall"

	"robots-audit/reports"
)

const reportHelp = `robots-audit report RUN makes the reports of a run again from its records,
offline. RUN is the run's folder.

A site whose records are missing or damaged is reported as unknown, and its
workbook, page and evidence stay as they are: put its file back and call report
again, or let the audit go on with -resume, which asks the site anew. Where
nothing can be made again, no summary is touched.

Exit codes: 0 done; 2 usage; 3 done, but the run itself has not ended, or an
audit could not write the report of a site; 4 a file of the run is missing or
damaged.

Example:
  robots-audit report monday
`

func runReport(args []string, std streams) int {
	f := flag.NewFlagSet("report", flag.ContinueOnError)
	if code, ok := parseFlags(f, args, reportHelp, std); !ok {
		return code
	}
	if f.NArg() != 1 {
		return usage(std, errors.New("report takes one argument: the run's folder"))
	}
	signal.Ignore(syscall.SIGPIPE)
	dir := f.Arg(0)
	rebuilt, err := reports.Options{Dir: dir, Warn: func(text string) { fmt.Fprintf(std.err, "robots-audit: %s: %s\n", dir, text) }}.Rebuild()
	var loss *reports.LossError
	switch {
	case errors.Is(err, reports.ErrNoRun):
		return usage(std, fmt.Errorf("%s: no run lies there: it has no run.json", dir))
	case errors.As(err, &loss) && loss.Untouched:
		return failed(std, fmt.Errorf("%s: the reports cannot be made again, and stay as they are:\n%w\nPut back what is missing, or audit the sites again with: -out %[1]s -resume", dir, err))
	case errors.As(err, &loss):
		return failed(std, fmt.Errorf("%s: the reports are made again, and lack what these files held:\n%w\nPut them back and call report again, or audit the sites again with: -out %[1]s -resume", dir, err))
	case err != nil:
		return failed(std, err)
	}
	printOutcome(std.out, rebuilt.Totals, rebuilt.Worst, dir)
	switch {
	case rebuilt.Unfinished:
		fmt.Fprintf(std.err, "robots-audit: the run has not ended; go on with: -out %s -resume\n", dir)
		return exitUnknown
	case rebuilt.Failed > 0:
		fmt.Fprintf(std.err, "robots-audit: the audit could not write the reports of %d of the sites; go on with: -out %s -resume\n", rebuilt.Failed, dir)
		return exitUnknown
	}
	return exitDone
}
