package audit

import (
	"runtime/debug"
	"slices"
	"strings"
)

// raced: the race detector makes tests ten times slower. soaked: tests may take any time.
var (
	raced  = builtWith("-race", "true")
	soaked = builtWith("-tags", "soak")
)

// builtWith reports whether a setting of the build has a value among those that it lists.
func builtWith(key, value string) bool {
	info, _ := debug.ReadBuildInfo()
	return info != nil && slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
		return s.Key == key && slices.Contains(strings.Split(s.Value, ","), value)
	})
}
