package fleetwork

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// scratchPrefix is the prefix of the names of workers' folders.
const scratchPrefix = "robots-audit-worker-"

// scratchLock is a file in each of them, locked while its worker lives.
const scratchLock = "lock"

// scratchYoung is the age after which a folder's worker has surely locked it.
const scratchYoung = time.Minute

// OpenScratch makes a folder for a worker's files in a folder ("" = the system's temporary one),
// which it creates if needed. It removes folders of killed workers there. end removes the new one.
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
	return dir, func() { removeLocked(dir, lock) }, nil // best effort: nothing else uses it
}

// removeLocked removes a folder with its locked lock file. Windows cannot remove an open file:
// there the lock file is removed after it is unlocked, unless another process has locked it
// meanwhile.
func removeLocked(dir string, lock *flock.Flock) error {
	err := os.RemoveAll(dir)
	unlocked := lock.Unlock()
	if err != nil && errors.Join(os.Remove(lock.Path()), os.Remove(dir)) == nil {
		err = nil
	}
	return errors.Join(err, unlocked)
}

// sweepScratch removes folders of killed workers that are older than a time. It cannot remove
// folders of other users.
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
