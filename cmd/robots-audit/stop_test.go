package main

import (
	"bytes"
	"encoding/json"
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
)

// slowWorld serves ten sites of a hundred URLs, ten of them blocked. The last
// of them waits for the test before it answers, and tells when it is asked.
type slowWorld struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]int // requests for robots.txt
	held  chan struct{}  // somebody waits
	free  chan struct{}  // closed: nobody waits any more
}

func newSlowWorld(t *testing.T) *slowWorld {
	w := &slowWorld{asked: map[string]int{}, held: make(chan struct{}, 100), free: make(chan struct{})}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			w.mu.Lock()
			w.asked[r.Host]++
			w.mu.Unlock()
			if r.Host == "s9.example" {
				w.held <- struct{}{}
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

// start starts the command as a process of its own on the ten sites.
func (w *slowWorld) start(t *testing.T, out string, more ...any) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	for i := range 10 {
		fmt.Fprintf(&list, "http://s%d.example\n", i)
	}
	args := []string{"robots-audit", "-domains", "-", "-quiet", "-workers", "1", "-out", out, "-connect-to", ":80:" + w.Listener.Addr().String()}
	said := &bytes.Buffer{}
	cmd := &exec.Cmd{Path: exe, Stdin: strings.NewReader(list.String()), Stdout: said, Stderr: said}
	for _, m := range more { // further arguments, or where standard error goes
		switch m := m.(type) {
		case string:
			args = append(args, m)
		case told:
			cmd.Stderr = m
		}
	}
	cmd.Args = args
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, said
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -2
	}
	return 0
}

// totals reads a run's summary.json: its totals, and every site once.
func totals(t *testing.T, out string) (sum struct{ Sites, URLs, Blocked int }, names []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(out, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Totals struct {
			Sites, URLs int
			Blocked     int `json:"blocked_urls"`
		}
		Sites []struct{ Domain string }
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	for _, site := range s.Sites {
		names = append(names, site.Domain)
	}
	return struct{ Sites, URLs, Blocked int }{s.Totals.Sites, s.Totals.URLs, s.Totals.Blocked}, names
}

// untilFinished waits until the reports of n sites are written, which goes on
// beside the audit of the next ones.
func untilFinished(t *testing.T, out string, n int) {
	t.Helper()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	deadline := time.After(time.Minute)
	for {
		journal, err := os.ReadFile(filepath.Join(out, ".robots-audit", "journal.jsonl"))
		if err == nil && bytes.Count(journal, []byte("\n")) >= n {
			return
		}
		select {
		case <-look.C:
		case <-deadline:
			t.Fatalf("%d reports are not written after a minute: %s", n, journal)
		}
	}
}

// TestKilled kills the program without warning in the middle of a run, and
// resumes it: every site once, the same totals, what was finished not asked
// again, nothing half written.
func TestKilled(t *testing.T) {
	w := newSlowWorld(t)
	out := filepath.Join(t.TempDir(), "run")
	cmd, _ := w.start(t, out)
	<-w.held
	untilFinished(t, out, 9)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if _, err := os.Stat(filepath.Join(out, "summary.json")); err == nil {
		t.Error("a run that was killed has a summary")
	}
	if found, _ := filepath.Glob(filepath.Join(out, "*.xlsx")); len(found) != 9 {
		t.Errorf("%d workbooks before the kill, want 9", len(found))
	}

	close(w.free)
	cmd, said := w.start(t, out, "-resume")
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	sum, names := totals(t, out)
	if want := (struct{ Sites, URLs, Blocked int }{10, 1000, 100}); sum != want {
		t.Errorf("totals %+v, want %+v", sum, want)
	}
	want := []string{"s0.example", "s1.example", "s2.example", "s3.example", "s4.example", "s5.example", "s6.example", "s7.example", "s8.example", "s9.example"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	for _, name := range want[:9] {
		if w.asked[name] != 1 {
			t.Errorf("%s was asked %d times", name, w.asked[name])
		}
	}
	if found, _ := filepath.Glob(filepath.Join(out, ".robots-audit", "tmp", "*")); len(found) > 0 {
		t.Errorf("left over: %q", found)
	}
}

// TestInterrupted sends the signal of Ctrl-C once: the program writes what
// there is, says how to go on, and exits with 130.
func TestInterrupted(t *testing.T) {
	w := newSlowWorld(t)
	out := filepath.Join(t.TempDir(), "run")
	cmd, said := w.start(t, out)
	<-w.held
	began := time.Now()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(cmd.Wait()); code != exitSignal {
		t.Errorf("exit code %d: %s", code, said)
	}
	// The site that never answers is abandoned after grace; its timeout would be ten times that.
	if took := time.Since(began); took > 3*grace {
		t.Errorf("it took %v to stop", took)
	}
	if found, _ := filepath.Glob(filepath.Join(out, ".robots-audit", "tmp", "*")); len(found) > 0 {
		t.Errorf("left over: %q", found)
	}
	if !strings.Contains(said.String(), "-resume") {
		t.Errorf("it does not say how to go on: %s", said)
	}
	if sum, _ := totals(t, out); sum.Sites != 9 || sum.URLs != 900 {
		t.Errorf("totals %+v", sum)
	}
	close(w.free)
	cmd, said = w.start(t, out, "-resume")
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if sum, _ := totals(t, out); sum.Sites != 10 || sum.Blocked != 100 {
		t.Errorf("totals %+v", sum)
	}
}

// TestInterruptedTwice sends it twice: the program ends at once, long before
// the site that never answers could have finished, and leaves nothing half written.
func TestInterruptedTwice(t *testing.T) {
	w := newSlowWorld(t)
	defer close(w.free)
	words := make(chan string, 16)
	out := filepath.Join(t.TempDir(), "run")
	cmd, _ := w.start(t, out, told(words))
	<-w.held
	// What a report is being written to, whatever the moment.
	half := filepath.Join(out, ".robots-audit", "tmp", "half", "written.xlsx")
	if err := errors.Join(os.MkdirAll(filepath.Dir(half), 0o755), os.WriteFile(half, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if first := <-words; !strings.Contains(first, "a second signal ends at once") {
		t.Errorf("it says %q", first)
	}
	began := time.Now()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(cmd.Wait()); code != exitSignal || time.Since(began) >= grace {
		t.Errorf("exit code %d after %v", code, time.Since(began))
	}
	if _, err := os.Stat(filepath.Join(out, ".robots-audit", "tmp")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of files that are being written: %v", err)
	}
}

// told is a writer that hands over what is written to it.
type told chan string

func (c told) Write(p []byte) (int, error) {
	select {
	case c <- string(p):
	default:
	}
	return len(p), nil
}
