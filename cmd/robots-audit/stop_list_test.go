//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestInterruptedList sends one signal to a run with an endless list. Complete sites are in the
// summary, whatever the list's reader waits for.
func TestInterruptedList(t *testing.T) {
	w := newSlowWorld(t)
	pipe := func(t *testing.T, p *process) {
		r, end, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close(); end.Close() })
		p.Stdin = r
		if _, err := io.WriteString(end, "http://s0.example\nhttp://s1.exam"); err != nil {
			t.Fatal(err)
		}
	}
	fifo := func(t *testing.T, p *process) {
		name := filepath.Join(t.TempDir(), "list")
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Fatal(err)
		}
		end, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { end.Close() })
		if _, err := io.WriteString(end, "http://s0.example\nhttp://s1.exam"); err != nil {
			t.Fatal(err)
		}
		p.Args = append(p.Args, "-domains", name)
	}
	zeros := func(_ *testing.T, p *process) { p.Args = append(p.Args, "-domains", "/dev/zero") }
	noise := func(t *testing.T, p *process) { // like /dev/urandom, but without lines that happen to name a site
		r, end, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close(); end.Close() })
		p.Stdin = r
		go func() {
			random := rand.New(rand.NewPCG(8, 12))
			line := make([]byte, 60)
			for err := error(nil); err == nil; _, err = end.Write(line) {
				for i := range line {
					line[i] = byte('\n' + 1 + random.IntN(256-'\n'-1))
				}
				copy(line, "no site: ")
				line[len(line)-1] = '\n'
			}
		}()
	}
	for _, c := range []struct {
		name   string
		list   func(*testing.T, *process)
		signal os.Signal
		sites  int
	}{
		{"a pipe", pipe, syscall.SIGINT, 1},
		{"a named pipe", fifo, syscall.SIGTERM, 1},
		{"zeros", zeros, syscall.SIGINT, 0},
		{"lines without a site", noise, syscall.SIGTERM, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "run")
			p := w.prepare(t, out, time.Hour)
			c.list(t, p)
			p.begin(t)
			if c.sites > 0 {
				p.untilFinished(t, out, c.sites)
			} else {
				p.untilSaid(t, "line 1: ")
			}
			p.signal(t, c.signal)
			if code := p.code(t); code != cli.ExitSignal {
				t.Errorf("exit code %d: %s", code, p.said)
			}
			if sum, _ := clitest.Totals(t, out); sum.Sites != c.sites {
				t.Errorf("totals %+v", sum)
			}
			if !strings.Contains(p.said.String(), "-resume") {
				t.Errorf("it does not say how to go on: %.300s", p.said)
			}
		})
	}
}

// TestInterruptedBeforeTheRun sends a signal to a program that waits for its settings, its list or
// its URLs: it ends at once, and leaves nothing.
func TestInterruptedBeforeTheRun(t *testing.T) {
	w := newSlowWorld(t)
	for _, flag := range []string{"-domains", "-urls", "-config"} {
		t.Run(flag, func(t *testing.T) {
			out, name := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(name, 0o600); err != nil {
				t.Fatal(err)
			}
			p := w.prepare(t, out, time.Hour, flag, name)
			p.Stdin = strings.NewReader("http://s0.example\n")
			p.begin(t)
			end := p.reader(t, name)
			defer end.Close()
			p.signal(t, syscall.SIGINT)
			if code := p.code(t); code != cli.ExitSignal || !strings.Contains(p.said.String(), "stopped by a signal") {
				t.Errorf("exit code %d: %s", code, p.said)
			}
			if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the run's folder: %v", err)
			}
		})
	}
}

// TestInterruptedLogs sends one signal to a program that waits for more lines of an access log. It
// reports the lines that it has read, but not half a line. A pipe may have no writer at all.
func TestInterruptedLogs(t *testing.T) {
	const log = `66.249.66.1 - - [24/Nov/2025:06:12:00 +0000] "GET /0/a HTTP/1.1" 200 12 "-" "Googlebot/2.1"` + "\n"
	w := newSlowWorld(t)
	for _, c := range []struct {
		name string
		text string // written to the pipe; "" = nobody opens it
		args []string
		says string
	}{
		{"logs", log + log[:40], []string{"logs", "-rules", "robots.txt", "-site", "http://s0.example", "-out", "out"}, "1 file has 1 line."},
		{"logs without a writer", "", []string{"logs", "-rules", "robots.txt", "-site", "http://s0.example", "-out", "out"}, "1 file has 0 lines."},
		{"audit", log + log[:40], []string{"-domains", "list", "-no-cache", "-connect-to", ":80:" + w.Listener.Addr().String(), "-out", "out", "-logs"}, "combined: 1 file, 1 line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, "pipe")
			err := errors.Join(syscall.Mkfifo(name, 0o600),
				os.WriteFile(filepath.Join(dir, "list"), []byte("http://s0.example\n"), 0o600),
				os.WriteFile(filepath.Join(dir, "robots.txt"), []byte("User-agent: *\nDisallow: /0\n"), 0o600))
			if err != nil {
				t.Fatal(err)
			}
			p := newProcess(t, append(c.args, "pipe")...)
			p.Dir = dir
			p.begin(t)
			if c.text != "" {
				end := p.reader(t, name)
				defer end.Close()
				if _, err := io.WriteString(end, c.text); err != nil {
					t.Fatal(err)
				}
				time.Sleep(100 * time.Millisecond) // it says nothing while it reads
			} else {
				time.Sleep(500 * time.Millisecond)
			}
			p.signal(t, syscall.SIGINT)
			if code := p.code(t); code != cli.ExitSignal || !strings.Contains(p.said.String(), c.says) {
				t.Errorf("exit code %d: %s", code, p.said)
			}
			if _, err := os.Stat(filepath.Join(dir, "out", "index.html")); err != nil && c.name != "audit" {
				t.Error(err)
			}
		})
	}
}

// reader waits until the process opens a named pipe, and returns its other end.
func (p *process) reader(t *testing.T, name string) (end *os.File) {
	t.Helper()
	p.untilTrue(t, "it opens "+name, func() bool {
		fd, err := syscall.Open(name, syscall.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err != nil && !errors.Is(err, syscall.ENXIO) { // the pipe has no reader
			t.Fatal(err)
		}
		if err == nil {
			end = os.NewFile(uintptr(fd), name)
		}
		return err == nil
	})
	return end
}

// TestInterruptedAtOnce sends signals at all moments of a short run. Before the program's first
// line the system ends it. After that it says so and exits with 130, unless it was done before.
// There is never half a folder.
func TestInterruptedAtOnce(t *testing.T) {
	w := newSlowWorld(t)
	close(w.free)
	for i := range 15 {
		t.Run(fmt.Sprint("moment ", i), func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "run")
			p := w.prepare(t, out, time.Hour)
			p.Stdin = strings.NewReader("http://s0.example\n")
			p.begin(t)
			select {
			case <-p.ended:
			case <-time.After(time.Duration(i*i) * 700 * time.Microsecond):
				p.Process.Signal([]os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[i%3]) // it may have ended
			}
			select {
			case <-p.ended:
			case <-time.After(testTimeout):
				t.Fatalf("it has not ended: %s", p.said)
			}
			var exit *exec.ExitError
			errors.As(p.err, &exit)
			_, err := os.Stat(out)
			_, whole := os.Stat(filepath.Join(out, "summary.json"))
			switch {
			case exit == nil || exit.ExitCode() == cli.ExitSignal:
				if err == nil && whole != nil {
					t.Errorf("half a folder: %v: %s", whole, p.said)
				}
				if exit != nil && !strings.Contains(p.said.String(), "stopped by a signal") {
					t.Errorf("%q", p.said)
				}
			case exit.ExitCode() == -1: // ended by the system
				if err == nil || p.said.String() != "" {
					t.Errorf("it was at work, and the system ended it: %v %s", err, p.said)
				}
			default:
				t.Errorf("%v: %s", p.err, p.said)
			}
		})
	}
}

// TestHangup closes the terminal of a run: it ends as by other signals, but continues if started
// with nohup.
func TestHangup(t *testing.T) {
	for _, c := range []struct {
		name, shell string
		code        int
	}{
		{"a terminal", `exec "$@"`, cli.ExitSignal},
		{"nohup", `trap "" HUP; exec "$@"`, cli.ExitDone},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.code == cli.ExitSignal && signal.Ignored(syscall.SIGHUP) {
				t.Skip("the tests themselves were started so that they go on")
			}
			w := newSlowWorld(t)
			out := filepath.Join(t.TempDir(), "run")
			p := w.prepare(t, out, time.Hour)
			p.Args = append([]string{"sh", "-c", c.shell, "sh"}, append([]string{p.alias(t)}, p.Args[1:]...)...)
			p.Path = "/bin/sh"
			p.Stdin = strings.NewReader("http://s9.example\n")
			p.begin(t)
			p.until(t, "the site is asked", w.waiting)
			p.signal(t, syscall.SIGHUP)
			if c.code == cli.ExitSignal {
				p.untilSaid(t, "signal")
			}
			close(w.free)
			if code := p.code(t); code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, p.said)
			}
			if sum, _ := clitest.Totals(t, out); sum.Sites != 1 {
				t.Errorf("totals %+v", sum)
			}
		})
	}
}

// alias is a name with which the test binary is the command.
func (p *process) alias(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "robots-audit")
	if err := os.Symlink(p.Path, name); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestNobodyListens closes the readers of a run's log and result: it continues to its end, since
// its reports matter.
func TestNobodyListens(t *testing.T) {
	w := newSlowWorld(t)
	out := filepath.Join(t.TempDir(), "run")
	p := w.prepare(t, out, time.Hour)
	r, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	p.Stdout, p.Stderr = end, end
	p.Stdin = strings.NewReader(fmt.Sprintf("no site\n%s\n", "http://s0.example"))
	p.begin(t)
	end.Close()
	if code := p.code(t); code != cli.ExitUnknown {
		t.Errorf("exit code %d", code)
	}
	if sum, _ := clitest.Totals(t, out); sum.Sites != 1 {
		t.Errorf("totals %+v", sum)
	}
}
