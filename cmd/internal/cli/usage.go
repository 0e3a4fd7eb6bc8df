package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"
)

// ParseFlags reads the flags of a command that has no settings. ok is false where the
// command ends here, with code.
func ParseFlags(f *flag.FlagSet, args []string, help string, std Streams) (code int, ok bool) {
	switch err := ParseArgs(f, args); {
	case errors.Is(err, flag.ErrHelp):
		return PrintHelp(std, f, help), false
	case err != nil:
		return Usage(std, err), false
	}
	return 0, true
}

// ParseArgs reads flags wherever they stand among the arguments of a command; f.Args
// returns the others. After "--" nothing is a flag.
func ParseArgs(f *flag.FlagSet, args []string) error {
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
		return fmt.Errorf("%s: want %s", what, KindOf(fl))
	case errors.Is(err, flag.ErrHelp):
		return err
	case strings.HasPrefix(what, "flag provided but not defined: "):
		rest := ";"
		if meant := nearestFlag(f, name); meant != "" {
			rest = ": did you mean -" + meant + "?"
		}
		return fmt.Errorf("there is no flag -%s%s \"%s help %s\" lists them", name, rest, Current.Name, f.Name())
	}
	return fmt.Errorf("%w; \"%s help %s\" lists the flags", err, Current.Name, f.Name())
}

// nearestFlag finds the flag that was probably meant; "" = none.
func nearestFlag(f *flag.FlagSet, name string) string {
	var names []string
	f.VisitAll(func(fl *flag.Flag) { names = append(names, fl.Name) })
	return Nearest(name, names)
}

// Usage reports a mistake in what we were asked.
func Usage(std Streams, err error) int {
	Complain(std.Err, "%v", err)
	return ExitUsage
}

// Failed reports a fault of the run itself.
func Failed(std Streams, err error) int {
	Complain(std.Err, "%v", err)
	return ExitFailed
}

// KindOf says in words what values a flag takes.
func KindOf(fl *flag.Flag) string {
	if k, ok := fl.Value.(interface{ Kind() string }); ok {
		return k.Kind()
	}
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
	case time.Duration:
		return "a time with its unit, such as 30s, 5m or 2h"
	}
	return "a value"
}
