package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"robots-audit/cmd/robots-audit/internal/fleetconfig"
)

// parse fills s from all its sources. ok is false where the command ends here, with code.
func parse(s *settings, f *flag.FlagSet, args []string, help string, std streams) (code int, ok bool) {
	f.SetOutput(io.Discard)
	err := s.load(f, args, os.LookupEnv)
	if errors.Is(err, flag.ErrHelp) {
		return printHelp(std, f, help), false
	}
	if err == nil {
		err = s.check()
	}
	if err != nil {
		return usage(std, err), false
	}
	for _, text := range unknownEnvironment(f, os.Environ()) {
		complain(std.err, "robots-audit: %s", text)
	}
	s.use(f)
	return 0, true
}

// use notes which settings shape the results.
func (s *settings) use(f *flag.FlagSet) {
	s.used = map[string]any{}
	f.VisitAll(func(fl *flag.Flag) {
		if !operational[fl.Name] && !fleetconfig.IsFlag(fl.Name) && !perRun[fl.Name] {
			s.used[fl.Name] = fl.Value.String()
		}
	})
}

// parseFlags reads the flags of a command that has no settings. ok is false where the
// command ends here, with code.
func parseFlags(f *flag.FlagSet, args []string, help string, std streams) (code int, ok bool) {
	switch err := parseArgs(f, args); {
	case errors.Is(err, flag.ErrHelp):
		return printHelp(std, f, help), false
	case err != nil:
		return usage(std, err), false
	}
	return 0, true
}

// parseArgs reads flags wherever they stand among the arguments of a command; f.Args
// returns the others. After "--" nothing is a flag.
func parseArgs(f *flag.FlagSet, args []string) error {
	f.SetOutput(io.Discard)
	var others []string
	for {
		if err := f.Parse(args); err != nil {
			return flagError(f, err)
		}
		rest := f.Args()
		ended := len(rest) < len(args) && args[len(args)-len(rest)-1] == "--"
		if len(rest) == 0 || ended {
			return f.Parse(append(append([]string{"--"}, others...), rest...))
		}
		others, args = append(others, rest[0]), rest[1:]
	}
}

// flagError adds to what package flag says of a mistake what is right.
func flagError(f *flag.FlagSet, err error) error {
	what, wrong := strings.CutSuffix(err.Error(), ": parse error")
	name := what[strings.LastIndex(what, " -")+2:]
	switch fl := f.Lookup(name); {
	case wrong && fl != nil:
		return fmt.Errorf("%s: want %s", what, kindOf(fl))
	case errors.Is(err, flag.ErrHelp):
		return err
	case strings.HasPrefix(what, "flag provided but not defined: "):
		rest := ";"
		if meant := nearestFlag(f, name); meant != "" {
			rest = ": did you mean -" + meant + "?"
		}
		return fmt.Errorf("there is no flag -%s%s \"robots-audit help %s\" lists them", name, rest, f.Name())
	}
	return fmt.Errorf("%w; \"robots-audit help %s\" lists the flags", err, f.Name())
}

// nearestFlag finds the flag that was probably meant; "" = none.
func nearestFlag(f *flag.FlagSet, name string) string {
	var names []string
	f.VisitAll(func(fl *flag.Flag) { names = append(names, fl.Name) })
	return nearest(name, names)
}

// unknownEnvironment tells of environment variables that are named as settings are, and
// are none. They are no mistake: other programs may have variables of such names.
func unknownEnvironment(f *flag.FlagSet, environ []string) (texts []string) {
	var names []string
	f.VisitAll(func(fl *flag.Flag) { names = append(names, environmentName(fl.Name)) })
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(strings.ToUpper(name), environmentPrefix) || slices.Contains(names, name) {
			continue
		}
		text := "environment variable " + name + " is no setting, and is left alone"
		if meant := nearest(name, names); meant != "" {
			text += ": did you mean " + meant + "?"
		}
		texts = append(texts, text)
	}
	return texts
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
