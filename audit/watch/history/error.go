package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Errors of a history. A full disk is syscall.ENOSPC, a folder without a history is fs.ErrNotExist.
var (
	ErrLocked   = errors.New("another process is writing to this history. Wait for it, or stop it")
	ErrNewer    = errors.New("the history was written by a newer version of this program. Use that version")
	ErrOlder    = errors.New("the history was written by an older version of this program. The next scheduled run upgrades it")
	ErrDamaged  = errors.New("the history is damaged. Rebuild it from the runs with: robots-audit schedule -reindex")
	ErrReadOnly = errors.New("the history cannot be written. Check the permissions of the folder, of the file, and of its -wal and -shm files")
	ErrNoRun    = errors.New("the history has no such run")
	ErrNoAlert  = errors.New("the history has no such alert")
)

// explain turns an error of SQLite into one that names the file and says what to do.
func (db *DB) explain(err error) error {
	var of *sqlite.Error
	switch {
	case err == nil, explained(err):
		return err
	case !errors.As(err, &of):
		if strings.Contains(err.Error(), "sql: Scan error") { // a value does not fit the type of its column; package sql has no error type for that
			return fmt.Errorf("%s: %w (%w)", db.file, ErrDamaged, err)
		}
		return err
	}
	meaning := error(nil)
	switch code := of.Code(); {
	case code&0xff == sqlite3.SQLITE_BUSY, code&0xff == sqlite3.SQLITE_LOCKED:
		meaning = ErrLocked
	case code&0xff == sqlite3.SQLITE_CORRUPT, code == sqlite3.SQLITE_NOTADB, lacks(of):
		meaning = ErrDamaged
	case code == sqlite3.SQLITE_FULL, code == sqlite3.SQLITE_IOERR_SHMSIZE:
		meaning = syscall.ENOSPC
	case code&0xff == sqlite3.SQLITE_READONLY, code&0xff == sqlite3.SQLITE_CANTOPEN && !writable(db.dir):
		meaning = ErrReadOnly
	case code == sqlite3.SQLITE_INTERRUPT:
		meaning = context.Canceled
	default:
		return fmt.Errorf("%s: %w", db.file, err)
	}
	return fmt.Errorf("%s: %w (%w)", db.file, meaning, err)
}

// explained reports whether explain made an error.
func explained(err error) bool {
	for _, known := range []error{ErrLocked, ErrDamaged, ErrReadOnly, syscall.ENOSPC, context.Canceled} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// lacks reports whether SQLite reports a missing table or column. A file of our version has all of
// them.
func lacks(err *sqlite.Error) bool {
	return err.Code() == sqlite3.SQLITE_ERROR && (strings.Contains(err.Error(), "no such table") || strings.Contains(err.Error(), "no such column"))
}

// writable reports whether files can be created in a folder.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}
