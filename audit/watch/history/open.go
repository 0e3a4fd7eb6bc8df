package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Names of files in a history's folder.
const (
	fileName = "history.db"
	newName  = "history.db.new" // one that is being made
	lockName = "lock"
	nameLock = "lock-name" // of the name history.db: who writes beside, and who gives the name to a new file
)

// DB is an open history. Its methods may be called at once from several goroutines,
// but one that writes waits while a Tx is open, and must not be called by its owner.
type DB struct {
	dir, file string
	options   options
	lock      *flock.Flock // of the folder, or of the name; nil = this process has neither
	write     *sql.DB      // one connection; nil = read only
	read      *sql.DB
	carry     *carrier // of an old file, while this one is made again; nil = it is not
}

// options are what only tests change.
type options struct {
	layout layout
	busy   time.Duration // how long SQLite waits for another connection that writes
}

var usual = options{layout: current, busy: 5 * time.Second}

// checkedUpTo is the size in bytes of a file that is searched for damage whenever it is
// opened. A larger one is searched after a kill only: damage in it is found where it is
// read.
const checkedUpTo = 4 << 20

// Open opens the history in a folder for writing, and makes both where there is none.
// An older file is brought forward. The folder is locked until Close: ErrLocked where
// another process has it.
func Open(ctx context.Context, dir string) (*DB, error) { return open(ctx, dir, usual) }

func open(ctx context.Context, dir string, o options) (*DB, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, readOnly(err)
	}
	db, err := owned(dir, o)
	if err != nil {
		return nil, err
	}
	if err := db.openWrite(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// Lock locks the folder of a history whose file cannot be used, until release: while it is
// locked nobody opens it for writing. ErrLocked where another process has it.
func Lock(dir string) (release func() error, err error) {
	db, err := owned(dir, usual)
	if err != nil {
		return nil, err
	}
	return db.Close, nil
}

// owned returns a history, not yet open, whose folder is locked.
func owned(dir string, o options) (*DB, error) {
	db := &DB{dir: dir, file: filepath.Join(dir, fileName), options: o}
	if err := checkPlain(dir); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(dir, lockName))
	ok, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, readOnly(err)
	case !ok:
		return nil, fmt.Errorf("%s: %w", dir, ErrLocked)
	}
	db.lock = lock
	return db, nil
}

// readOnly adds to an error of the file system what it means for a history.
func readOnly(err error) error {
	if isReadOnly(err) {
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return err
}

// openWrite opens the file of a folder that is locked. It looks before it writes: to
// open a file for writing changes it.
func (db *DB) openWrite(ctx context.Context) error {
	clean, err := db.ready(ctx)
	if err != nil {
		return err
	}
	if err := db.connectRead(false); err != nil {
		return db.explain(err)
	}
	version, err := db.checkVersion(ctx)
	if err != nil {
		return err
	}
	if !clean {
		if err := db.Check(ctx); err != nil {
			return err
		}
	}
	if err := db.connectWrite(); err != nil {
		return db.explain(err)
	}
	if err := db.tryWrite(ctx, version); err != nil {
		return db.explain(err)
	}
	if version < db.options.layout.version() {
		if err := db.options.layout.migrate(ctx, db.write, version); err != nil {
			return db.explain(err)
		}
	}
	return db.explain(makeViews(ctx, db.write))
}

// ready makes the file where there is none, under another name first: a history.db is
// whole from its first moment. It reports whether a file needs no search for damage.
func (db *DB) ready(ctx context.Context) (clean bool, err error) {
	info, err := os.Stat(db.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if wal, err := os.Lstat(db.file + "-wal"); err == nil && wal.Size() > 0 { // SQLite would write the old file's pages into the new one
			return false, fmt.Errorf("%s: %w (the file is gone, and its %s is there)", db.file, ErrDamaged, filepath.Base(db.file+"-wal"))
		}
		fresh, err := db.fresh(ctx)
		if err != nil {
			return false, err
		}
		if err := errors.Join(fresh.fold(ctx), fresh.closeFiles()); err != nil {
			return false, err
		}
		return true, replace(fresh.file, db.file)
	case err != nil:
		return false, err
	}
	if err := db.checkFile(info); err != nil {
		return false, err
	}
	_, err = os.Stat(db.file + "-wal") // left by a kill: Close removes it
	return errors.Is(err, fs.ErrNotExist) && info.Size() > checkedUpTo, nil
}

// fresh makes an empty history beside the file, and opens it for writing.
func (db *DB) fresh(ctx context.Context) (*DB, error) {
	made := &DB{dir: db.dir, file: filepath.Join(db.dir, newName), options: db.options}
	for _, end := range append([]string{""}, besideEnds...) {
		if err := os.Remove(made.file + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, readOnly(err)
		}
	}
	f, err := os.OpenFile(made.file, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) // it names all sites, also those with passwords
	if err != nil {
		return nil, readOnly(err)
	}
	f.Close() // empty: SQLite makes a database of it
	if err := made.connectWrite(); err != nil {
		return nil, made.explain(err)
	}
	err = made.options.layout.migrate(ctx, made.write, 0)
	if err == nil {
		err = makeViews(ctx, made.write) // who reads it need not be this program
	}
	if err != nil {
		made.closeFiles()
		return nil, made.explain(err)
	}
	return made, nil
}

// OpenReader opens the history in a folder for reading: beside a process that writes,
// and from a medium that cannot be written. fs.ErrNotExist where there is none,
// ErrOlder where it has to be opened for writing first.
func OpenReader(ctx context.Context, dir string) (*DB, error) { return openReader(ctx, dir, usual) }

func openReader(ctx context.Context, dir string, o options) (*DB, error) {
	db := &DB{dir: dir, file: filepath.Join(dir, fileName), options: o}
	info, err := os.Lstat(db.file)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(checkPlain(dir), db.checkFile(info)); err != nil {
		return nil, err
	}
	if err := db.tryRead(ctx, false); err != nil {
		wal, statErr := os.Stat(db.file + "-wal")
		switch {
		case !errors.Is(err, ErrReadOnly):
			return nil, err
		case statErr == nil && wal.Size() > 0:
			return nil, fmt.Errorf("%s has data that %s does not have, and this folder is read-only. Copy both to another folder: %w", db.file+"-wal", fileName, err)
		}
		if err := db.tryRead(ctx, true); err != nil { // nobody can write it: SQLite needs no lock
			return nil, err
		}
	}
	return db, nil
}

// tryRead opens the file for reading.
func (db *DB) tryRead(ctx context.Context, immutable bool) error {
	if err := db.connectRead(immutable); err != nil {
		return db.explain(err)
	}
	version, err := db.checkVersion(ctx)
	if err == nil && version < db.options.layout.version() {
		err = fmt.Errorf("%s: %w", db.file, ErrOlder)
	}
	if err == nil {
		var tables int // what is not of SQLite's header is read, too
		err = db.explain(db.read.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables))
	}
	if err != nil {
		db.closeFiles()
	}
	return err
}

// OpenBeside opens the history in a folder to read it and to acknowledge alerts, also
// while another process owns it. ErrLocked is then returned by Acknowledge while a run is
// being entered, for more than a few seconds. Until Close, no history that is made again
// takes the file's place, so that what was acknowledged is in it; ErrLocked where one is
// just doing so.
func OpenBeside(ctx context.Context, dir string) (*DB, error) { return openBeside(ctx, dir, usual) }

func openBeside(ctx context.Context, dir string, o options) (*DB, error) {
	if _, err := os.Lstat(filepath.Join(dir, fileName)); err != nil {
		return nil, err
	}
	if err := checkPlain(dir); err != nil {
		return nil, err
	}
	lock, err := lockTheName(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	db, err := openReader(ctx, dir, o)
	if err != nil {
		lock.Unlock()
		return nil, err
	}
	db.lock = lock
	if err := db.connectWrite(); err != nil {
		db.Close()
		return nil, db.explain(err)
	}
	return db, nil
}

// lockTheName waits for the lock of the name history.db.
func lockTheName(ctx context.Context, dir string, o options) (*flock.Flock, error) {
	waiting, cancel := context.WithTimeout(ctx, o.busy)
	defer cancel()
	lock := flock.New(filepath.Join(dir, nameLock))
	ok, err := lock.TryLockContext(waiting, 20*time.Millisecond)
	switch {
	case ok:
		return lock, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: %w", dir, ErrLocked)
	default:
		return nil, readOnly(err)
	}
}
