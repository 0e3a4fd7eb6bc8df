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

// Carried is what Rebuild took over from the old file.
type Carried struct {
	Runs             int // that were not replayed
	Alerts           int // that these raised
	Acknowledgements int
	Deliveries       int
	Lost             error  // why something of the old file could not be read; nil = all of it was
	Kept             string // where the damaged file is now; "" = it was not damaged
}

// Rebuild begins a history that is made again: an empty one beside the old file, with the
// folder locked. The caller replays the runs whose folders are there, in the order of Compare,
// each with TakeOver, Begin, AddRun and so on; a Tx that is given up gives up the whole.
// Runs of the old file that are not replayed are taken over from it in their places, with
// the alerts that they raised. finish takes over acknowledgements
// and deliveries, puts the new file in the place of the old one, and closes it; a
// damaged old one is kept as history.db.damaged-<time>. Close without finish leaves the
// old file as it was.
func Rebuild(ctx context.Context, dir string) (db *DB, finish func(ctx context.Context, now time.Time) (Carried, error), err error) {
	return rebuild(ctx, dir, usual)
}

// TakeOver enters the runs of the old file that were not replayed, and that are older than
// one that comes next: the methods that read then answer as they did when that
// run was entered first. A history that is not made again is left as it is.
func (db *DB) TakeOver(ctx context.Context, next Run) error {
	if db.carry == nil || !db.carry.waits(next) {
		return nil
	}
	return db.update(ctx, func(tx *Tx) error { return db.carry.before(tx, next) })
}

// Compare orders two runs as they are replayed, while the history is made again: those of the old
// file in the order in which they were entered, and others by their start.
func (db *DB) Compare(a, b Run) int { return db.carry.compare(a, b) }

// Held returns a run as the old file has it, which is taken over unless it is replayed:
// false where it has none of that id, or where the old file is damaged, so that it is
// better replayed.
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

// beginRebuild looks at the old file. One of a newer program is not made again, nor one
// that another process writes to; an older one is brought forward first.
func beginRebuild(ctx context.Context, owner *DB) (*carrier, error) {
	if _, err := os.Lstat(owner.file); errors.Is(err, fs.ErrNotExist) {
		return newCarrier(ctx, owner.dir, owner.options), nil
	}
	err := owner.openWrite(ctx)
	owner.closeFiles() // what lies in its write-ahead log is in the file now
	switch {
	case err == nil, errors.Is(err, ErrDamaged):
		return newCarrier(ctx, owner.dir, owner.options), nil
	default:
		return nil, err
	}
}

// finish ends a history that was made again.
func (db *DB) finish(ctx context.Context, now time.Time) (Carried, error) {
	carry := db.carry
	defer db.Close()
	lock, err := lockTheName(ctx, db.dir, db.options) // what is acknowledged from here on waits for the new file
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
	if info, err := os.Stat(file); err == nil { // whom its owner lets read it
		if err := os.Chmod(db.file, info.Mode().Perm()); err != nil {
			return carry.carried, err
		}
	}
	for _, end := range []string{"-wal", "-shm"} { // of a file that was read whole: nothing is in them
		if err := os.Remove(file + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return carry.carried, err
		}
	}
	return carry.carried, replace(db.file, file)
}

// keepDamaged gives a damaged file another name, with what SQLite wrote beside it. It goes by
// both names until the new file takes the old one; where a file cannot have two, it is
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
