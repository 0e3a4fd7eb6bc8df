//go:build soak && linux

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// fault damages a history's file between two runs.
type fault struct {
	name  string
	words []string // that must be in the output
	hurt  func(t *testing.T, w *edited, file string) (mend func())
}

// rewritten changes the file's bytes; rebuilding the history fixes it.
func rewritten(damage func([]byte) []byte) func(*testing.T, *edited, string) func() {
	return func(t *testing.T, w *edited, file string) func() {
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(file, damage(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			if code, text := w.ends(t, "-reindex", filepath.Dir(file)); code != cli.ExitDone {
				t.Errorf("-reindex: exit code %d: %s", code, text)
			}
		}
	}
}

// versioned changes the file's version; restoring it fixes it.
func versioned(by int) func(*testing.T, *edited, string) func() {
	return func(t *testing.T, w *edited, file string) func() {
		set := func(by int) {
			db, err := sql.Open("sqlite", file)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			var version int
			if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(fmt.Sprintf("PRAGMA user_version = %d", version+by)); err != nil {
				t.Fatal(err)
			}
		}
		set(by)
		return func() { set(-by) }
	}
}

// lastFolder is the newest folder of a run.
func (w *edited) lastFolder(t *testing.T) string {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(w.dir, "history", "runs"))
	if err != nil || len(list) == 0 {
		t.Fatal("no run: ", err)
	}
	return list[len(list)-1].Name()
}

// nobody is the ID of a user that is not root.
const nobody = 65534

// chown gives all files of the world to a user.
func (w *edited) chown(t *testing.T, id int) error {
	t.Helper()
	return filepath.WalkDir(w.dir, func(name string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(name, id, id))
	})
}

// asNobody runs the world's processes as a user that is not root, and gives that user all files.
func (w *edited) asNobody(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	exe := clitest.Self(t)
	program, err := os.ReadFile(exe) // go test's own folder belongs to root
	if err := errors.Join(err, os.WriteFile(filepath.Join(w.dir, "robots-audit-fleet"), program, 0o755), os.Chmod(filepath.Dir(w.dir), 0o755), w.chown(t, nobody)); err != nil {
		t.Fatal(err)
	}
	users[w] = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

var faults = []fault{
	{"of another database", []string{"history.db", "another database"}, versioned(-1)},
	{"read-only", []string{"history.db", "cannot be written", "permissions"}, func(t *testing.T, w *edited, file string) func() {
		w.asNobody(t)
		if err := errors.Join(os.Chown(file, 0, 0), os.Chmod(file, 0o444)); err != nil {
			t.Fatal(err)
		}
		return func() {
			w.chown(t, nobody)
			for _, end := range []string{"", "-wal", "-shm"} { // SQLite creates them with the mode of the file
				os.Chmod(file+end, 0o644)
			}
		}
	}},
	{"in a read-only folder", []string{"history.db", "cannot be written", "permissions"}, func(t *testing.T, w *edited, file string) func() {
		w.asNobody(t)
		if err := errors.Join(os.Mkdir(filepath.Join(filepath.Dir(file), "comparisons"), 0o755), w.chown(t, nobody), os.Chown(filepath.Dir(file), 0, 0), os.Chmod(filepath.Dir(file), 0o555)); err != nil {
			t.Fatal(err)
		}
		return func() { w.chown(t, nobody); os.Chmod(filepath.Dir(file), 0o755) }
	}},
	{"a page of it flipped", []string{"history.db", "damaged", "-reindex"}, rewritten(func(b []byte) []byte {
		for i := 8192; i < 8392; i++ {
			b[i] ^= 0xff
		}
		return b
	})},
	{"empty", []string{"history.db", "damaged", "-reindex"}, rewritten(func([]byte) []byte { return nil })},
	{"newer", []string{"history.db", "newer version"}, versioned(90)},
	{"being written by another program", []string{"history.db", "another process"}, func(t *testing.T, w *edited, file string) func() {
		db, err := sql.Open("sqlite", file+"?_txlock=immediate")
		if err != nil {
			t.Fatal(err)
		}
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		return func() { tx.Rollback(); db.Close() }
	}},
}

// TestScheduleFaults damages the history between two runs, the second of which causes an alert. The
// run is made anyway, and the problem is reported in one sentence. Once it is fixed, the next start
// stores the run and sends the alert, once.
func TestScheduleFaults(t *testing.T) {
	var table strings.Builder
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			w := newFewEdited(t, "al01.example.com", "al10.example.com")
			if code, said := w.process(t); code != cli.ExitDone {
				t.Fatalf("exit code %d: %s", code, said)
			}
			w.wears("al10.example.com", twists[9].face)
			mend := f.hurt(t, w, filepath.Join(w.dir, "history", "history.db"))
			code, said := w.process(t)
			id := w.lastFolder(t)
			kept := id > "20261102T07" && w.wholeRun(id)
			mend()
			again, next := w.process(t)
			w.process(t)
			in := slices.Contains(w.entered(t), id)
			fmt.Fprintf(&table, "%s\n  code %d, run kept: %v; after it was mended code %d, entered: %v\n  %s\n", f.name, code, kept, again, in, strings.ReplaceAll(strings.TrimSpace(said), "\n", "\n  "))
			if code != cli.ExitFailed || !kept || again != cli.ExitDone || !in {
				t.Errorf("exit code %d, run kept: %v; then %d, entered: %v: %s\n%s", code, kept, again, in, said, next)
			}
			for _, word := range f.words {
				if !strings.Contains(said, word) {
					t.Errorf("%q is not said: %s", word, said)
				}
			}
			told := strings.Split(strings.TrimSpace(w.stories(t)), "\n")
			slices.Sort(told)
			if !slices.Contains(told, "raised AL10 "+id) || len(slices.Compact(slices.Clone(told))) < len(told) || slices.ContainsFunc(told, func(line string) bool { return !strings.HasSuffix(line, id) }) {
				t.Errorf("told: %q", told)
			}
		})
	}
	t.Logf("\n%s", &table)
}

// TestScheduleLocked: if another process owns the history, nothing starts, since that one makes the
// runs.
func TestScheduleLocked(t *testing.T) {
	w := newFewEdited(t, "al01.example.com")
	db, err := history.Open(context.Background(), filepath.Join(w.dir, "history"))
	if err != nil {
		t.Fatal(err)
	}
	code, said := w.process(t)
	t.Logf("code %d: %s", code, said)
	if runs, _ := os.ReadDir(filepath.Join(w.dir, "history", "runs")); code != cli.ExitFailed || len(runs) > 0 || !strings.Contains(said, "another process") {
		t.Errorf("exit code %d, %d folders: %s", code, len(runs), said)
	}
	db.Close()
	if code, said := w.process(t); code != cli.ExitDone || len(w.entered(t)) != 1 {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// TestScheduleFullDisk fills the disk of a history, with more and more free bytes, before every
// second run. The problem is reported, and once there is space the next start completes the run. No
// run with a folder is lost, and no message is sent twice.
func TestScheduleFullDisk(t *testing.T) {
	w := newFewEdited(t, "al01.example.com", "al10.example.com")
	exe, err := os.Executable()
	if err == nil {
		err = errors.Join(os.Symlink(exe, filepath.Join(w.dir, "robots-audit-fleet")), os.Mkdir(filepath.Join(w.dir, "history"), 0o755), os.Mkdir(filepath.Join(w.dir, "copy"), 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, "script", `cd "$1" && mount -t tmpfs -o size=24m none history || exit 77
hour=0
once() {
	TEST_CLOCK=$(printf 2026-12-%02dT%02d:00:00Z $((hour/24+1)) $((hour%24))) ./robots-audit-fleet schedule -config config.toml -once >said 2>&1
	echo "code $?: $1"; grep -v 'crawl\|Reports\|WARN' said
	hour=$((hour+1))
}
once "the disk is empty"
for left in 0 16 32 48 64 80 96 104 112 120 128 136 144 160 192 256 384; do
	dd if=/dev/zero of=history/rest bs=1k count=$left 2>/dev/null
	dd if=/dev/zero of=history/fill bs=1k 2>/dev/null
	rm history/rest
	once "$left kB left"
	rm history/fill
	once "mended"
done
cp -a history/. copy/
`)
	said := clitest.NewHearing()
	p := &exec.Cmd{Path: "/bin/sh", Args: []string{"sh", filepath.Join(w.dir, "script"), w.dir}, Stdout: said, Stderr: said, Env: os.Environ(),
		SysProcAttr: &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		}}
	if err := p.Start(); err != nil {
		t.Skip("no namespace of mounts: ", err)
	}
	p.Wait()
	if p.ProcessState.ExitCode() == 77 {
		t.Skip("cannot mount: ", said)
	}
	t.Logf("\n%s", said)
	if err := errors.Join(os.RemoveAll(filepath.Join(w.dir, "history")), os.Rename(filepath.Join(w.dir, "copy"), filepath.Join(w.dir, "history"))); err != nil {
		t.Fatal(err)
	}
	entered := w.entered(t)
	folders, _ := os.ReadDir(filepath.Join(w.dir, "history", "runs"))
	for _, f := range folders {
		if _, err := os.Stat(filepath.Join(w.dir, "history", "runs", f.Name(), "run.json")); err != nil {
			continue // it was not started
		}
		if !w.wholeRun(f.Name()) || !slices.Contains(entered, f.Name()) {
			t.Errorf("%s: whole: %v, entered: %v", f.Name(), w.wholeRun(f.Name()), slices.Contains(entered, f.Name()))
		}
	}
	if len(entered) < 18 || strings.Count(said.String(), "code 0: mended") != 17 {
		t.Errorf("%d runs entered", len(entered))
	}
	if got := w.stories(t); got != "" {
		t.Errorf("told, though nothing has changed: %s", got)
	}
}

// TestScheduleUnwritten has reports that cannot be written, of one site and of all. Such a site's
// alert neither ends nor opens again, and later runs are stored.
func TestScheduleUnwritten(t *testing.T) {
	for _, hosts := range [][]string{{"al01.example.com"}, {"al01.example.com", "al10.example.com"}} {
		w := newFewEdited(t, "al01.example.com", "al10.example.com")
		w.process(t)
		w.wears("al01.example.com", twists[0].face)
		w.process(t)
		raised := w.stories(t)
		if !strings.Contains(raised, "raised AL01") {
			t.Fatalf("told: %s", raised)
		}
		id := w.now.Format("20060102T150405Z")
		var of sync.Map // prevents writing a site's records
		w.mu.Lock()
		w.hook = func(host string) {
			if name := filepath.Join(w.dir, "history", "runs", id, "records", host+".jsonl.zst", "x"); slices.Contains(hosts, host) {
				of.Store(filepath.Dir(name), os.MkdirAll(name, 0o755))
			}
		}
		w.mu.Unlock()
		code, said := w.process(t)
		if code != cli.ExitUnknown || !strings.Contains(said, "some reports could not be written") || !strings.Contains(said, "a site is skipped in the history") {
			t.Errorf("exit code %d: %s", code, said)
		}
		w.mu.Lock()
		w.hook = nil
		w.mu.Unlock()
		of.Range(func(name, err any) bool {
			if err != nil {
				t.Error(err)
			}
			os.RemoveAll(name.(string))
			return true
		})
		for range 2 {
			if code, said := w.process(t); code != cli.ExitDone || w.stories(t) != raised {
				t.Errorf("exit code %d, told: %s: %s", code, w.stories(t), said)
			}
		}
		w.wears("al01.example.com", face{})
		w.process(t)
		got := strings.TrimPrefix(w.stories(t), raised)
		if entered := w.entered(t); len(entered) != 6 || !strings.Contains(got, "ended AL01 "+entered[5]) || strings.Contains(got, "raised") {
			t.Errorf("%d runs entered, told at the end: %s", len(entered), got)
		}
		w.remade(t)
	}
}

// TestScheduleLate stores a run two hours late, in which a site had a problem. Conditions that
// persist are reported then, ended ones are not.
func TestScheduleLate(t *testing.T) {
	w := newFewEdited(t, "al03.example.com", "al04.example.com")
	w.process(t)
	w.wears("al03.example.com", twists[2].face)
	w.wears("al04.example.com", twists[3].face)
	mend := versioned(90)(t, w, filepath.Join(w.dir, "history", "history.db"))
	if code, said := w.process(t); code != cli.ExitFailed {
		t.Fatalf("exit code %d: %s", code, said)
	}
	mend()
	w.wears("al04.example.com", face{})
	w.now = time.Now().Add(9 * time.Hour).UTC()                                                                 // run.json has the machine's time
	w.set(t, "quiet = true", "quiet = false", "cron = \"0 * * * *\"", "cron = \"0 * * * *\"\ncatch_up = false") // no run is due
	code, said := w.process(t)
	if got := w.stories(t); code != cli.ExitDone || !strings.HasPrefix(got, "raised AL03 20261102T07") || strings.Count(got, "\n") != 1 {
		t.Errorf("exit code %d, told: %s: %s", code, got, said)
	}
}
