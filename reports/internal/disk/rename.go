package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"robots-audit/crawl/errno"
)

// On Windows a file that a program has open can be neither replaced nor renamed. A virus
// scanner lets go of a new file soon, a spreadsheet of a workbook when it is closed.

// renaming is os.Rename with patience for what holds a file open for a moment.
type renaming struct {
	rename func(from, to string) error
	held   func(name string) bool // by another program, so that it cannot be replaced
	first  time.Duration          // how long the first wait is; the tenth is the last
}

var system = renaming{os.Rename, heldOpen, time.Millisecond}

// Rename is os.Rename. Where another program has a file open and keeps it, after about a second,
// the error says so and which, and the file with the new name is as it was.
func Rename(from, to string) error { return system.do(from, to) }

func (r renaming) do(from, to string) error {
	for n := 0; ; n++ {
		err := r.rename(from, to)
		if err == nil || !errno.HeldOpen(err) && !errors.Is(err, fs.ErrPermission) {
			return err
		}
		name := to // Windows says of one that is open that it may not be written, too
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

// HeldError is that of a file which another program has open.
type HeldError struct {
	Name string
	Err  error // what the system says
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("%s is open in another program, perhaps a spreadsheet, and stays as it was; close it there (%v)", e.Name, e.Err)
}

func (e *HeldError) Unwrap() error { return e.Err }
