package reports

import (
	"errors"
	"fmt"
)

// Discard closes a run that is given up: it writes no summary, and unlocks the folder.
func (r *Run) Discard() error {
	if err := errors.Join(r.done.journal.close(), r.release()); err != nil {
		return fmt.Errorf("%s: %w", r.Dir, err)
	}
	return nil
}
