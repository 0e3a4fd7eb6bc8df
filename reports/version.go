package reports

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/semver"
)

// runFormat is the form of what lies in a run's folder: run.json, the journal, records and
// evidence. It is counted up where a version before would take what is written for something
// else; a key or a file that is new, and may be passed over, leaves it as it is. A run.json
// that has none is of version 0.1.0, and of the form 1.
const runFormat = 1

// ErrNewer is that a newer version has made a run, which this one cannot read, or would write
// to without what it does not know.
var ErrNewer = errors.New("a newer version of this program made the run; use that one")

// checkFormat returns an error where the form that a run.json names is not known yet. What is
// wrong with it in another way is no error here.
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

// checkWriter returns an error where a version may not write to a run: to one of a newer release
// it would lose what it does not know. What it cannot tell is no error.
func (m *manifest) checkWriter(version string) error {
	if newerRelease(m.Version, version) {
		return fmt.Errorf("%w (%s; this is %s)", ErrNewer, m.Version, version)
	}
	return nil
}

// goesOn reports whether a version may go on with a run that another one began: a later one may,
// unless its major number is another.
func goesOn(version, began string) bool {
	if version == began {
		return true
	}
	v, b := canonical(version), canonical(began)
	return semver.IsValid(v) && semver.IsValid(b) && semver.Major(v) == semver.Major(b) && !newerRelease(began, version)
}

// newerRelease reports whether a version is newer than another by its first two numbers. The third
// changes nothing of what is written, nor does what follows it: "0.2.0-dev" becomes 0.2.0.
func newerRelease(version, than string) bool {
	v, t := canonical(version), canonical(than)
	return semver.IsValid(v) && semver.IsValid(t) && semver.Compare(semver.MajorMinor(v), semver.MajorMinor(t)) > 0
}

// canonical is a version as package semver has it.
func canonical(version string) string { return "v" + strings.TrimPrefix(version, "v") }
