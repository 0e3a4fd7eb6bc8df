package reports

import (
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/module"
)

// Source is the version control state that the program was built from, as Go's linker recorded it.
// It is zero if the build had no version control, as in an unpacked archive.
type Source struct {
	Commit   string    // full revision, 40 digits
	Time     time.Time // of the commit, UTC
	Modified bool      // files were changed since
	Tag      string    // the commit's version tag without its v, "" = no tag
}

// Build returns the first 12 digits of the revision that the program was built from, or "unknown"
// if it was built outside of version control.
func Build() string {
	if commit := BuiltFrom().Commit; commit != "" {
		return commit[:min(12, len(commit))]
	}
	return "unknown"
}

// BuiltFrom returns the source that this program was built from.
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
			s.Time, _ = time.Parse(time.RFC3339, setting.Value) // Go's own format; zero if that ever changes
		case "vcs.modified":
			s.Modified = setting.Value == "true"
		}
	}
	// Go also makes a version, from time and revision, for commits without a tag.
	if v := info.Main.Version; v != "" && v != "(devel)" && !module.IsPseudoVersion(v) && !s.Modified {
		s.Tag = strings.TrimPrefix(v, "v")
	}
	return s
}
