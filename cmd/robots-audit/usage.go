package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// parse fills s from all its sources. ok is false where the command ends here, with code.
func parse(s *settings, f *flag.FlagSet, args []string, help string, std streams) (code int, ok bool) {
	f.SetOutput(io.Discard)
	err := s.load(f, args, os.LookupEnv)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(std.out, help)
		f.SetOutput(std.out)
		f.PrintDefaults()
		return exitDone, false
	}
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("%q is no flag; flags come first, and the list of sites is named by -domains", f.Arg(0))
	}
	if err == nil {
		err = s.check()
	}
	if err != nil {
		return usage(std, err), false
	}
	s.used = map[string]any{}
	f.VisitAll(func(fl *flag.Flag) {
		if !asides[fl.Name] {
			s.used[fl.Name] = fl.Value.String()
		}
	})
	return 0, true
}

// usage reports a mistake in what we were asked.
func usage(std streams, err error) int {
	fmt.Fprintf(std.err, "robots-audit: %v\n", err)
	return exitUsage
}

// failed reports a fault of the run itself.
func failed(std streams, err error) int {
	fmt.Fprintf(std.err, "robots-audit: %v\n", err)
	return exitFailed
}
