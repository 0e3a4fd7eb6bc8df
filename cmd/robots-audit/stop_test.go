package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// slowWorld serves ten sites of a hundred URLs, ten of them blocked. The last site waits for the
// test before it answers, and reports its request.
type slowWorld struct {
	*httptest.Server
	mu      sync.Mutex
	asked   map[string]int // requests for robots.txt
	waiting chan struct{}  // a request waits
	free    chan struct{}  // closed: no request waits any more
}

func newSlowWorld(t *testing.T) *slowWorld {
	w := &slowWorld{asked: map[string]int{}, waiting: make(chan struct{}, 100), free: make(chan struct{})}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			w.mu.Lock()
			w.asked[r.Host]++
			w.mu.Unlock()
			if r.Host == "s9.example" {
				w.waiting <- struct{}{}
				select {
				case <-w.free:
				case <-r.Context().Done():
				}
			}
			fmt.Fprintf(rw, "User-agent: *\nDisallow: /0\nSitemap: http://%s/list.txt\n", r.Host)
			return
		}
		for i := range 100 {
			fmt.Fprintf(rw, "http://%s/%d/%d\n", r.Host, i%10, i)
		}
	}))
	t.Cleanup(w.Close)
	return w
}

// process is the command in its own process.
type process struct {
	*exec.Cmd
	said  *clitest.Hearing // on standard output and standard error
	ended chan struct{}    // closed when it has ended; err is set then
	err   error
}

// start starts the command on the ten sites. No server has a timeout shorter than the test; only
// the grace period ends a site early.
func (w *slowWorld) start(t *testing.T, out string, grace time.Duration, more ...string) *process {
	t.Helper()
	var list strings.Builder
	for i := range 10 {
		fmt.Fprintf(&list, "http://s%d.example\n", i)
	}
	p := w.prepare(t, out, grace, more...)
	p.Stdin = strings.NewReader(list.String())
	p.begin(t)
	return p
}

// prepare is start without a list, and without starting the process.
func (w *slowWorld) prepare(t *testing.T, out string, grace time.Duration, more ...string) *process {
	t.Helper()
	args := []string{"-domains", "-", "-quiet", "-workers", "1", "-timeout", "1h", "-no-cache", "-out", out, "-connect-to", ":80:" + w.Listener.Addr().String()}
	p := newProcess(t, append(args, more...)...)
	p.Env = append(p.Env, clitest.GraceOfTest+"="+grace.String())
	return p
}

// newProcess is the command with arguments, not yet started.
func newProcess(t *testing.T, args ...string) *process {
	t.Helper()
	said := clitest.NewHearing()
	return &process{said: said, ended: make(chan struct{}), Cmd: &exec.Cmd{Path: clitest.Self(t), Args: append([]string{"robots-audit"}, args...), Env: os.Environ(), Stdout: said, Stderr: said}}
}

// begin starts the process, and kills it when the test ends.
func (p *process) begin(t *testing.T) {
	t.Helper()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() { p.Process.Kill(); <-p.ended })
}

func (p *process) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// code waits until the process has ended, and returns its exit code.
func (p *process) code(t *testing.T) int {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(testTimeout):
		t.Fatalf("it has not ended after %v; it said: %s", testTimeout, p.said)
	}
	var exit *exec.ExitError
	switch {
	case errors.As(p.err, &exit):
		return exit.ExitCode()
	case p.err != nil:
		t.Fatal(p.err)
	}
	return 0
}

// testTimeout is how long a test waits on the slowest machine before it fails; each step takes a
// second or two on a fast one.
const testTimeout = 3 * time.Minute

// until waits until happened is closed or receives a value.
func (p *process) until(t *testing.T, what string, happened <-chan struct{}) {
	t.Helper()
	select {
	case <-happened:
	case <-p.ended:
		t.Fatalf("it ended before %s: %v: %s", what, p.err, p.said)
	case <-time.After(testTimeout):
		t.Fatalf("no sign after %v of %s; it said: %s", testTimeout, what, p.said)
	}
}

// untilSaid waits until the process has printed something.
func (p *process) untilSaid(t *testing.T, words string) {
	t.Helper()
	for !strings.Contains(p.said.String(), words) {
		p.until(t, fmt.Sprintf("%q", words), p.said.More)
	}
}

// untilFinished waits until the reports of n sites are written, which happens in parallel with the
// audit of the next ones.
func (p *process) untilFinished(t *testing.T, out string, n int) {
	t.Helper()
	p.untilTrue(t, fmt.Sprintf("%d reports are written", n), func() bool {
		journal, err := os.ReadFile(filepath.Join(out, ".robots-audit", "journal.jsonl"))
		return err == nil && bytes.Count(journal, []byte("\n")) >= n
	})
}

// untilTrue polls until a condition is true.
func (p *process) untilTrue(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(testTimeout); !holds(); {
		if time.Now().After(end) {
			t.Fatalf("no sign after %v of %s; it said: %s", testTimeout, what, p.said)
		}
		select {
		case <-p.ended:
			t.Fatalf("it ended before %s: %v: %s", what, p.err, p.said)
		case <-time.After(time.Millisecond):
		}
	}
}

// TestKilled kills the program in the middle of a run, and resumes it. Each site is there once, the
// totals are equal, complete sites are not requested again, and no file is unfinished.
func TestKilled(t *testing.T) {
	w := newSlowWorld(t)
	out := filepath.Join(t.TempDir(), "run")
	p := w.start(t, out, time.Hour)
	p.until(t, "the last site is asked", w.waiting)
	p.untilFinished(t, out, 9)
	p.signal(t, os.Kill)
	<-p.ended
	if _, err := os.Stat(filepath.Join(out, "summary.json")); err == nil {
		t.Error("a run that was killed has a summary")
	}
	if found, _ := filepath.Glob(filepath.Join(out, "*.xlsx")); len(found) != 9 {
		t.Errorf("%d workbooks before the kill, want 9", len(found))
	}

	close(w.free)
	p = w.start(t, out, time.Hour, "-resume")
	if code := p.code(t); code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, p.said)
	}
	sum, names := clitest.Totals(t, out)
	if want := (struct{ Sites, URLs, Blocked int }{10, 1000, 100}); sum != want {
		t.Errorf("totals %+v, want %+v", sum, want)
	}
	want := []string{"s0.example", "s1.example", "s2.example", "s3.example", "s4.example", "s5.example", "s6.example", "s7.example", "s8.example", "s9.example"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range want[:9] {
		if w.asked[name] != 1 {
			t.Errorf("%s was asked %d times", name, w.asked[name])
		}
	}
	if found, _ := filepath.Glob(filepath.Join(out, ".robots-audit", "tmp", "*")); len(found) > 0 {
		t.Errorf("left over: %q", found)
	}
}

// TestInterrupted sends the signal of Ctrl-C once. The site that never answers is abandoned long
// before its own timeout of an hour. The program writes its results so far, says how to continue,
// and exits with 130.
func TestInterrupted(t *testing.T) {
	w := newSlowWorld(t)
	out := filepath.Join(t.TempDir(), "run")
	p := w.start(t, out, 100*time.Millisecond)
	p.until(t, "the last site is asked", w.waiting)
	p.untilFinished(t, out, 9)
	p.signal(t, syscall.SIGINT)
	if code := p.code(t); code != cli.ExitSignal {
		t.Errorf("exit code %d: %s", code, p.said)
	}
	if found, _ := filepath.Glob(filepath.Join(out, ".robots-audit", "tmp", "*")); len(found) > 0 {
		t.Errorf("left over: %q", found)
	}
	if !strings.Contains(p.said.String(), "-resume") {
		t.Errorf("it does not say how to go on: %s", p.said)
	}
	if sum, _ := clitest.Totals(t, out); sum.Sites != 9 || sum.URLs != 900 {
		t.Errorf("totals %+v", sum)
	}
	close(w.free)
	p = w.start(t, out, time.Hour, "-resume")
	if code := p.code(t); code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, p.said)
	}
	if sum, _ := clitest.Totals(t, out); sum.Sites != 10 || sum.Blocked != 100 {
		t.Errorf("totals %+v", sum)
	}
}

// TestInterruptedTwice sends it twice: the program ends at once, without waiting an hour for the
// site that never answers, or for a summary. It leaves no unfinished files.
func TestInterruptedTwice(t *testing.T) {
	w := newSlowWorld(t)
	defer close(w.free)
	out := filepath.Join(t.TempDir(), "run")
	p := w.start(t, out, time.Hour)
	p.until(t, "the last site is asked", w.waiting)
	p.untilFinished(t, out, 9)
	// A file as it is while a report is being written.
	half := filepath.Join(out, ".robots-audit", "tmp", "half", "written.xlsx")
	if err := errors.Join(os.MkdirAll(filepath.Dir(half), 0o755), os.WriteFile(half, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	p.signal(t, syscall.SIGINT)
	p.untilSaid(t, "A second signal stops at once")
	p.signal(t, syscall.SIGINT)
	if code := p.code(t); code != cli.ExitSignal {
		t.Errorf("exit code %d: %s", code, p.said)
	}
	if _, err := os.Stat(filepath.Join(out, "summary.json")); err == nil {
		t.Error("a run that was ended at once has a summary")
	}
	if _, err := os.Stat(filepath.Join(out, ".robots-audit", "tmp")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of files that are being written: %v", err)
	}
}
