package reports

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"robots-audit/reports/internal/disk"
)

// fullDisk fails for the files of one site, in one way.
type fullDisk struct {
	disk.OS
	site string
	op   string
	err  error
}

func (d fullDisk) fails(op, name string) error {
	if op == d.op && strings.Contains(filepath.ToSlash(name), d.site) {
		return &fs.PathError{Op: op, Path: name, Err: d.err}
	}
	return nil
}

func (d fullDisk) Append(name string, data []byte) error {
	if err := d.fails("append", name); err != nil {
		return err
	}
	return d.OS.Append(name, data)
}

func (d fullDisk) Create(name string) (disk.File, error) {
	if err := d.fails("create", name); err != nil {
		return nil, err
	}
	f, err := d.OS.Create(name)
	if e := d.fails("write", name); e != nil && err == nil {
		return fullFile{f, e}, nil
	}
	return f, err
}

func (d fullDisk) Rename(from, to string) error {
	if err := d.fails("rename", to); err != nil {
		return err
	}
	return d.OS.Rename(from, to)
}

func (d fullDisk) Mkdir(name string) error {
	if err := d.fails("mkdir", name); err != nil {
		return err
	}
	return d.OS.Mkdir(name)
}

// fullFile fails on every write.
type fullFile struct {
	disk.File
	err error
}

func (f fullFile) Write([]byte) (int, error) { return 0, f.err }

// diskFaults are the ways in which a disk fails for a site, and the codes in its report.
var diskFaults = []struct {
	op   string
	err  error
	code string
}{
	{"append", syscall.ENOSPC, "disk_full"}, {"create", syscall.EROFS, "read_only"}, {"write", syscall.ENOSPC, "disk_full"},
	{"rename", syscall.EACCES, "read_only"}, {"mkdir", syscall.EIO, "write_failed"},
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	for _, c := range diskFaults {
		t.Run(c.op, func(t *testing.T) {
			dir := t.TempDir()
			o := testOptions(dir)
			o.disk = fullDisk{site: "example.com", op: c.op, err: c.err}
			old := filepath.Join(dir, "example.com.xlsx")
			noError(t, os.WriteFile(old, []byte("last month's report"), 0o644))
			r := openRun(t, o)
			writeAll(t, r, siteRecords("example.org", 0, 10))
			writeAll(t, r, siteRecords("example.com", 1, 3000))
			writeAll(t, r, siteRecords("example.net", 2, 10))
			checkEqual(t, "totals", r.Totals().Headline(), "3 sites: 0 critical, 2 warnings, 1 unknown, 0 OK")
			if r.Totals().Failed != 1 {
				t.Errorf("failed: %d", r.Totals().Failed)
			}
			closeRun(t, r)
			files := folder(t, dir)
			if files["example.com.xlsx"] != "last month's report" {
				t.Error("the old report has been touched")
			}
			if !strings.Contains(files["summary.json"], `{"stage":"report","code":"`+c.code+`"`) {
				t.Errorf("summary.json has no error %s", c.code)
			}
			for name := range files {
				if strings.Contains(name, "tmp") {
					t.Errorf("left behind: %s", name)
				}
			}

			if c.op == "append" { // it has no records, but its line survives a rebuild
				checkRebuilt(t, dir)
			}

			// With space on the disk only that site is audited again.
			o.Resume, o.disk = true, nil
			r = openRun(t, o)
			if r.Skip("example.com") || !r.Skip("example.net") {
				t.Error("the wrong sites are audited again")
			}
			writeAll(t, r, siteRecords("example.com", 1, 3000))
			closeRun(t, r)
			checkEqual(t, "totals", r.Totals().Headline(), "3 sites: 0 critical, 3 warnings, 0 unknown, 0 OK")
			if err := rebuildIn(dir); err != nil {
				t.Error(err)
			}
		})
	}
}

// A folder of the run that cannot be written is an error of the run.
func TestFolderGone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	r := openRun(t, testOptions(dir))
	writeAll(t, r, siteRecords("example.com", 0, 10))
	noError(t, os.RemoveAll(dir))
	if err := r.Close(); err == nil {
		t.Error("closing a run whose folder is gone must fail")
	}
	put(t, filepath.Dir(dir), "file", "")
	if _, err := Open(testOptions(filepath.Join(filepath.Dir(dir), "file", "run"))); err == nil {
		t.Error("a folder below a file must fail")
	}
}
