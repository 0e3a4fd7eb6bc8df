package disk

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
)

// A file appears complete or not at all, and an incomplete one is removed.
func TestWriteFile(t *testing.T) {
	for _, rooted := range []bool{false, true} {
		dir := t.TempDir()
		var of FS = OS{}
		if rooted {
			root := NewRoot(dir)
			defer root.Close()
			of = root
		}
		name, temp := filepath.Join(dir, "file"), filepath.Join(dir, "temp")
		for _, text := range []string{"first", "second"} {
			if err := WriteFile(of, name, temp, []byte(text)); err != nil {
				t.Fatal(err)
			}
			if got, err := ReadFile(of, name, 6); err != nil || string(got) != text {
				t.Errorf("%q (%v), want %q", got, err, text)
			}
		}
		f, err := of.Create(temp)
		if err != nil {
			t.Fatal(err)
		}
		trouble := errors.New("trouble")
		if err := Commit(of, f, name, temp, trouble); err != trouble {
			t.Errorf("error %v, want that of writing", err)
		}
		if got, err := ReadFile(of, name, 6); err != nil || string(got) != "second" {
			t.Errorf("the old file is %q (%v)", got, err)
		}
		if _, err := os.Stat(temp); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("what is half written is still there (%v)", err)
		}
		if _, err := ReadFile(of, name, 5); err == nil {
			t.Error("a file longer than the limit is read")
		}
		if _, err := of.Open(dir, os.O_RDONLY); err == nil {
			t.Error("a folder is taken for a file")
		}
	}
}

// noting is a file system that records the operations on a file.
type noting struct {
	OS
	done *[]string
}

func (n noting) Create(name string) (File, error) {
	f, err := n.OS.Create(name)
	*n.done = append(*n.done, "create")
	return notedFile{f, n.done}, err
}

func (n noting) Rename(from, to string) error {
	*n.done = append(*n.done, "rename")
	return n.OS.Rename(from, to)
}

type notedFile struct {
	File
	done *[]string
}

func (f notedFile) Sync() error {
	*f.done = append(*f.done, "sync")
	return f.File.Sync()
}

// A file is on the disk before it gets its name, also if it is summed: otherwise a power cut would
// leave an empty file.
func TestWriteFileSynced(t *testing.T) {
	dir := t.TempDir()
	var done []string
	if err := WriteFile(&Summed{FS: noting{done: &done}}, filepath.Join(dir, "file"), filepath.Join(dir, "temp"), []byte("text")); err != nil {
		t.Fatal(err)
	}
	if want := []string{"create", "sync", "rename"}; !slices.Equal(done, want) {
		t.Errorf("%q, want %q", done, want)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		err            error
		full, readOnly bool
	}{{syscall.ENOSPC, true, false}, {syscall.EROFS, false, true}, {syscall.EACCES, false, true}, {syscall.EIO, false, false}} {
		err := fmt.Errorf("wrapped: %w", &fs.PathError{Op: "write", Path: "x", Err: c.err})
		if IsFull(err) != c.full || IsReadOnly(err) != c.readOnly {
			t.Errorf("%v: full %v, read-only %v", c.err, IsFull(err), IsReadOnly(err))
		}
	}
}

// The checksum of a folder depends on the names of its files and on their content.
func TestSum(t *testing.T) {
	dir, buf := t.TempDir(), make([]byte, 4)
	name := filepath.Join(dir, "a")
	seen := map[uint32]string{}
	for _, text := range []string{"", "some text", "some Text"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		sum, err := Sum(OS{}, name, buf)
		if want := crc32.Checksum([]byte(text), Castagnoli); err != nil || sum != want {
			t.Errorf("%q: %08x (%v), want %08x", text, sum, err, want)
		}
		sum, err = Sum(OS{}, dir, buf)
		if err != nil || seen[sum] != "" {
			t.Errorf("a folder with %q has the sum of one with %q (%v)", text, seen[sum], err)
		}
		seen[sum] = text
	}
	if err := os.Rename(name, filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if sum, err := Sum(OS{}, dir, buf); err != nil || seen[sum] != "" {
		t.Errorf("the folder's sum does not know the names (%v)", err)
	}
	if _, err := Sum(OS{}, name, buf); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v for what is not there", err)
	}
}

// An unnamed file is read and written like any other, and leaves nothing behind, not even while it
// is open.
func TestUnnamed(t *testing.T) {
	dir := t.TempDir()
	f, err := CreateUnnamed(OS{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	look := func(when string) {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: %v (%v)", when, left, err)
		}
	}
	if runtime.GOOS != "windows" {
		look("open")
	}
	if _, err := f.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 2)
	if _, err := f.ReadAt(got, 1); err != nil || string(got) != "ex" {
		t.Errorf("%q (%v)", got, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	look("closed")
	if _, err := CreateUnnamed(OS{}, filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}
