// Package errno classifies errors of the operating system. Windows has its own error numbers:
// the Unix names in package syscall are invented there, and the system never returns them.
package errno

import (
	"errors"
	"io/fs"
	"syscall"
)

// numbers are the error numbers with one meaning.
type numbers []syscall.Errno

func (n numbers) mean(err error) bool {
	for _, e := range n {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// DiskFull reports whether an error means that there is no space left, or that a user's quota
// is used up.
func DiskFull(err error) bool { return full.mean(err) }

// ReadOnly reports whether an error means that a file or folder must not be
// written.
func ReadOnly(err error) bool { return protected.mean(err) || errors.Is(err, fs.ErrPermission) }

// Protected reports whether an error means that the whole disk is read-only for all users.
func Protected(err error) bool { return protected.mean(err) }

// HeldOpen reports whether another program has a file open and prevents that it is replaced or
// read. Only Windows has this error.
func HeldOpen(err error) bool { return held.mean(err) }

// OtherDisk reports whether a file cannot be renamed, since the new name is on another disk.
func OtherDisk(err error) bool { return otherDisk.mean(err) }

// NoName reports whether a file name is impossible: it is too long, leads through a file
// that is not a folder, or has invalid characters.
func NoName(err error) bool { return noName.mean(err) }

// TooManyFiles reports whether this process, or the system, has reached its limit of open
// files and connections.
func TooManyFiles(err error) bool { return tooMany.mean(err) }

// AddressInUse reports whether another program already listens at an address.
func AddressInUse(err error) bool { return inUse.mean(err) }

// Refused reports whether no program listens at an address.
func Refused(err error) bool { return refused.mean(err) }

// Reset reports whether the other side aborted a connection.
func Reset(err error) bool { return reset.mean(err) }

// Gone reports whether the other side no longer reads.
func Gone(err error) bool { return gone.mean(err) }

// TimedOut reports whether the system gave up waiting.
func TimedOut(err error) bool { return timedOut.mean(err) }
