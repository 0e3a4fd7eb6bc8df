package fleetwork

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// scratchPrefix is how the names of workers' folders begin.
const scratchPrefix = "robots-audit-worker-"

// scratchLock is a file in each of them, locked as long as its worker lives.
const scratchLock = "lock"

// scratchYoung is how old a folder is before its worker is sure to have locked it.
const scratchYoung = time.Minute

// OpenScratch makes a folder for a worker's files, in a folder that is made if need be ("" = that of
// the system for temporary files), and removes those of workers that were killed. end removes it.
func OpenScratch(in string) (dir string, end func(), err error) {
	if in == "" {
		in = os.TempDir()
	}
	if err := os.MkdirAll(in, 0o755); err != nil {
		return "", nil, err
	}
	sweepScratch(in, time.Now().Add(-scratchYoung))
	if dir, err = os.MkdirTemp(in, scratchPrefix); err != nil {
		return "", nil, err
	}
	lock := flock.New(filepath.Join(dir, scratchLock))
	if ok, err := lock.TryLock(); err != nil || !ok {
		return "", nil, errors.Join(fmt.Errorf("%s cannot be locked. Name another folder", dir), err, os.RemoveAll(dir))
	}
	return dir, func() { removeLocked(dir, lock) }, nil // best effort: it is of no use to anybody else
}

// removeLocked removes a folder with the lock in it, which is held. Windows removes no file that is
// open: there the lock goes once it is let go, and whoever takes it just then keeps the folder.
func removeLocked(dir string, lock *flock.Flock) error {
	err := os.RemoveAll(dir)
	unlocked := lock.Unlock()
	if err != nil && errors.Join(os.Remove(lock.Path()), os.Remove(dir)) == nil {
		err = nil
	}
	return errors.Join(err, unlocked)
}

// sweepScratch removes what workers have left that were killed, of what was begun before a time. What
// it cannot remove is not its own.
func sweepScratch(in string, before time.Time) {
	left, _ := filepath.Glob(filepath.Join(in, scratchPrefix+"*", scratchLock))
	for _, name := range left {
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || info.ModTime().After(before) {
			continue
		}
		lock := flock.New(name)
		if ok, err := lock.TryLock(); err == nil && ok {
			removeLocked(filepath.Dir(name), lock)
		}
	}
}
