// Package errno says what an error of the system means, whichever system that is. Windows has
// numbers of its own for what Unix has: those of package syscall that are named as on Unix are
// made up there, and no error of the system is one of them.
package errno

import (
	"errors"
	"io/fs"
	"syscall"
)

// numbers are those of one meaning.
type numbers []syscall.Errno

func (n numbers) mean(err error) bool {
	for _, e := range n {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// DiskFull reports whether an error says that there is no space left, or that a user's share of
// it is used up.
func DiskFull(err error) bool { return full.mean(err) }

// ReadOnly reports whether an error says that a file or folder may not be written.
func ReadOnly(err error) bool { return protected.mean(err) || errors.Is(err, fs.ErrPermission) }

// Protected reports whether an error says that nothing on a disk may be written, by nobody.
func Protected(err error) bool { return protected.mean(err) }

// HeldOpen reports whether an error says that another program has a file open, and lets nobody
// replace or read it meanwhile. Only Windows has that.
func HeldOpen(err error) bool { return held.mean(err) }

// OtherDisk reports whether an error says that a file cannot be renamed, since the new name is on
// another disk.
func OtherDisk(err error) bool { return otherDisk.mean(err) }

// NoName reports whether an error says that no file can have a name: it is too long, leads
// through a file that is no folder, or has letters that no name has.
func NoName(err error) bool { return noName.mean(err) }

// TooManyFiles reports whether an error says that this process, or all together, may open no
// more files and connections.
func TooManyFiles(err error) bool { return tooMany.mean(err) }

// AddressInUse reports whether an error says that somebody listens at an address already.
func AddressInUse(err error) bool { return inUse.mean(err) }

// Refused reports whether an error says that nobody listens at an address.
func Refused(err error) bool { return refused.mean(err) }

// Reset reports whether an error says that the other side broke a connection off.
func Reset(err error) bool { return reset.mean(err) }

// Gone reports whether an error says that nobody reads any more what is written.
func Gone(err error) bool { return gone.mean(err) }

// TimedOut reports whether an error says that the system has waited long enough.
func TimedOut(err error) bool { return timedOut.mean(err) }
