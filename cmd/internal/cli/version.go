package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"time"

	"robots-audit/reports"
)

const versionUse = `%[1]s version prints the version of the program, the version of Go, and the commit
of its source. "modified" means: files were changed after this commit.

Examples:
  %[1]s version
  %[1]s version -json | jq -r .commit
`

const versionMore = `-json prints one object with these keys: version, commit, date (of the commit, UTC),
modified, go and platform. commit and date are null where the source had no Git history.
%[1]s --version does the same as %[1]s version.
`

// NextVersion is the version of programs built between releases.
const NextVersion = "0.2.0-dev"

// releaseVersion is set by the linker for a release (.goreleaser.yaml).
var releaseVersion string

// Version is the program's version: that of the release, the tag of the checked-out source, or
// NextVersion.
var Version = cmp.Or(releaseVersion, reports.BuiltFrom().Tag, NextVersion)

// BuildJSON is the output of version -json. Scripts rely on it.
type BuildJSON struct {
	Version  string     `json:"version"`
	Commit   *string    `json:"commit"`
	Date     *time.Time `json:"date"`
	Modified bool       `json:"modified"`
	Go       string     `json:"go"`
	Platform string     `json:"platform"`
}

func runVersion(args []string, std Streams) int {
	f := flag.NewFlagSet("version", flag.ContinueOnError)
	asJSON := f.Bool("json", false, "print one JSON object")
	if code, ok := ParseFlags(f, args, Help{Use: fmt.Sprintf(versionUse, Current.Name), More: fmt.Sprintf(versionMore, Current.Name)}, std); !ok {
		return code
	}
	if f.NArg() > 0 {
		return Usage(std, errors.New("version takes no arguments. Remove them"))
	}
	source := reports.BuiltFrom()
	line := Current.Name + " " + Version + " " + runtime.Version()
	if source.Commit != "" {
		line += " " + reports.Build()
	}
	if source.Modified {
		line += " modified"
	}
	if *asJSON {
		b := BuildJSON{Version: Version, Modified: source.Modified, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
		if source.Commit != "" {
			b.Commit, b.Date = &source.Commit, &source.Time
		}
		text, err := json.Marshal(b)
		if err != nil {
			return Failed(std, err)
		}
		line = string(text)
	}
	if _, err := fmt.Fprintln(std.Out, line); err != nil {
		return Failed(std, err)
	}
	return ExitDone
}
