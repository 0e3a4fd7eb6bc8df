package audits

import (
	"errors"
	"fmt"
	"os"

	"robots-audit/reports"
)

// ErrOut means that -out or -resume cannot be used as given: wrong usage.
var ErrOut = errors.New("-out")

// openRun opens the run in the folder of the settings. Without one, it creates a folder named by
// the time, plus a number if other runs began in the same second.
func (s *Settings) openRun(o reports.Options) (*reports.Run, error) {
	if s.Out == "" && s.Resume {
		return nil, fmt.Errorf("%w is missing: -resume needs the folder of the run to continue", ErrOut)
	}
	own := ""
	if s.Out == "" {
		own = "robots-audit-" + o.Started.Format("20060102-150405")
		s.Out = own
	}
	if info, err := os.Stat(s.Out); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%w %s: this is a file. Name a folder, or remove -out", ErrOut, s.Out)
	}
	o.Dir = s.Out
	run, err := reports.Open(o)
	for n := 2; own != "" && n < 100 && (errors.Is(err, reports.ErrExists) || errors.Is(err, reports.ErrLocked)); n++ {
		s.Out = fmt.Sprintf("%s-%d", own, n)
		o.Dir = s.Out
		run, err = reports.Open(o)
	}
	var mismatch *reports.MismatchError
	switch {
	case err == nil:
		return run, nil
	case errors.Is(err, reports.ErrNoRun):
		return nil, fmt.Errorf("%w %s: no run to continue here. Start one without -resume", ErrOut, s.Out)
	case errors.Is(err, reports.ErrExists), errors.Is(err, reports.ErrNewer):
		return nil, fmt.Errorf("%w %w", ErrOut, err)
	case errors.As(err, &mismatch):
		return nil, fmt.Errorf("%w %w. Use the same settings, or name another folder", ErrOut, err)
	case errors.Is(err, reports.ErrLocked):
		return nil, fmt.Errorf("-out %w. Wait until it ends, or name another folder", err)
	}
	return nil, fmt.Errorf("-out %w", err)
}
