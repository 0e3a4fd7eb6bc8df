package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// quick does not wait for others.
var quick = options{layout: current, busy: 10 * time.Millisecond}

// Each kind of damage to a file is reported to writers and readers, and the file stays unchanged.
func TestDamaged(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"a text":       func([]byte) []byte { return []byte(strings.Repeat("this is not a history\n", 500)) },
		"a short text": func([]byte) []byte { return []byte("no\n") },
		"empty":        func([]byte) []byte { return nil },
		"cut short":    func(b []byte) []byte { return b[:len(b)/2] },
		"one page":     func(b []byte) []byte { return b[:4096] },
		"header":       func(b []byte) []byte { return flip(b, 0, 16) },
		"tables":       func(b []byte) []byte { return flip(b, 100, 4096) },
		"a page":       func(b []byte) []byte { return flip(b, 8192, 8192+200) },
		"zeros":        func(b []byte) []byte { clear(b[4096:]); return b },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			damaged := damagedHistory(t, dir, makeStory(rand.New(rand.NewPCG(1, 4)), 3), damage)
			_, err := Open(t.Context(), dir)
			if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), filepath.Join(dir, fileName)) || !strings.Contains(err.Error(), "-reindex") {
				t.Errorf("opened: %v", err)
			}
			db, err := OpenReader(t.Context(), dir)
			if err == nil { // it is large, and read where it is needed
				err = db.Check(t.Context())
				db.Close()
			}
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("read: %v", err)
			}
			if now, err := os.ReadFile(filepath.Join(dir, fileName)); err != nil || string(now) != string(damaged) {
				t.Errorf("the file has changed: %d bytes, were %d (%v)", len(now), len(damaged), err)
			}
		})
	}
}

// If bytes are flipped anywhere, the error is damage, or there is none, because SQLite has no
// checksums. Reads never panic or hang.
func TestFlippedAnywhere(t *testing.T) {
	whole := damagedHistory(t, t.TempDir(), makeStory(rand.New(rand.NewPCG(1, 4)), 3), func(b []byte) []byte { return b })
	rnd := rand.New(rand.NewPCG(1, 5))
	dir := t.TempDir()
	told := 0
	const tries = 60
	for range tries {
		b := append([]byte(nil), whole...)
		at := rnd.IntN(len(b))
		damaged := flip(b, at, at+1+rnd.IntN(40))
		noError(t, os.WriteFile(filepath.Join(dir, fileName), damaged, 0o644))
		db, err := OpenReader(t.Context(), dir)
		if err == nil {
			err = db.Check(t.Context())
			if err == nil {
				_, err = db.Runs(t.Context())
			}
			if err == nil {
				_, err = db.Past(t.Context(), storySites[0], "daily", "")
			}
			db.Close()
		}
		switch {
		case errors.Is(err, ErrDamaged), errors.Is(err, ErrNewer), errors.Is(err, ErrOlder):
			told++
		case err != nil && !strings.Contains(err.Error(), "parsing time"): // of a text that was flipped
			t.Errorf("flipped at %d: %v", at, err)
		}
	}
	if told == 0 {
		t.Error("no damage was found")
	}
	t.Logf("%d of %d were found", told, tries)
}

// A database of another program is rejected, and stays unchanged.
func TestOthersDatabase(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, fileName)
	other, err := sql.Open("sqlite", name)
	noError(t, err)
	_, err = other.Exec("CREATE TABLE run (x); PRAGMA user_version = 1")
	noError(t, err)
	other.Close()
	before, _ := os.ReadFile(name)
	if _, err := Open(t.Context(), dir); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "another database") {
		t.Errorf("opened: %v", err)
	}
	if after, _ := os.ReadFile(name); string(after) != string(before) {
		t.Error("it was changed")
	}
}

// An older file is upgraded when it is opened for writing, and only then. A newer one is not
// changed. A failed step leaves the file unchanged.
func TestVersions(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	db := mustOpen(t, dir)
	enter(t, db, testRun(0, "daily"))
	db.Close()
	next := quick
	next.layout.steps = append(append([]string(nil), current.steps...), "CREATE TABLE extra (x INTEGER); INSERT INTO extra SELECT run FROM run;")
	broken := quick
	broken.layout.steps = append(append([]string(nil), next.layout.steps...), "CREATE TABLE further (x); SELECT nonsense FROM nowhere;")

	if _, err := openReader(ctx, dir, next); !errors.Is(err, ErrOlder) {
		t.Errorf("an older file, read: %v", err)
	}
	if _, err := open(ctx, dir, broken); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a step that cannot be done: %v", err)
	}
	if db, err := OpenReader(ctx, dir); err != nil {
		t.Errorf("after it: %v", err)
	} else {
		db.Close()
	}
	newer, err := open(ctx, dir, next)
	noError(t, err)
	var x, version int
	if err := newer.read.QueryRow("SELECT x, (SELECT user_version FROM pragma_user_version) FROM extra").Scan(&x, &version); err != nil || x != 1 || version != 2 {
		t.Errorf("brought forward: %d, version %d (%v)", x, version, err)
	}
	if runs, err := newer.Runs(ctx); err != nil || len(runs) != 1 {
		t.Errorf("runs %v (%v)", runs, err)
	}
	newer.Close()
	before, _ := os.ReadFile(filepath.Join(dir, fileName))
	for name, open := range map[string]func(context.Context, string) (*DB, error){"open": Open, "reader": OpenReader, "beside": OpenBeside,
		"rebuild": func(ctx context.Context, dir string) (*DB, error) { db, _, err := Rebuild(ctx, dir); return db, err }} {
		if _, err := open(ctx, dir); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "version is 2") {
			t.Errorf("%s of a newer file: %v", name, err)
		}
	}
	if after, _ := os.ReadFile(filepath.Join(dir, fileName)); string(after) != string(before) {
		t.Error("a newer file was changed")
	}
}

func TestMissing(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenReader(t.Context(), dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no history, read: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("to read has made %v", entries)
	}
	noError(t, os.Mkdir(filepath.Join(dir, fileName), 0o755))
	for _, open := range []func(context.Context, string) (*DB, error){Open, OpenReader} {
		if _, err := open(t.Context(), dir); !errors.Is(err, ErrNotPlain) {
			t.Errorf("a folder of that name: %v", err)
		}
	}
}

// If history.db is lost but not its write-ahead log, no new file is made, because SQLite would
// write the log into it. A rebuilt history has none of the log.
func TestLostFile(t *testing.T) {
	from, dir, ctx := t.TempDir(), t.TempDir(), t.Context()
	db := mustOpen(t, from)
	enter(t, db, testRun(0, "daily"))
	wal, err := os.ReadFile(filepath.Join(from, fileName+"-wal"))
	if err != nil || len(wal) == 0 {
		t.Fatal(len(wal), err)
	}
	noError(t, os.WriteFile(filepath.Join(dir, fileName+"-wal"), wal, 0o600))
	if db, err := Open(ctx, dir); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "-reindex") {
		t.Errorf("opened: %v, %v", db, err)
	}
	db, finish, err := Rebuild(ctx, dir)
	noError(t, err)
	defer db.Close()
	_, err = finish(ctx, day0)
	noError(t, err)
	if runs, err := mustOpen(t, dir).Runs(ctx); len(runs) != 0 || err != nil {
		t.Errorf("made anew: %v, %v", runs, err)
	}
}

// One process has a history; others read it meanwhile, and acknowledge.
func TestLocked(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	db, err := open(ctx, dir, quick)
	noError(t, err)
	defer db.Close()
	noError(t, db.update(ctx, func(tx *Tx) error {
		return errors.Join(tx.AddRun(testRun(0, "")), tx.SaveAlert(Alert{ID: "a", Site: "a.com", Condition: "AL01", Raised: runID(0)}))
	}))
	if _, err := open(ctx, dir, quick); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), dir) {
		t.Errorf("opened twice: %v", err)
	}
	if _, _, err := Rebuild(ctx, dir); !errors.Is(err, ErrLocked) {
		t.Errorf("made anew while it is open: %v", err)
	}
	out := runChild(t, "locked", dir, false)
	for _, want := range []string{"open: locked", "reader: 1 runs", "beside: acknowledged", "reader: enters nothing"} {
		if !strings.Contains(out, want) {
			t.Errorf("another process says %q, not %q", out, want)
		}
	}
	if a, err := db.Alert(ctx, "a"); err != nil || a.Note != "from beside" {
		t.Errorf("acknowledged from beside: %+v (%v)", a, err)
	}
	tx, err := db.Begin(ctx)
	noError(t, err)
	defer tx.Rollback()
	noError(t, tx.AddRun(testRun(1, "")))
	if out := runChild(t, "locked", dir, false); !strings.Contains(out, "beside: locked") || !strings.Contains(out, "reader: 1 runs") {
		t.Errorf("another process says %q while a run is entered", out)
	}
}

// A program that ignores the lock file writes to the database.
func TestBusy(t *testing.T) {
	dir := t.TempDir()
	mustOpen(t, dir).Close()
	other, err := sql.Open("sqlite", "file:"+filepath.Join(dir, fileName)+"?_txlock=immediate")
	noError(t, err)
	defer other.Close()
	tx, err := other.Begin()
	noError(t, err)
	if _, err := open(t.Context(), dir, quick); !errors.Is(err, ErrLocked) {
		t.Errorf("opened: %v", err)
	}
	tx.Rollback()
	if db, err := open(t.Context(), dir, quick); err != nil {
		t.Errorf("afterwards: %v", err)
	} else {
		db.Close()
	}
}

// A history on a medium that cannot be written is read, and not written. Root may write
// everywhere, so that another user tries it.
func TestReadOnly(t *testing.T) {
	dir := publicDir(t)
	db := mustOpen(t, dir)
	enter(t, db, testRun(0, "daily"))
	noError(t, db.Close())
	file := filepath.Join(dir, fileName)
	noError(t, errors.Join(os.Chmod(file, 0o444), os.Chmod(dir, 0o777), os.Chmod(filepath.Join(dir, lockName), 0o666)))
	isRead := func(what string) {
		t.Helper()
		if out := runChild(t, "locked", dir, true); !strings.Contains(out, "open: read-only") || !strings.Contains(out, "reader: 1 runs") {
			t.Errorf("%s: %q", what, out)
		}
	}
	isRead("a file that cannot be written")
	for _, end := range []string{"-wal", "-shm"} { // of the reader in a folder that it may write to
		os.Remove(file + end)
	}
	noError(t, os.Chmod(dir, 0o555))
	isRead("a folder that cannot be written")
	noError(t, os.Remove(filepath.Join(dir, lockName)))
	isRead("a folder without a lock")
	noError(t, os.WriteFile(file+"-wal", []byte("x"), 0o444)) // left by a kill
	if out := runChild(t, "locked", dir, true); !strings.Contains(out, "reader: read-only") || !strings.Contains(out, "Copy both") {
		t.Errorf("a folder with what was not folded in: %q", out)
	}
}

// A full disk makes a transaction fail completely; the history works again when there is space.
func TestFull(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, dir)
	enter(t, db, testRun(0, ""))
	before := dump(t, db)
	_, err := db.write.Exec("PRAGMA max_page_count = 60")
	noError(t, err)
	large := Entry{Site: Site{Name: "a.com", SHA256: "s", Body: make([]byte, 1<<20)}}
	err = db.update(t.Context(), func(tx *Tx) error { return enterIn(t.Context(), tx, testRun(1, ""), large) })
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), filepath.Join(dir, fileName)) {
		t.Errorf("entered: %v", err)
	}
	if after := dump(t, db); strings.Join(after, "\n") != strings.Join(before, "\n") {
		t.Errorf("a part of it was entered: %q", after)
	}
	_, err = db.write.Exec("PRAGMA max_page_count = 1000000")
	noError(t, err)
	enter(t, db, testRun(1, ""), large)
}

// The same on a file system of 3 MB, where this system lets a process mount one.
func TestFullDisk(t *testing.T) {
	out := runMounting(t, "full")
	for _, want := range []string{"entered: full", "folder and file: full", "whole runs only", "goes on"} {
		if !strings.Contains(out, want) {
			t.Errorf("it says %q, not %q", out, want)
		}
	}
}

// Where there is room for a part of a history, none is made, and one is made once there is room for all.
func TestLittleRoom(t *testing.T) {
	if out := runMounting(t, "little room"); !strings.Contains(out, "never half of one: true") || strings.Contains(out, " bytes") {
		t.Errorf("it says %s", out)
	}
}

// runMounting runs this test as another process that mounts file systems of its own.
func runMounting(t *testing.T, role string) string {
	t.Helper()
	cmd := childCommand(t, role, publicDir(t))
	cmd.SysProcAttr = ownNamespace()
	if cmd.SysProcAttr == nil {
		t.Skip("this system has no namespaces")
	}
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "cannot mount") || err != nil && len(out) == 0 {
		t.Skipf("%s %v", out, err)
	}
	return fmt.Sprintf("%s(%v)", out, err)
}

// childCommand is this test as another process, in a role.
func childCommand(t *testing.T, role, dir string) *exec.Cmd {
	t.Helper()
	name, err := os.Executable()
	noError(t, err)
	cmd := exec.CommandContext(t.Context(), name, "-test.run=^TestChild$", "-test.v")
	cmd.Env = append(os.Environ(), "HISTORY_CHILD="+role, "HISTORY_DIR="+dir)
	return cmd
}

// runChild runs this test as another process, as a user that is not root where we are.
func runChild(t *testing.T, role, dir string, other bool) string {
	t.Helper()
	cmd := childCommand(t, role, dir)
	if other && os.Getuid() == 0 {
		program, err := os.ReadFile(cmd.Path)
		noError(t, err)
		cmd.Path = filepath.Join(publicDir(t), "history.test") // go test's own folder is root's
		noError(t, os.WriteFile(cmd.Path, program, 0o755))
		cmd.Dir = "/"
		if cmd.SysProcAttr = asNobody(); cmd.SysProcAttr == nil {
			t.Skip("this system has no other user")
		}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// publicDir is a folder that other users reach.
func publicDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "history-*")
	noError(t, err)
	t.Cleanup(func() {
		os.Chmod(dir, 0o755)
		os.RemoveAll(dir)
	})
	noError(t, os.Chmod(dir, 0o755))
	return dir
}
