package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"robots-audit/engine/wording"
	"robots-audit/reports"
)

// errOut is that -out or -resume ask for what cannot be: a mistake of use.
var errOut = errors.New("-out")

// openRun opens the run in the folder that the settings name. Where they name
// none, it makes one of its own, named by the time, and by a number where
// others began in the same second.
func (s *settings) openRun(o reports.Options) (*reports.Run, error) {
	if s.out == "" && s.resume {
		return nil, fmt.Errorf("%w is missing: -resume needs the folder of the run to go on with", errOut)
	}
	own := ""
	if s.out == "" {
		own = "robots-audit-" + o.Started.Format("20060102-150405")
		s.out = own
	}
	if info, err := os.Stat(s.out); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%w %s: that is a file; name a folder, or none for one of its own", errOut, s.out)
	}
	o.Dir = s.out
	run, err := reports.Open(o)
	for n := 2; own != "" && n < 100 && (errors.Is(err, reports.ErrExists) || errors.Is(err, reports.ErrLocked)); n++ {
		s.out = fmt.Sprintf("%s-%d", own, n)
		o.Dir = s.out
		run, err = reports.Open(o)
	}
	var mismatch *reports.MismatchError
	switch {
	case err == nil:
		return run, nil
	case errors.Is(err, reports.ErrNoRun):
		return nil, fmt.Errorf("%w %s: there is no run to go on with; one begins there without -resume", errOut, s.out)
	case errors.Is(err, reports.ErrExists), errors.Is(err, reports.ErrNewer):
		return nil, fmt.Errorf("%w %w", errOut, err)
	case errors.As(err, &mismatch):
		return nil, fmt.Errorf("%w %w; go on with those, or name another folder", errOut, err)
	case errors.Is(err, reports.ErrLocked):
		return nil, fmt.Errorf("-out %w; wait until it has ended, or name another", err)
	}
	return nil, fmt.Errorf("-out %w", err)
}

// firstFiles names the files of a run that a reader opens first, of those that are there.
func firstFiles(out string) string {
	if strings.Contains(out, "://") { // a bucket that is no folder
		return out + "/index.html"
	}
	first := ""
	for _, name := range []string{"index.html", "summary.xlsx", "summary.md"} {
		name = filepath.Join(out, name)
		if _, err := os.Stat(name); err == nil && (first == "" || filepath.Base(name) != "summary.md") {
			first = wording.Join(first, name)
		}
	}
	if first == "" { // they cannot be looked at; a run has both unless it is told otherwise
		return filepath.Join(out, "index.html") + ", " + filepath.Join(out, "summary.xlsx")
	}
	return first
}
