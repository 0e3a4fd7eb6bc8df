package disk

import (
	"errors"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Lock keeps other processes out of a folder by a lock on a file, whose folder it makes. It returns
// the error taken if another process has the lock.
func Lock(fs FS, name string, taken error) (*flock.Flock, error) {
	if err := fs.MkdirAll(filepath.Dir(name)); err != nil {
		return nil, err
	}
	if info, err := fs.Lstat(name); err == nil && !info.Mode().IsRegular() { // opening a named pipe could block for ever
		return nil, CheckRegular(name, info)
	}
	lock := flock.New(name)
	if ok, err := lock.TryLock(); err != nil || !ok {
		return nil, errors.Join(taken, err)
	}
	return lock, nil
}
