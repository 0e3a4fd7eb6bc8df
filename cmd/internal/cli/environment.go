package cli

import (
	"flag"
	"slices"
	"strings"
)

// environmentPrefix begins the names of the environment variables that are settings.
const environmentPrefix = "ROBOTS_AUDIT_"

// EnvironmentName is the environment variable of a flag.
func EnvironmentName(flag string) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// UnknownEnvironment tells of environment variables that are named as settings are, and
// are none. They are no mistake: other programs may have variables of such names.
func UnknownEnvironment(f *flag.FlagSet, environ []string) (texts []string) {
	var names []string
	f.VisitAll(func(fl *flag.Flag) { names = append(names, EnvironmentName(fl.Name)) })
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(strings.ToUpper(name), environmentPrefix) || slices.Contains(names, name) {
			continue
		}
		text := "environment variable " + name + " is no setting, and is left alone"
		if meant := Nearest(name, names); meant != "" {
			text += ": did you mean " + meant + "?"
		}
		texts = append(texts, text)
	}
	return texts
}
