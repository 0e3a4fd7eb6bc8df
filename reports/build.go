package reports

import (
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/module"
)

// Source says what the program was built from, as Go's linker has noted it from
// version control. It is zero where that was not at hand, as in an unpacked archive.
type Source struct {
	Commit   string    // full revision, 40 digits
	Time     time.Time // of the commit, UTC
	Modified bool      // files were changed since
	Tag      string    // the commit's version tag without its v, "" where it has none
}

// Build returns the revision of the source that the program was built from, its
// first 12 digits; "unknown" where it was built outside of version control.
func Build() string {
	if commit := BuiltFrom().Commit; commit != "" {
		return commit[:min(12, len(commit))]
	}
	return "unknown"
}

// BuiltFrom returns what this program was built from.
func BuiltFrom() Source { return builtFrom() }

var builtFrom = sync.OnceValue(func() Source {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Source{}
	}
	return sourceOf(info)
})

func sourceOf(info *debug.BuildInfo) (s Source) {
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			s.Commit = setting.Value
		case "vcs.time":
			s.Time, _ = time.Parse(time.RFC3339, setting.Value) // Go's own form; zero if ever it is another
		case "vcs.modified":
			s.Modified = setting.Value == "true"
		}
	}
	// Go makes a version of commits without a tag as well, of time and revision.
	if v := info.Main.Version; v != "" && v != "(devel)" && !module.IsPseudoVersion(v) && !s.Modified {
		s.Tag = strings.TrimPrefix(v, "v")
	}
	return s
}
