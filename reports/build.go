package reports

import (
	"runtime/debug"
	"sync"
)

// Build returns the revision of the source that the program was built from, its
// first 12 digits; "unknown" where it was built outside of version control.
func Build() string { return build() }

var build = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return "unknown"
})
