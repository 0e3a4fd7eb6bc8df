package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestTakeAndCommit holds a folder, whether it waits for a whole file system at once or for each file, and a
// driver of gocloud's to the same.
func TestTakeAndCommit(t *testing.T) {
	alone := opened(t, fileURL(filepath.Join(t.TempDir(), "alone")))
	alone.store.(*folder).grouped = false
	held := opened(t, "held://take")
	passing := opened(t, fileURL(filepath.Join(t.TempDir(), "passing")))
	if err := passing.Passing(); err != nil {
		t.Fatal(err)
	}
	for _, b := range []*Bucket{opened(t, fileURL(filepath.Join(t.TempDir(), "results"))), alone, passing, held} {
		for i, text := range []string{"one", "two"} { // the second in place of the first
			name := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := b.Take(t.Context(), "a/b/c", name); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s: the file is there still (%v)", b.URL, err)
			}
			if data, err := b.Get(t.Context(), "a/b/c", 9); err != nil || string(data) != text {
				t.Errorf("%s: %q %v", b.URL, data, err)
			}
			if stored, err := b.Commit(t.Context(), "a/result", []byte(text)); err != nil || stored != (i == 0) {
				t.Errorf("%s: %v %v", b.URL, stored, err)
			}
		}
		if data, err := b.Get(t.Context(), "a/result", 9); err != nil || string(data) != "one" {
			t.Errorf("%s: %q %v", b.URL, data, err)
		}
		if err := b.Take(t.Context(), "a/b/d", filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", b.URL, err)
		}
		if err := errors.Join(b.Delete(t.Context(), "a/result"), b.Close()); err != nil {
			t.Error(err)
		}
		if there, err := b.Exists(t.Context(), "a/result"); b != held && (there || err != nil) {
			t.Errorf("%s: %v %v", b.URL, there, err)
		}
		if f, ok := b.store.(*folder); ok {
			if left, err := os.ReadDir(filepath.Join(f.root, incomplete)); err != nil || len(left) > 0 {
				t.Errorf("%v is left, %v", left, err)
			}
		}
	}
}

// TestTakeFromAnotherDisk: what cannot be renamed is copied.
func TestTakeFromAnotherDisk(t *testing.T) {
	elsewhere, err := os.MkdirTemp("/dev/shm", "take-")
	if err != nil {
		t.Skip("there is no other disk: ", err)
	}
	defer os.RemoveAll(elsewhere)
	name := filepath.Join(elsewhere, "file")
	if err := os.WriteFile(name, []byte("one"), 0o666); err != nil {
		t.Fatal(err)
	}
	b := opened(t, fileURL(filepath.Join(t.TempDir(), "results")))
	if err := b.Take(t.Context(), "a/b", name); err != nil {
		t.Error(err)
	}
	if data, err := b.Get(t.Context(), "a/b", 9); err != nil || string(data) != "one" {
		t.Errorf("%q %v", data, err)
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
