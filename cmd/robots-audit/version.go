package main

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

const versionHelp = `robots-audit version prints the version of the program, of Go, and the commit that
it was built from, marked "modified" where files were changed since. So does
robots-audit --version.

-json prints one object: version, commit and date (of the commit, UTC), both null
where the program was built outside of version control, modified, go, and platform
(operating system and processor).

Examples:
  robots-audit version
  robots-audit version -json | jq -r .commit
`

// nextVersion is what a program that was built between releases is called.
const nextVersion = "0.2.0-dev"

// releaseVersion is set by the linker where a release is built (.goreleaser.yaml).
var releaseVersion string

// version is the program's version: the release's, or the tag's that the source was
// checked out at, or that of the next release.
var version = cmp.Or(releaseVersion, reports.BuiltFrom().Tag, nextVersion)

// buildJSON is what version -json prints: a promise to scripts.
type buildJSON struct {
	Version  string     `json:"version"`
	Commit   *string    `json:"commit"`
	Date     *time.Time `json:"date"`
	Modified bool       `json:"modified"`
	Go       string     `json:"go"`
	Platform string     `json:"platform"`
}

func runVersion(args []string, std streams) int {
	f := flag.NewFlagSet("version", flag.ContinueOnError)
	asJSON := f.Bool("json", false, "print one JSON object")
	if code, ok := parseFlags(f, args, versionHelp, std); !ok {
		return code
	}
	if f.NArg() > 0 {
		return usage(std, errors.New("version takes no arguments"))
	}
	source := reports.BuiltFrom()
	line := "robots-audit " + version + " " + runtime.Version()
	if source.Commit != "" {
		line += " " + reports.Build()
	}
	if source.Modified {
		line += " modified"
	}
	if *asJSON {
		b := buildJSON{Version: version, Modified: source.Modified, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
		if source.Commit != "" {
			b.Commit, b.Date = &source.Commit, &source.Time
		}
		text, err := json.Marshal(b)
		if err != nil {
			return failed(std, err)
		}
		line = string(text)
	}
	if _, err := fmt.Fprintln(std.out, line); err != nil {
		return failed(std, err)
	}
	return exitDone
}
