package cachefile

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// unusableError means that a file is damaged or is not our cache.
type unusableError struct{ why error }

func (e *unusableError) Error() string { return e.why.Error() }

// explain distinguishes errors of a file from errors of its system.
func explain(err error) error {
	var of *sqlite.Error
	if !errors.As(err, &of) {
		if err != nil && strings.Contains(err.Error(), "sql: Scan error") { // a value's type does not match its column
			return &unusableError{err}
		}
		return err
	}
	switch code := of.Code(); code & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return ErrBusy
	case sqlite3.SQLITE_FULL:
		return syscall.ENOSPC
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN:
		return fs.ErrPermission
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM:
		if code != sqlite3.SQLITE_IOERR_SHORT_READ {
			return err
		}
	}
	return &unusableError{err}
}
