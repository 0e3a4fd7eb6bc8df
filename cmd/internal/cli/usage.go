package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"
)

// ParseFlags reads the flags of a command without settings. Of the environment, it obeys the variables
// of Logging: who wants no log lines of an audit wants none here. If ok is false the command ends
// with code.
func ParseFlags(f *flag.FlagSet, args []string, help Help, std Streams) (code int, ok bool) {
	switch err := ParseArgs(f, args); {
	case errors.Is(err, flag.ErrHelp):
		return PrintHelp(std, f, help), false
	case err != nil:
		return Usage(std, err), false
	}
	if _, err := SetFromEnvironment(f, os.LookupEnv, "quiet", "verbose", "log-format"); err != nil {
		return Usage(std, err), false
	}
	return 0, true
}

// ParseArgs reads flags at any place among the arguments of a command; f.Args returns the others.
// After "--" there are no flags.
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

// flagMistake matches errors of package flag; its groups are the value, the flag and the problem.
var flagMistake = regexp.MustCompile(`(?s)^invalid (?:boolean )?value (".*") for (?:flag )?-([^\s:]+): (.*)$`)

// flagError rewords an error of package flag, and adds the valid values.
func flagError(f *flag.FlagSet, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	lists := fmt.Sprintf("\"%s help %s all\" lists all flags.", Current.Name, f.Name())
	if m := flagMistake.FindStringSubmatch(err.Error()); m != nil {
		if fl := f.Lookup(m[2]); fl != nil && (m[3] == "parse error" || m[3] == "value out of range") {
			m[3] = "expected " + KindOf(fl)
		}
		return fmt.Errorf("-%s %s: %s", m[2], m[1], m[3])
	}
	if _, name, ok := strings.Cut(err.Error(), "flag provided but not defined: -"); ok {
		var names []string
		f.VisitAll(func(fl *flag.Flag) { names = append(names, fl.Name) })
		return fmt.Errorf("unknown flag -%s%s %s", name, DidYouMean(name, names, "-"), lists)
	}
	if _, name, ok := strings.Cut(err.Error(), "flag needs an argument: "); ok {
		return fmt.Errorf("%s: the value is missing. Write it after the flag. %s", name, lists)
	}
	_, word, _ := strings.Cut(err.Error(), ": ")
	return fmt.Errorf("%s: not a flag. %s", word, lists)
}

// DidYouMean ends a sentence about an unknown name with the name that was probably intended.
func DidYouMean(name string, names []string, mark string) string {
	if meant := Nearest(name, names); meant != "" {
		return ". Did you mean " + mark + meant + "?"
	}
	return "."
}

// Usage reports wrong usage.
func Usage(std Streams, err error) int {
	Complain(std.Err, "%v", err)
	return ExitUsage
}

// Failed reports an error of the run itself.
func Failed(std Streams, err error) int {
	Complain(std.Err, "%v", err)
	return ExitFailed
}

// KindOf describes the values of a flag.
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
