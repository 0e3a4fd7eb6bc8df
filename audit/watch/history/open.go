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
	newName  = "history.db.new" // a file under construction
	lockName = "lock"
	nameLock = "lock-name" // protects the name history.db, for OpenBeside and for replacing the file
)

// DB is an open history. Several goroutines may call its methods at once. A method that writes
// waits while a Tx is open, so the owner of the Tx must not call it.
type DB struct {
	dir, file string
	options   options
	lock      *flock.Flock // on the folder, or on the name; nil = no lock
	write     *sql.DB      // one connection; nil = read only
	read      *sql.DB
	carry     *carrier // the old file during a rebuild; else nil
}

// options are settings that only tests change.
type options struct {
	layout layout
	busy   time.Duration // how long SQLite waits for another connection that writes
}

var usual = options{layout: current, busy: 5 * time.Second}

// checkedUpTo is the maximum size in bytes of a file that is checked for damage whenever it is
// opened. A larger one is only checked after a kill; other damage is found when it is read.
const checkedUpTo = 4 << 20

// Open opens the history in a folder for writing, and creates both if necessary. It upgrades an
// older file. The folder is locked until Close; ErrLocked if another process has it.
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

// Lock locks the folder of a history whose file cannot be used, until release. Meanwhile no process
// can open it for writing. ErrLocked if another process has it.
func Lock(dir string) (release func() error, err error) {
	db, err := owned(dir, usual)
	if err != nil {
		return nil, err
	}
	return db.Close, nil
}

// owned returns a history, not yet open, with a lock on its folder.
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

// readOnly marks an error of the file system that means a read-only history.
func readOnly(err error) error {
	if isReadOnly(err) {
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return err
}

// openWrite opens the file of a locked folder. It checks the file before, because opening a file
// for writing changes it.
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

// ready creates the file if there is none. It uses another name first, so that history.db is always
// complete. It reports whether a file needs no check for damage.
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

// fresh creates an empty history next to the file, and opens it for writing.
func (db *DB) fresh(ctx context.Context) (*DB, error) {
	made := &DB{dir: db.dir, file: filepath.Join(db.dir, newName), options: db.options}
	for _, end := range append([]string{""}, besideEnds...) {
		if err := os.Remove(made.file + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, readOnly(err)
		}
	}
	f, err := os.OpenFile(made.file, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) // the file names all sites, also those with passwords
	if err != nil {
		return nil, readOnly(err)
	}
	f.Close() // SQLite turns an empty file into a database
	if err := made.connectWrite(); err != nil {
		return nil, made.explain(err)
	}
	err = made.options.layout.migrate(ctx, made.write, 0)
	if err == nil {
		err = makeViews(ctx, made.write) // readers may be other programs
	}
	if err != nil {
		made.closeFiles()
		return nil, made.explain(err)
	}
	return made, nil
}

// OpenReader opens the history in a folder for reading, even while another process writes, and from
// a read-only medium. fs.ErrNotExist if there is none, ErrOlder if it must be opened for writing
// first.
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
		if err := db.tryRead(ctx, true); err != nil { // no process can write it, so SQLite needs no lock
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
		var tables int // also reads beyond SQLite's header
		err = db.explain(db.read.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables))
	}
	if err != nil {
		db.closeFiles()
	}
	return err
}

// OpenBeside opens the history in a folder to read it and to acknowledge alerts, even while another
// process owns it. Acknowledge returns ErrLocked if a run is being entered for more than a few
// seconds. Until Close, no rebuilt history replaces the file, so that acknowledgements are not
// lost. ErrLocked if one is just doing so.
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
