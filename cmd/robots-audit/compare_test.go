package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
)

// demoRun makes a run of the demo sites.
func demoRun(t *testing.T, flags ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	if code, said := call(append([]string{"demo", "-out", dir, "-quiet"}, flags...)...); code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, said)
	}
	return dir
}

// fullPipe is a full pipe.
func fullPipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	for size := 4096; size > 0; size /= 2 { // the remaining room may be less than a page
		for err = nil; err == nil; {
			if err := w.SetWriteDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
				t.Skip("pipes without deadlines")
			}
			_, err = w.Write(make([]byte, size))
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal(err)
		}
	}
	return w
}

// TestCompareStopped stops a comparison without a folder while its output is not read: the
// temporary folder is removed.
func TestCompareStopped(t *testing.T) {
	dir, temp := demoRun(t), t.TempDir()
	p := newProcess(t, "compare", dir, dir, "-json")
	p.Env, p.Stdout = append(p.Env, "TMPDIR="+temp), fullPipe(t)
	p.begin(t)
	p.untilTrue(t, "the comparison is there", func() bool {
		found, _ := filepath.Glob(filepath.Join(temp, "*", "changes.json"))
		return len(found) > 0
	})
	p.signal(t, syscall.SIGTERM)
	if code := p.code(t); code != cli.ExitSignal {
		t.Errorf("exit code %d: %s", code, p.said)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

// TestCompareUnread prints to a closed pipe: the exit code is that of the comparison, and no
// temporary folder stays.
func TestCompareUnread(t *testing.T) {
	dir, temp := demoRun(t), t.TempDir()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	p := newProcess(t, "compare", dir, dir, "-json")
	p.Env, p.Stdout = append(p.Env, "TMPDIR="+temp), w
	p.begin(t)
	if code := p.code(t); code != cli.ExitDone || p.said.String() != "" {
		t.Errorf("exit code %d: %s", code, p.said)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

// noSpace is a full disk.
type noSpace struct{}

func (noSpace) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
}

// TestCompareUnwritten prints to a full disk, which is reported.
func TestCompareUnwritten(t *testing.T) {
	dir := demoRun(t)
	for _, more := range [][]string{{"-json"}, nil} {
		var said strings.Builder
		out := filepath.Join(t.TempDir(), "out")
		code := run(append([]string{"compare", dir, dir, "-out", out}, more...), cli.Streams{In: strings.NewReader(""), Out: noSpace{}, Err: &said})
		if code != cli.ExitFailed || !strings.Contains(said.String(), "the disk is full. Free some space") {
			t.Errorf("%q: exit code %d: %s", more, code, &said)
		}
		if _, err := os.Stat(filepath.Join(out, "changes.json")); err != nil {
			t.Errorf("%q: the comparison itself is complete, and should stay: %v", more, err)
		}
	}
}
