package cli

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
)

// environmentPrefix is the prefix of environment variables that are settings.
const environmentPrefix = "ROBOTS_AUDIT_"

// EnvironmentName is the environment variable of a flag.
func EnvironmentName(flag string) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// SetFromEnvironment sets the flags that the command line did not set to the values of their variables:
// the named flags; none = all. It returns the flags that are set by now.
func SetFromEnvironment(f *flag.FlagSet, environ func(string) (string, bool), names ...string) (set map[string]bool, err error) {
	set = map[string]bool{}
	f.Visit(func(fl *flag.Flag) { set[fl.Name] = true })
	var errs []error
	f.VisitAll(func(fl *flag.Flag) {
		name := EnvironmentName(fl.Name)
		value, ok := environ(name)
		if !ok || set[fl.Name] || len(names) > 0 && !slices.Contains(names, fl.Name) {
			return
		}
		set[fl.Name] = true
		if f.Set(fl.Name, value) != nil {
			errs = append(errs, fmt.Errorf("environment variable %s=%q: expected %s", name, value, KindOf(fl)))
		}
	})
	return set, errors.Join(errs...)
}

// UnknownEnvironment lists environment variables that look like settings but are none. This is no
// error, since other programs may use such names.
func UnknownEnvironment(f *flag.FlagSet, environ []string) (texts []string) {
	var names []string
	f.VisitAll(func(fl *flag.Flag) { names = append(names, EnvironmentName(fl.Name)) })
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(strings.ToUpper(name), environmentPrefix) || slices.Contains(names, name) {
			continue
		}
		texts = append(texts, "environment variable "+name+" is not a setting and is ignored"+DidYouMean(name, names, ""))
	}
	return texts
}
