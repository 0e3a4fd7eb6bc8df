package reports

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// oddFiles are what may stand in the place of a file and is none.
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

// TestOddFiles puts what is no file into the place of each file that is read
// of a run: nothing waits for a writer that never comes, nothing is read without
// end, and the file is named. A link to a file elsewhere is as good as the file.
func TestOddFiles(t *testing.T) {
	t.Chdir(t.TempDir()) // the name of a socket must be short
	names := []string{recordsOfCom, journalName, "run.json", hidden + "/lock", "example.com.xlsx"}
	if raced {
		names = names[:1] // goroutines do the same with the others, which the plain run has
	}
	for _, name := range names {
		for kind, make := range oddFiles {
			t.Run(kind+" for "+filepath.Base(name), func(t *testing.T) {
				dir := straightRun(t)
				gone(t, dir, name)
				if err := make(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
					t.Fatal(err)
				}
				_, err := Options{Dir: dir}.Rebuild()
				switch {
				case kind == "link to nowhere" && (name == journalName || name == hidden+"/lock"), kind != "folder" && name == "example.com.xlsx": // made again
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
	t.Run("link to a file", func(t *testing.T) {
		dir := straightRun(t)
		want := folder(t, dir)
		elsewhere := filepath.Join(t.TempDir(), "file")
		file := filepath.Join(dir, filepath.FromSlash(recordsOfCom))
		if err := errors.Join(os.Rename(file, elsewhere), os.Symlink(elsewhere, file)); err != nil {
			t.Fatal(err)
		}
		if err := Rebuild(dir); err != nil {
			t.Fatal(err)
		}
		sameFolder(t, want, folder(t, dir), journalName)
	})
}
