package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"robots-audit/crawl/errno"
)

// On Windows a file that a program has open can be neither replaced nor renamed. A virus scanner
// closes a new file soon, a spreadsheet program only when the user closes the workbook.

// renaming is os.Rename that waits for programs that have a file open for a moment.
type renaming struct {
	rename func(from, to string) error
	held   func(name string) bool // by another program, so that it cannot be replaced
	first  time.Duration          // how long the first wait is; the tenth is the last
}

var system = renaming{os.Rename, heldOpen, time.Millisecond}

// Rename is os.Rename. If another program keeps a file open for more than about a second, the error
// says so and names the file. The file with the new name is then unchanged.
func Rename(from, to string) error { return system.do(from, to) }

func (r renaming) do(from, to string) error {
	for n := 0; ; n++ {
		err := r.rename(from, to)
		if err == nil || !errno.HeldOpen(err) && !errors.Is(err, fs.ErrPermission) {
			return err
		}
		name := to // Windows also reports an open file as one that may not be written
		if !r.held(to) {
			if name = from; !errno.HeldOpen(err) {
				return err
			}
		}
		if n == 10 {
			return &HeldError{name, err}
		}
		time.Sleep(r.first << n)
	}
}

// HeldError says that another program has a file open.
type HeldError struct {
	Name string
	Err  error // the error of the system
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("%s is open in another program, perhaps a spreadsheet, and stays as it was; close it there (%v)", e.Name, e.Err)
}

func (e *HeldError) Unwrap() error { return e.Err }
