package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRoot puts links and other things into every place of a folder that is used. Nothing outside of it
// may be read, written or removed, and errors name the obstacle.
func TestRoot(t *testing.T) {
	for name, to := range map[string]string{"out of it": "outside", "out of it, by its own path": "", "within it": "run/inside"} {
		dir := t.TempDir()
		run, outside := filepath.Join(dir, "run"), filepath.Join(dir, "outside")
		target := filepath.Join("..", filepath.FromSlash(to))
		if to == "" {
			target = outside
		}
		err := errors.Join(os.MkdirAll(filepath.Join(run, "inside"), 0o755), os.MkdirAll(filepath.Join(run, "tmp"), 0o755), os.MkdirAll(outside, 0o755))
		for _, in := range []string{outside, filepath.Join(run, "inside")} {
			err = errors.Join(err, os.WriteFile(filepath.Join(in, "file"), []byte("kept"), 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
		link, file := filepath.Join(run, "link"), filepath.Join(run, "link", "file")
		if err := errors.Join(os.Symlink(target, link), os.Symlink(filepath.Join(target, "file"), filepath.Join(run, "linked"))); err != nil {
			t.Skip(err) // a system without links
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Skip("links look like folders here, as under Wine") // links cannot be recognised
		}
		root := NewRoot(run)
		temp := filepath.Join(run, "tmp", "temp")
		if err := root.Append(temp, []byte("new")); err != nil {
			t.Fatal(err)
		}
		for what, do := range map[string]func() error{
			"open":        func() error { _, err := root.Open(file, os.O_RDONLY); return err },
			"open a link": func() error { _, err := root.Open(filepath.Join(run, "linked"), os.O_RDONLY); return err },
			"write":       func() error { _, err := root.Open(file, os.O_RDWR|os.O_CREATE|os.O_TRUNC); return err },
			"append":      func() error { return root.Append(file, []byte("new")) },
			"create":      func() error { _, err := root.Create(file); return err },
			"rename to":   func() error { return root.Rename(temp, file) },
			"rename from": func() error { return root.Rename(file, filepath.Join(run, "taken")) },
			"remove":      func() error { return root.Remove(file) },
			"make":        func() error { return root.Mkdir(filepath.Join(link, "new")) },
			"make all":    func() error { return root.MkdirAll(filepath.Join(link, "new", "newer")) },
			"make it":     func() error { return root.MkdirAll(link) },
			"list":        func() error { _, err := root.ReadDir(link); return err },
			"sum":         func() error { _, err := Sum(root, link, make([]byte, 10)); return err },
			"elsewhere":   func() error { return root.Append(filepath.Join(run, "..", "outside", "file"), []byte("new")) },
		} {
			if err := do(); err == nil || what != "elsewhere" && !strings.Contains(err.Error(), filepath.Join(run, "link")) {
				t.Errorf("%s, a link %s: %v", what, name, err)
			}
		}
		for _, in := range []string{outside, filepath.Join(run, "inside")} {
			entries, err := os.ReadDir(in)
			text, readErr := os.ReadFile(filepath.Join(in, "file"))
			if err != nil || readErr != nil || len(entries) != 1 || string(text) != "kept" {
				t.Errorf("a link %s: %s has %v, and the file says %q", name, in, entries, text)
			}
		}
		if err := root.Remove(link); err != nil { // the link itself is removed
			t.Error(err)
		}
		if err := errors.Join(root.MkdirAll(link), root.Rename(temp, file), root.Close()); err != nil {
			t.Error(err)
		}
	}
}
