package changes

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"robots-audit/audit/compare"
	"robots-audit/reports/internal/disk"
)

// failing is a disk that fails: the n-th operation, counted from 0, and where it is for
// good, all that follow, as if the process had been killed.
type failing struct {
	disk.OS
	after   *int
	forGood bool
}

var errFull = syscall.ENOSPC

func (d failing) fails(op, name string) error {
	*d.after--
	if *d.after == -1 || d.forGood && *d.after < 0 {
		return &fs.PathError{Op: op, Path: name, Err: errFull}
	}
	return nil
}

func (d failing) Create(name string) (io.WriteCloser, error) {
	if err := d.fails("create", name); err != nil {
		return nil, err
	}
	f, err := d.OS.Create(name)
	return failingFile{f, d, name}, err
}

func (d failing) Rename(from, to string) error {
	if err := d.fails("rename", from); err != nil {
		return err
	}
	return d.OS.Rename(from, to)
}

func (d failing) Mkdir(name string) error {
	if err := d.fails("mkdir", name); err != nil {
		return err
	}
	return d.OS.Mkdir(name)
}

func (d failing) Remove(name string) error {
	if err := d.fails("remove", name); err != nil {
		return err
	}
	return d.OS.Remove(name)
}

type failingFile struct {
	io.WriteCloser
	disk failing
	name string
}

func (f failingFile) Write(p []byte) (int, error) {
	if err := f.disk.fails("write", f.name); err != nil {
		return 0, err
	}
	return f.WriteCloser.Write(p)
}

// oneComparison reports whether all files of a folder are of one comparison, and of which:
// old or new; "" = there are none.
func oneComparison(t *testing.T, dir string) string {
	t.Helper()
	files := folder(t, dir)
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasPrefix(name, hidden) })
	seen := map[string]int{}
	for _, text := range files {
		for _, word := range []string{"older", "newer"} {
			if strings.Contains(text, word+".example") {
				seen[word]++
			}
		}
	}
	for word, n := range seen {
		if n != 2 || len(files) != 2 {
			t.Errorf("%d files, %v", len(files), seen)
		}
		return word
	}
	return ""
}

// TestWhole has every operation of writing a report fail, once and for good, over an older
// comparison and in an empty folder: what is there afterwards is of one comparison.
func TestWhole(t *testing.T) {
	for _, over := range []string{"older", ""} {
		for _, forGood := range []bool{false, true} {
			for n := 0; ; n++ {
				dir := t.TempDir()
				if over != "" {
					r := newReport(t, Options{Dir: dir})
					if err := small(t, r, over); err != nil {
						t.Fatal(err)
					}
					closeReport(t, r)
				}
				after := n
				r, err := Open(Options{Dir: dir, disk: failing{after: &after, forGood: forGood}})
				if err == nil {
					if err = small(t, r, "newer"); err == nil {
						err = r.Close()
					} else {
						r.Discard()
					}
				}
				what := fmt.Sprintf("operation %d, for good %v, over %q (%v)", n, forGood, over, err)
				if after >= 0 { // nothing failed any more
					if err != nil || oneComparison(t, dir) != "newer" {
						t.Errorf("%s: %q is there", what, oneComparison(t, dir))
					}
					if n < 10 {
						t.Errorf("%d operations", n)
					}
					break
				}
				if err != nil && (!errors.Is(err, errFull) || !strings.Contains(err.Error(), dir)) {
					t.Errorf("%s: the error names no file", what)
				}
				if !forGood && err != nil && oneComparison(t, dir) != over {
					t.Errorf("%s: %q is there", what, oneComparison(t, dir))
				}
				again, e := Open(Options{Dir: dir})
				if e != nil {
					t.Fatalf("%s: %v", what, e)
				}
				if err != nil && oneComparison(t, dir) != over {
					t.Errorf("%s: %q is there, mended", what, oneComparison(t, dir))
				}
				again.Discard()
				for name := range folder(t, dir) {
					if strings.HasPrefix(name, hidden) {
						t.Errorf("%s: left behind: %s", what, name)
					}
				}
			}
		}
	}
}

// TestOpen holds which folders are taken.
func TestOpen(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		want  error
	}{
		{"empty", nil, nil},
		{"a comparison", []string{"changes.json", "changes.md", "index.html", ".robots-audit/lock"}, nil},
		{"a run", []string{"run.json", "summary.json", "index.html"}, ErrRun},
		{"notes beside a comparison", []string{"changes.json", "notes.txt"}, ErrOthers},
		{"a website", []string{"index.html"}, ErrOthers},
		{"a website with robots.txt", []string{"index.html", "robots.txt"}, ErrOthers},
		{"a folder of a name of ours", []string{"changes.json/x"}, ErrOthers},
	} {
		dir := t.TempDir()
		for _, name := range c.files {
			name = filepath.Join(dir, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte("x"), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		before := folder(t, dir)
		r, err := Open(Options{Dir: dir})
		if !errors.Is(err, c.want) || err != nil && !strings.HasPrefix(err.Error(), dir+": ") {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if err == nil {
			if _, err := Open(Options{Dir: dir}); !errors.Is(err, ErrLocked) {
				t.Errorf("%s: two reports write to it (%v)", c.name, err)
			}
			r.Discard()
			r.Discard()
		}
		if after := folder(t, dir); !maps.Equal(after, before) {
			t.Errorf("%s: %v is there, and was %v", c.name, after, before)
		}
	}
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Dir: name}); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("a file is taken for a folder (%v)", err)
	}
}

// TestAddSiteError ends a comparison in its middle.
func TestAddSiteError(t *testing.T) {
	dir, trouble := t.TempDir(), errors.New("trouble")
	r := newReport(t, Options{Dir: dir})
	whole := shop(t)
	_, err := r.AddSite(func(yield func(compare.Item, error) bool) {
		n := 0
		for item := range whole {
			if n++; n == 5 {
				yield(compare.Item{}, trouble)
				return
			}
			if !yield(item, nil) {
				return
			}
		}
	})
	if !errors.Is(err, trouble) {
		t.Errorf("error %v", err)
	}
	r.Discard()
	if files := folder(t, dir); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}
