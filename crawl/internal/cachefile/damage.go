package cachefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"syscall"

	"robots-audit/crawl/internal/weburl"
)

// unusableError says that a file is damaged or no cache of ours.
type unusableError struct{ why error }

func (e *unusableError) Error() string { return e.why.Error() }

// maxCacheDetail is how much of a fault is told, in bytes.
const maxDetail = 300

// damage tells the trouble of a file from that of the system it lies on.
func damage(err error) error {
	if err == nil || errors.As(err, new(*fs.PathError)) || errors.As(err, new(*os.SyscallError)) || errors.As(err, new(syscall.Errno)) ||
		errors.As(err, new(*unusableError)) {
		return err
	}
	return &unusableError{err}
}

// recovering calls f, which uses the file. bbolt takes a file for sound that it
// has opened: over a damaged page it panics, and where the end of the file
// is missing, reading is an address fault. Both become an *unusableError; the
// file's lock is then given up, since bbolt cannot be asked to any more.
//
// What cannot be recovered from, as a page that leads back to itself, checkBolt has looked for.
func (c *File) recovering(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			err = &unusableError{errors.New(weburl.Truncate(fmt.Sprintf("it is damaged: %v", fault), maxDetail))}
			c.broken = true
			if c.file != nil {
				c.file.Close()
			}
		}
	}()
	return f()
}
