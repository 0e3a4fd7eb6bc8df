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

const versionHelp = `%[1]s version prints the version of the program, of Go, and the commit that
it was built from, marked "modified" where files were changed since. So does
%[1]s --version.

-json prints one object: version, commit and date (of the commit, UTC), both null
where the program was built outside of version control, modified, go, and platform
(operating system and processor).

Examples:
  %[1]s version
  %[1]s version -json | jq -r .commit
`

// NextVersion is what a program that was built between releases is called.
const NextVersion = "0.2.0-dev"

// releaseVersion is set by the linker where a release is built (.goreleaser.yaml).
var releaseVersion string

// Version is the program's version: the release's, or the tag's that the source was
// checked out at, or that of the next release.
var Version = cmp.Or(releaseVersion, reports.BuiltFrom().Tag, NextVersion)

// BuildJSON is what version -json prints: a promise to scripts.
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
	if code, ok := ParseFlags(f, args, fmt.Sprintf(versionHelp, Current.Name), std); !ok {
		return code
	}
	if f.NArg() > 0 {
		return Usage(std, errors.New("version takes no arguments"))
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
