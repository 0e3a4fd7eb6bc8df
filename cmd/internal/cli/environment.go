package cli

import (
	"flag"
	"slices"
	"strings"
)

// environmentPrefix is the prefix of environment variables that are settings.
const environmentPrefix = "ROBOTS_AUDIT_"

// EnvironmentName is the environment variable of a flag.
func EnvironmentName(flag string) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
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
