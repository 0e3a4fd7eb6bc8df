package reports

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// oddFiles are the things other than files that may be in the place of a file.
var oddFiles = map[string]func(name string) error{
	"folder": func(name string) error {
		return errors.Join(os.Mkdir(name, 0o755), os.WriteFile(filepath.Join(name, "file"), nil, 0o644))
	},
	"named pipe":      func(name string) error { return syscall.Mkfifo(name, 0o644) },
	"device":          func(name string) error { return os.Symlink("/dev/zero", name) },
	"link to nowhere": func(name string) error { return os.Symlink("nowhere", name) },
	"socket": func(name string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: "s", Net: "unix"})
		if err != nil {
			return err
		}
		l.SetUnlinkOnClose(false)
		return errors.Join(os.Rename("s", name), l.Close())
	},
}

// TestOddFiles puts other things into the place of each file that is read from a run: nothing waits
// for a writer that never comes, nothing is read without end, and the error names the file. The
// same applies to a link, to any target.
func TestOddFiles(t *testing.T) {
	t.Chdir(t.TempDir()) // the name of a socket must be short
	names := []string{recordsOfCom, journalName, "run.json", hidden + "/lock", "example.com.xlsx"}
	if raced {
		names = names[:1] // goroutines do the same with the others, which the test without the race detector covers
	}
	for _, name := range names {
		for kind, make := range oddFiles {
			t.Run(kind+" for "+filepath.Base(name), func(t *testing.T) {
				dir := straightRun(t)
				gone(t, dir, name)
				noError(t, make(filepath.Join(dir, filepath.FromSlash(name))))
				_, err := Options{Dir: dir}.Rebuild()
				switch {
				case kind != "folder" && name == "example.com.xlsx": // made again
					if err != nil {
						t.Error(err)
					}
				case err == nil || !strings.Contains(err.Error(), filepath.Base(name)) && name != "run.json":
					t.Errorf("error %v, want one that names the file", err)
				}
				o := testOptions(dir)
				o.Resume = true
				r, err := Open(o)
				if err == nil {
					if (name == recordsOfCom || name == "example.com.xlsx" && kind == "folder") == r.Skip("example.com") {
						t.Errorf("Skip is %v", r.Skip("example.com"))
					}
					closeRun(t, r)
				} else if !strings.Contains(err.Error(), filepath.Base(name)) {
					t.Errorf("resumed: error %v, want one that names the file", err)
				}
			})
		}
	}
}

// TestForeignFolders puts links into the place of every folder of a run, to a folder with other files, and
// to the expected content. Nothing there may be read, written or removed by any operation on the run, and
// errors name the link.
func TestForeignFolders(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"records", "evidence", "pages", hidden, hidden + "/tmp", "evidence/example.com", "pages/example.com.rows", recordsOfCom, "run.json", "summary.json"} {
		run, out := straightRun(t), t.TempDir()
		kept := filepath.Join(out, "kept")
		noError(t, os.MkdirAll(filepath.Dir(filepath.Join(run, name)), 0o755))
		if err := os.Rename(filepath.Join(run, name), kept); errors.Is(err, fs.ErrNotExist) {
			err = os.Mkdir(kept, 0o755)
			noError(t, err)
		} else if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(kept); err == nil && info.IsDir() {
			for _, secret := range []string{"id_rsa", "example.com.html", "lock", "journal.jsonl", "example.com/id_rsa", "example.com.rows/1.js"} {
				put(t, kept, secret, "kept")
			}
		}
		noError(t, os.Symlink(kept, filepath.Join(run, name)))
		was := folder(t, out)
		var told []string
		hear := func(err error) {
			if err != nil {
				told = append(told, err.Error())
			}
		}
		o := testOptions(run)
		o.Warn = func(text string) { told = append(told, text) }
		_, err := o.Rebuild()
		hear(err)
		_, err = o.Demand([]string{"example.com"}, "")
		hear(err)
		_, err = o.Demand([]string{"example.com"}, filepath.Join(t.TempDir(), "made"))
		hear(err)
		hear(o.MakePage("", filepath.Join(t.TempDir(), "made")))
		if stored, err := OpenStored(run, "1.9.0"); err != nil {
			hear(err)
		} else {
			for _, site := range stored.Sites {
				hear(site.Damage)
			}
		}
		_, err = ReadOverview(run)
		hear(err)
		_, err = ReadProgress(run)
		hear(err)
		RemoveHalfWritten(run)
		o.Resume = true
		if r, err := Open(o); err != nil {
			hear(err)
		} else {
			writeAll(t, r, siteRecords("example.com", 0, 3))
			closeRun(t, r)
		}
		sameFolder(t, was, folder(t, out))
		if info, err := os.Lstat(filepath.Join(run, name)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue // only the link was removed, and the run's own may be there
		}
		if !strings.Contains(strings.Join(told, "\n"), name+": it is a link") {
			t.Errorf("%s: nobody names it: %q", name, told)
		}
	}
}
