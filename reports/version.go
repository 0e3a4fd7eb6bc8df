package reports

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/semver"
)

// runFormat is the format of the files in a run's folder: run.json, the journal, records and
// evidence. It increases when an older version would misread the files. New keys or files that
// older versions may ignore do not change it. A run.json without it is from version 0.1.0, and has
// format 1.
const runFormat = 1

// ErrNewer says that a newer version made a run. This version cannot read it, or would lose data
// when writing to it.
var ErrNewer = errors.New("a newer version of this program made the run; use that one")

// checkFormat returns an error if the format in a run.json is not known yet. It ignores all other
// errors in the file.
func checkFormat(text []byte) error {
	var of struct {
		Version string
		Format  int
	}
	if unseal(text, &of) != nil || of.Format <= runFormat {
		return nil
	}
	return fmt.Errorf("%w (version %s, whose runs have the form %d; this one reads those up to %d)", ErrNewer, of.Version, of.Format, runFormat)
}

// checkWriter returns an error if a version may not write to a run: it would lose data of a newer
// release. It returns no error if the versions cannot be compared.
func (m *manifest) checkWriter(version string) error {
	if newerRelease(m.Version, version) {
		return fmt.Errorf("%w (%s; this is %s)", ErrNewer, m.Version, version)
	}
	return nil
}

// goesOn reports whether a version may resume a run that another one began: a later one may, unless
// its major number differs.
func goesOn(version, began string) bool {
	if version == began {
		return true
	}
	v, b := canonical(version), canonical(began)
	return semver.IsValid(v) && semver.IsValid(b) && semver.Major(v) == semver.Major(b) && !newerRelease(began, version)
}

// newerRelease reports whether a version is newer than another by its first two numbers. The third
// number and any suffix change nothing in the written files: "0.2.0-dev" becomes 0.2.0.
func newerRelease(version, than string) bool {
	v, t := canonical(version), canonical(than)
	return semver.IsValid(v) && semver.IsValid(t) && semver.Compare(semver.MajorMinor(v), semver.MajorMinor(t)) > 0
}

// canonical is a version as package semver has it.
func canonical(version string) string { return "v" + strings.TrimPrefix(version, "v") }
