package history

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPlain replaces each folder of a history, and files in it, by a link or a pipe. Opening the
// history reports it, and the target of the link stays unchanged.
func TestPlain(t *testing.T) {
	for _, name := range []string{
		"runs", "proposals", "comparisons", "confirmations", "submitted",
		"comparisons/20261122T060000Z", "comparisons/20261122T060000Z/changes.json", "confirmations/20261122T060000Z.jsonl", "submitted/20261122T060000Z.json",
	} {
		for kind, put := range map[string]func(kept, name string) error{
			"link": os.Symlink,
			"pipe": func(_, name string) error { return syscall.Mkfifo(name, 0o600) },
		} {
			dir, kept := filepath.Join(t.TempDir(), "history"), t.TempDir()
			db, err := Open(t.Context(), dir)
			noError(t, err)
			path := filepath.Join(dir, name)
			err = errors.Join(db.Close(), os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(filepath.Join(kept, "id_rsa"), []byte("SECRET"), 0o600), put(kept, path))
			noError(t, err)
			for how, by := range opening {
				if db, err := by.open(t.Context(), dir); db != nil || !errors.Is(err, ErrNotPlain) || !strings.HasPrefix(err.Error(), path+": ") {
					t.Fatalf("%s as a %s: %s: %v", name, kind, how, err)
				}
			}
			if text, err := os.ReadFile(filepath.Join(kept, "id_rsa")); string(text) != "SECRET" {
				t.Errorf("%s as a %s: %v", name, kind, err)
			}
			if entries, _ := os.ReadDir(kept); len(entries) != 1 {
				t.Errorf("%s as a %s: %v", name, kind, entries)
			}
		}
	}
}

// TestStoredNames gives the history the ID of a run that leads out of its folder, as no run has one.
func TestStoredNames(t *testing.T) {
	for _, bad := range []string{"../../precious", "/etc", "a/../b", "a//b", "."} {
		for _, column := range []string{"id", "folder"} {
			db := mustOpen(t, t.TempDir())
			enter(t, db, testRun(0, "daily"))
			_, err := db.write.Exec("UPDATE run SET "+column+" = ?", bad)
			noError(t, err)
			if runs, err := db.Runs(t.Context()); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s %q: %v, %v", column, bad, runs, err)
			}
		}
	}
}
