package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// After any operations on files, their sums match their bytes on the disk.
func TestSummed(t *testing.T) {
	for seed := range uint64(40) {
		random, dir := rand.New(rand.NewPCG(seed, 0)), t.TempDir()
		s := &Summed{FS: OS{}}
		if seed%2 == 0 {
			root := NewRoot(dir)
			defer root.Close()
			s.FS = root
		}
		names := []string{"a", "b", "in/a", "in/b", "in", "to/a", "to"}
		name := func() string { return filepath.Join(dir, names[random.IntN(len(names))]) }
		for range 40 {
			data := make([]byte, random.IntN(100))
			for i := range data {
				data[i] = byte(random.Uint32())
			}
			switch file := name(); random.IntN(7) { // many operations fail, as on a real disk
			case 0, 1:
				s.Append(file, data)
			case 2:
				if f, err := s.Create(file); err == nil {
					f.Write(data)
					f.Write(data[:len(data)/2])
					f.Close()
				}
			case 3:
				s.Rename(file, name())
			case 4:
				s.Mkdir(file)
			case 5:
				s.Remove(file)
			case 6: // changes by others show in the size
				if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
					os.WriteFile(file, make([]byte, info.Size()+1), 0o644)
				}
			}
		}
		buf := make([]byte, 64)
		for _, file := range names {
			want, wantErr := Sum(s.FS, filepath.Join(dir, file), buf)
			got, err := s.Sum(filepath.Join(dir, file), buf)
			if got != want || (err == nil) != (wantErr == nil) || errors.Is(err, fs.ErrNotExist) != errors.Is(wantErr, fs.ErrNotExist) {
				t.Errorf("seed %d: %s: %08x (%v), want %08x (%v)", seed, file, got, err, want, wantErr)
			}
		}
		if len(s.folders) > 1 { // the folder of all of them is not summed
			t.Errorf("seed %d: %d folders are remembered for ever", seed, len(s.folders))
		}
	}
}

// A written file is not read again: the bytes on the disk are others, of the same number.
func TestSummedIsNotRead(t *testing.T) {
	dir, s := t.TempDir(), &Summed{FS: OS{}}
	temp, name := filepath.Join(dir, "temp"), filepath.Join(dir, "name")
	if err := errors.Join(s.Mkdir(temp), s.Append(filepath.Join(temp, "x"), []byte("so")), s.Append(filepath.Join(temp, "x"), []byte("me")), s.Rename(temp, name)); err != nil {
		t.Fatal(err)
	}
	want, err := Sum(OS{}, name, make([]byte, 10))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(name, "x"), []byte("else"), 0o644); err != nil {
		t.Fatal(err)
	}
	for i, same := range []bool{true, false} { // the second time it is forgotten, and read
		if got, err := s.Sum(name, make([]byte, 10)); err != nil || (got == want) != same {
			t.Errorf("time %d: %s (%v), want %s: %v", i, fmt.Sprint(got), err, fmt.Sprint(want), same)
		}
	}
}
