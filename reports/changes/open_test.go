package changes

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"robots-audit/audit/compare"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/disk"
)

// failing is a disk that fails at the n-th operation, counted from 0. If forGood is set, all later
// ones fail too, as if the process had been killed.
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

func (d failing) Create(name string) (disk.File, error) {
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
	disk.File
	fs   failing
	name string
}

func (f failingFile) Write(p []byte) (int, error) {
	if err := f.fs.fails("write", f.name); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}

// visible are the files of a folder that people see.
func visible(t *testing.T, dir string) map[string]string {
	files := folder(t, dir)
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasPrefix(name, hidden) })
	return files
}

// oneComparison returns the comparison to which all files of a folder belong: "older" = they are
// unchanged; "newer" = all are new; "" = there are none.
func oneComparison(t *testing.T, dir string, older map[string]string, outputs int) string {
	t.Helper()
	files, same := visible(t, dir), 0
	for name, text := range files {
		if older[name] == text {
			same++
		}
	}
	switch {
	case len(files) == 0:
		return ""
	case len(files) != outputs || same != 0 && same != outputs:
		t.Errorf("%d files, of which %d are the older ones; want %d of one comparison", len(files), same, outputs)
	case same == 0:
		return "newer"
	}
	return "older"
}

// TestWhole makes every operation of writing a report fail, once and for good, over an older
// comparison and in an empty folder. Afterwards all files must belong to one comparison. With all
// files it tests only the last operations, by which the files get their names.
func TestWhole(t *testing.T) {
	quick := []func(*disk.Folder) (model.Output, error){newJSON, newMarkdown}
	for _, over := range []string{"older", ""} {
		for _, forGood := range []bool{false, true} {
			if n := failEach(t, Options{outputs: quick}, over, forGood, 0); n < 10 {
				t.Errorf("%d operations", n)
			}
		}
	}
	all := countOperations(t)
	for _, forGood := range []bool{false, true} {
		failEach(t, Options{outputs: allOutputs}, "older", forGood, all-14)
	}
}

// countOperations is the number of operations of writing all files of a report.
func countOperations(t *testing.T) int {
	after := 1 << 30
	r := newReport(t, Options{Dir: t.TempDir(), disk: failing{after: &after}})
	if err := small(t, r, "newer"); err != nil {
		t.Fatal(err)
	}
	closeReport(t, r)
	return 1<<30 - after
}

// failEach makes one operation after the other fail, from the n-th on, and returns the number of
// the first that is not needed any more.
func failEach(t *testing.T, o Options, over string, forGood bool, n int) int {
	older := map[string]string{}
	if over != "" {
		dir := t.TempDir()
		r := newReport(t, Options{Dir: dir, outputs: o.outputs})
		if err := small(t, r, over); err != nil {
			t.Fatal(err)
		}
		closeReport(t, r)
		older = visible(t, dir)
	}
	for ; ; n++ {
		dir := t.TempDir()
		for name, text := range older {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		there := func() string { return oneComparison(t, dir, older, len(o.outputs)) }
		after := n
		o.Dir, o.disk = dir, failing{after: &after, forGood: forGood}
		r, err := Open(o)
		if err == nil {
			if err = small(t, r, "newer"); err == nil {
				err = r.Close()
			} else {
				r.Discard()
			}
		}
		what := fmt.Sprintf("operation %d, for good %v, over %q (%v)", n, forGood, over, err)
		if after >= 0 { // nothing failed any more
			if is := there(); err != nil || is != "newer" {
				t.Errorf("%s: %q is there", what, is)
			}
			return n
		}
		if err != nil && (!errors.Is(err, errFull) || !strings.Contains(err.Error(), dir)) {
			t.Errorf("%s: the error names no file", what)
		}
		if !forGood && err != nil && there() != over {
			t.Errorf("%s: %q is there", what, there())
		}
		again, e := Open(Options{Dir: dir, outputs: o.outputs[:1]})
		if e != nil {
			t.Fatalf("%s: %v", what, e)
		}
		if err != nil && there() != over {
			t.Errorf("%s: %q is there, mended", what, there())
		}
		again.Discard()
		for name := range folder(t, dir) {
			if strings.HasPrefix(name, hidden) {
				t.Errorf("%s: left behind: %s", what, name)
			}
		}
	}
}

// TestOpen checks which folders are accepted.
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

// TestAddSiteError ends a comparison in the middle.
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

// TestJSONOnly compares changes.json that is written alone with that of a whole report.
func TestJSONOnly(t *testing.T) {
	var text [2]string
	for i, alone := range []bool{false, true} {
		dir := t.TempDir()
		r := newReport(t, Options{Dir: dir, JSONOnly: alone})
		if err := small(t, r, "shop"); err != nil {
			t.Fatal(err)
		}
		closeReport(t, r)
		there := folder(t, dir)
		if alone && len(there) != 1 {
			t.Errorf("%d files, want changes.json alone", len(there))
		}
		text[i] = there["changes.json"]
	}
	if text[0] != text[1] || text[0] == "" {
		t.Errorf("whole report\n%s\nalone\n%s", text[0], text[1])
	}
}
