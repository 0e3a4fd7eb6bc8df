package history

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Carried counts the data that Rebuild copied from the old file.
type Carried struct {
	Runs             int // runs that were not replayed
	Alerts           int // alerts that these raised
	Acknowledgements int
	Deliveries       int
	Lost             error  // why a part of the old file could not be read; nil = all was read
	Kept             string // new path of the damaged file; "" = it was not damaged
}

// Rebuild begins to rebuild a history: it makes an empty one next to the old file, and locks the
// folder. The caller replays the runs with folders, in the order of Compare, each with TakeOver,
// Begin, AddRun and so on. If a Tx is rolled back, the rebuild has failed. Other runs of the old
// file are copied in their positions, with the alerts that they raised. finish copies
// acknowledgements and deliveries, replaces the old file by the new one, and closes it. A damaged
// old file is kept as history.db.damaged-<time>. Close without finish leaves the old file
// unchanged.
func Rebuild(ctx context.Context, dir string) (db *DB, finish func(ctx context.Context, now time.Time) (Carried, error), err error) {
	return rebuild(ctx, dir, usual)
}

// TakeOver enters the runs of the old file that were not replayed and are older than the next one.
// Then queries give the same answers as when that run was first entered. It does nothing if the
// history is not rebuilt.
func (db *DB) TakeOver(ctx context.Context, next Run) error {
	if db.carry == nil || !db.carry.waits(next) {
		return nil
	}
	return db.update(ctx, func(tx *Tx) error { return db.carry.before(tx, next) })
}

// Compare orders two runs for the replay of a rebuild: those of the old file in the order of
// entering, others by their start.
func (db *DB) Compare(a, b Run) int { return db.carry.compare(a, b) }

// Held returns a run of the old file, which is copied unless it is replayed. It returns false if
// the old file lacks it, or is damaged, because then a replay is better.
func (db *DB) Held(id string) (Run, bool) {
	if db.carry == nil || !db.carry.whole {
		return Run{}, false
	}
	i := slices.IndexFunc(db.carry.runs, func(r Run) bool { return r.ID == id })
	if i < 0 {
		return Run{}, false
	}
	return db.carry.runs[i], true
}

func rebuild(ctx context.Context, dir string, o options) (*DB, func(context.Context, time.Time) (Carried, error), error) {
	owner, err := owned(dir, o)
	if err != nil {
		return nil, nil, err
	}
	carry, err := beginRebuild(ctx, owner)
	if err != nil {
		owner.Close()
		return nil, nil, err
	}
	db, err := owner.fresh(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, carry.close(), owner.Close())
	}
	db.lock, db.carry = owner.lock, carry
	if err := db.connectRead(false); err != nil {
		db.Close()
		return nil, nil, err
	}
	return db, db.finish, nil
}

// beginRebuild checks the old file. It refuses one of a newer program, or one that another process
// writes to. It upgrades an older one first.
func beginRebuild(ctx context.Context, owner *DB) (*carrier, error) {
	if _, err := os.Lstat(owner.file); errors.Is(err, fs.ErrNotExist) {
		return newCarrier(ctx, owner.dir, owner.options), nil
	}
	err := owner.openWrite(ctx)
	owner.closeFiles() // its write-ahead log is now in the file
	switch {
	case err == nil, errors.Is(err, ErrDamaged):
		return newCarrier(ctx, owner.dir, owner.options), nil
	default:
		return nil, err
	}
}

// finish ends a rebuild.
func (db *DB) finish(ctx context.Context, now time.Time) (Carried, error) {
	carry := db.carry
	defer db.Close()
	lock, err := lockTheName(ctx, db.dir, db.options) // later acknowledgements wait for the new file
	if err != nil {
		return carry.carried, err
	}
	defer lock.Unlock()
	if err := db.update(ctx, carry.finish); err != nil {
		return carry.carried, err
	}
	if err := errors.Join(carry.close(), db.fold(ctx), db.closeFiles()); err != nil {
		return carry.carried, err
	}
	file := filepath.Join(db.dir, fileName)
	if carry.carried.Lost != nil {
		carry.carried.Kept = damagedName(file, now)
		if err := keepDamaged(file, carry.carried.Kept); err != nil {
			return carry.carried, err
		}
	}
	if info, err := os.Stat(file); err == nil { // keep the permissions that its owner chose
		if err := os.Chmod(db.file, info.Mode().Perm()); err != nil {
			return carry.carried, err
		}
	}
	for _, end := range []string{"-wal", "-shm"} { // they are empty, because the file was read completely
		if err := os.Remove(file + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return carry.carried, err
		}
	}
	return carry.carried, replace(db.file, file)
}

// keepDamaged gives a damaged file another name, with the files that SQLite wrote next to it. It
// has both names until the new file takes the old one. Where a file cannot have two names, it is
// renamed.
func keepDamaged(file, as string) error {
	for _, end := range []string{"-wal", ""} {
		of, err := os.Stat(file + end)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if is, err := os.Lstat(as + end); err == nil {
			if os.SameFile(is, of) { // a kill came before the new file took its name
				continue
			}
			return &fs.PathError{Op: "keep", Path: as + end, Err: fs.ErrExist}
		}
		if err := os.Link(file+end, as+end); err == nil {
			continue
		}
		if err := os.Rename(file+end, as+end); err != nil {
			return err
		}
	}
	return nil
}
