package history

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// opening are the ways to open a history, with the additional files that each opens.
var opening = map[string]struct {
	open  func(ctx context.Context, dir string) (*DB, error)
	locks []string
}{
	"write":  {Open, []string{lockName}},
	"read":   {OpenReader, nil},
	"beside": {OpenBeside, []string{nameLock}},
	"lock": {func(_ context.Context, dir string) (*DB, error) {
		release, err := Lock(dir)
		if err == nil {
			err = release()
		}
		return nil, err
	}, []string{lockName}},
	"rebuild": {func(ctx context.Context, dir string) (*DB, error) {
		db, _, err := Rebuild(ctx, dir)
		return db, err
	}, []string{lockName}},
}

// A special file in place of a history's file is refused by name, and nothing is read, written or
// made at the target of a link.
func TestNotPlain(t *testing.T) {
	const text = "what is here is nobody's business\n"
	kinds := map[string]func(t *testing.T, name, outside string) error{
		"a link": func(_ *testing.T, name, outside string) error {
			return os.Symlink(filepath.Join(outside, "file"), name)
		},
		"a link to nowhere":  func(_ *testing.T, name, outside string) error { return os.Symlink(filepath.Join(outside, "new"), name) },
		"a link to a folder": func(_ *testing.T, name, outside string) error { return os.Symlink(outside, name) },
		"a folder":           func(_ *testing.T, name, _ string) error { return os.Mkdir(name, 0o755) },
		"a pipe":             pipe,
	}
	made := t.TempDir()
	mustOpen(t, made).Close()
	history, err := os.ReadFile(filepath.Join(made, fileName))
	noError(t, err)
	files := []string{fileName, fileName + "-wal", fileName + "-shm", fileName + "-journal", lockName, nameLock}
	for kind, put := range kinds {
		for how, by := range opening {
			for _, file := range files {
				if strings.HasPrefix(file, "lock") && !slices.Contains(by.locks, file) || how == "lock" && file != lockName {
					continue
				}
				t.Run(strings.Join([]string{kind, how, file}, ", "), func(t *testing.T) {
					dir, outside := t.TempDir(), t.TempDir()
					noError(t, os.WriteFile(filepath.Join(dir, fileName), history, 0o644))
					noError(t, os.WriteFile(filepath.Join(outside, "file"), []byte(text), 0o644))
					name := filepath.Join(dir, file)
					os.Remove(name)
					if err := put(t, name, outside); err != nil {
						t.Skip(err)
					}
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					defer cancel()
					db, err := by.open(ctx, dir)
					if db != nil {
						db.Close()
					}
					if !errors.Is(err, ErrNotPlain) || !strings.Contains(err.Error(), name) {
						t.Errorf("%v", err)
					}
					if now, err := os.ReadFile(filepath.Join(outside, "file")); string(now) != text {
						t.Errorf("the file outside has changed: %q, %v", now, err)
					}
					if left, _ := os.ReadDir(outside); len(left) != 1 {
						t.Errorf("outside is now %v", left)
					}
					if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
						t.Error("it was removed")
					}
				})
			}
		}
	}
}

// A file under construction ignores files of other users at its place.
func TestNotPlainNew(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for _, end := range append([]string{""}, besideEnds...) {
		if err := os.Symlink(filepath.Join(outside, "new"+end), filepath.Join(dir, newName+end)); err != nil {
			t.Skip(err)
		}
	}
	mustOpen(t, dir).Close()
	if left, _ := os.ReadDir(outside); len(left) != 0 {
		t.Errorf("outside is now %v", left)
	}
}
