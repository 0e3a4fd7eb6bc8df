package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"robots-audit/reports"
)

const reportHelp = `robots-audit report RUN makes the reports of a run again from its records,
offline. RUN is the run's folder.

Example:
  robots-audit report monday
`

func runReport(args []string, std streams) int {
	f := flag.NewFlagSet("report", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(std.out, reportHelp)
		return exitDone
	} else if err != nil {
		return usage(std, flagError(f, err))
	}
	if f.NArg() != 1 {
		return usage(std, errors.New("report takes one argument: the run's folder"))
	}
	switch err := reports.Rebuild(f.Arg(0)); {
	case errors.Is(err, reports.ErrNoRun):
		return usage(std, fmt.Errorf("%s: no run lies there: it has no run.json", f.Arg(0)))
	case err != nil:
		return failed(std, err)
	}
	fmt.Fprintf(std.out, "Reports: %s\n", places(f.Arg(0)))
	return exitDone
}
