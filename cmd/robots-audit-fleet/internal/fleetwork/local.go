package fleetwork

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"robots-audit/audit/fleet/store"
	"robots-audit/reports"
)

// ErrFolder means that a folder cannot be used for a run: wrong usage.
var ErrFolder = errors.New("-out")

// Local is the working folder of a fleet in one process, next to the run's folder. In the end a
// part of it is moved to the run's folder, which is therefore complete or not there.
type Local struct {
	Dir  string
	Out  string // the run's folder
	lock *flock.Flock
}

// OpenLocal makes the folder, and removes what a killed process has left there. Its error is
// ErrFolder if out is a file or not empty. It is reports.ErrLocked, which is no wrong usage, if
// another process works there.
func OpenLocal(out string) (*Local, error) {
	if err := CheckFolder(out); err != nil {
		return nil, err
	}
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, err
	}
	l := &Local{Dir: out + ".fleet", Out: out}
	if err := os.MkdirAll(l.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("%w %w", ErrFolder, err)
	}
	l.lock = flock.New(filepath.Join(l.Dir, "lock"))
	if ok, err := l.lock.TryLock(); err != nil || !ok {
		return nil, fmt.Errorf("-out %s: %w. Wait until it ends, or name another folder", out, errors.Join(reports.ErrLocked, err))
	}
	for _, name := range []string{"node", "bucket", "scratch"} {
		dir := l.Path(name)
		if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o755)); err != nil {
			return nil, errors.Join(err, l.Close())
		}
	}
	return l, nil
}

// Path is that of a part of the folder: "node", "bucket" or "scratch".
func (l *Local) Path(name string) string { return filepath.Join(l.Dir, name) }

// Take moves a folder within Dir to Out.
func (l *Local) Take(folder string) error {
	if err := CheckFolder(l.Out); err != nil { // it may have been filled meanwhile
		return err
	}
	return os.Rename(folder, l.Out)
}

// Close removes the folder.
func (l *Local) Close() error { return removeLocked(l.Dir, l.lock) }

// CheckFolder returns ErrFolder with the reason, unless a folder is missing or empty.
func CheckFolder(out string) error {
	info, err := os.Stat(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%w %w", ErrFolder, err)
	case !info.IsDir():
		return fmt.Errorf("%w %s: this is a file. Name a folder, or remove -out", ErrFolder, out)
	}
	if _, err := os.Stat(filepath.Join(out, "run.json")); err == nil {
		return fmt.Errorf("%w %s: the folder already has a run. Name another folder", ErrFolder, out)
	}
	entries, err := os.ReadDir(out)
	if err != nil || len(entries) > 0 {
		return errors.Join(fmt.Errorf("%w %s: the folder is not empty. Name another folder", ErrFolder, out), err)
	}
	return nil
}

// FolderOf is the path of a run's folder if the bucket is a folder, otherwise its URL.
func FolderOf(bucket, id string) string {
	if path, ok := store.FolderOf(bucket); ok {
		return filepath.Join(path, "runs", id)
	}
	bucket, _, _ = strings.Cut(bucket, "?")
	return strings.TrimSuffix(bucket, "/") + "/runs/" + id
}
