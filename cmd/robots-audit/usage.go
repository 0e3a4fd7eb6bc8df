package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
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
		if !operational[fl.Name] {
			s.used[fl.Name] = fl.Value.String()
		}
	})
	return 0, true
}

// flagError adds to what package flag says of a mistake what is right.
func flagError(f *flag.FlagSet, err error) error {
	what, wrong := strings.CutSuffix(err.Error(), ": parse error")
	fl := f.Lookup(what[strings.LastIndex(what, " -")+2:])
	switch {
	case wrong && fl != nil:
		return fmt.Errorf("%s: want %s", what, kindOf(fl))
	case errors.Is(err, flag.ErrHelp):
		return err
	}
	return fmt.Errorf("%w; \"robots-audit help %s\" lists the flags", err, f.Name())
}

// kindOf says in words what values a flag takes.
func kindOf(fl *flag.Flag) string {
	var value any
	if g, ok := fl.Value.(flag.Getter); ok {
		value = g.Get()
	}
	switch value.(type) {
	case bool:
		return "true or false"
	case int, int64:
		return "a whole number"
	case float64:
		return "a number"
	case share:
		return shareWords
	case time.Duration:
		return "a time with its unit, such as 30s, 5m or 2h"
	}
	return "a value"
}

// usage reports a mistake in what we were asked.
func usage(std streams, err error) int {
	complain(std.err, "robots-audit: %v", err)
	return exitUsage
}

// failed reports a fault of the run itself.
func failed(std streams, err error) int {
	complain(std.err, "robots-audit: %v", err)
	return exitFailed
}
