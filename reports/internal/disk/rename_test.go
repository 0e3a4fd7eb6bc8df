package disk

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// Rename waits for a file that is open elsewhere for a moment, names one that stays open, and
// reports a file that may not be written at once.
func TestRenameHeld(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fails   int // number of times, with the Windows error for an open file: access denied
		held    bool
		tries   int
		problem string
	}{
		"nobody has it":     {0, false, 1, ""},
		"a virus scanner":   {3, true, 4, ""},
		"a spreadsheet":     {1000, true, 11, "new is open in another program"},
		"it is not allowed": {1000, false, 1, "permission denied"},
	} {
		tries := 0
		r := renaming{rename: func(from, to string) error {
			if tries++; tries > c.fails {
				return nil
			}
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrPermission}
		}, held: func(name string) bool { return c.held && name == "new" }}
		err := r.do("old", "new")
		if tries != c.tries || (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v after %d tries, want %q after %d", name, err, tries, c.problem, c.tries)
		}
		if held := new(HeldError); errors.As(err, &held) && !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v has lost what the system says", name, err)
		}
	}
}
