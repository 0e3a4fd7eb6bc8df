//go:build soak

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// terminated sends SIGTERM to a process when a condition is true. It returns its exit code, and how
// long it took to end.
func (p *process) terminated(t *testing.T, when func() bool) (code int, took time.Duration) {
	t.Helper()
	for began := time.Now(); !when(); time.Sleep(time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			p.kill()
			t.Fatalf("it never came to that: %s", p.said)
		}
	}
	began := time.Now()
	p.Process.Signal(syscall.SIGTERM)
	return p.wait(), time.Since(began)
}

// times counts the requests for a path, by host.
func (w *edited) times(path string) map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	of := map[string]int{}
	for name, n := range w.asked {
		if host, ok := strings.CutSuffix(name, path); ok {
			of[host] = n
		}
	}
	return of
}

// TestScheduleTerminated sends SIGTERM during a run. Complete sites stay, sites in progress are
// dropped, and the next start requests only these and stores the run.
func TestScheduleTerminated(t *testing.T) {
	w := newFewEdited(t, "al01.example.com", "al02.example.com", "al04.example.com", "al05.example.com", "al07.example.com", "al08.example.com")
	slow := []string{"al02.example.com", "al07.example.com"}
	for _, host := range slow {
		w.wears(host, face{hangs: true})
	}
	id := w.now.Format("20060102T150405Z")
	t.Setenv(clitest.GraceOfTest, "300ms")
	p := w.command(t, "-once")
	code, took := p.terminated(t, func() bool {
		journal, _ := os.ReadFile(filepath.Join(w.dir, "history", "runs", id, ".robots-audit", "journal.jsonl"))
		return bytes.Count(journal, []byte("\n")) >= 4 && len(w.times("/map.txt")) == 6
	})
	if code != cli.ExitSignal || took > 5*time.Second || !p.said.Has("The next start continues from here")() {
		t.Errorf("exit code %d after %v: %s", code, took, p.said)
	}
	_, names := clitest.Totals(t, filepath.Join(w.dir, "history", "runs", id))
	before := w.times("/robots.txt")
	for _, host := range slow {
		w.wears(host, face{})
	}
	w.now = w.now.Add(time.Minute)
	again, text := w.process(t)
	after := w.times("/robots.txt")
	for host, n := range after {
		if n != before[host] && !slices.Contains(slow, host) {
			t.Errorf("%s had ended, and is asked again", host)
		} else if n == before[host] && slices.Contains(slow, host) {
			t.Errorf("%s had not ended, and is not asked again", host)
		}
	}
	_, all := clitest.Totals(t, filepath.Join(w.dir, "history", "runs", id))
	if got := w.entered(t); again != cli.ExitDone || !slices.Equal(got, []string{id}) || len(all) != 6 || !w.wholeRun(id) {
		t.Errorf("exit code %d, runs %v, sites %v: %s", again, got, all, text)
	}
	t.Logf("SIGTERM during a run: exit code %d after %v, %d of 6 sites kept; robots.txt asked for %v before, %v after", code, took, len(names), before, after)
}

// TestScheduleTerminatedWaiting sends SIGTERM while a schedule waits: for a repeated request, for
// the receiver of a message, and for the next run. It ends at once, and the next start completes
// the rest.
func TestScheduleTerminatedWaiting(t *testing.T) {
	var mu sync.Mutex
	var ids []string
	hang := true
	held := make(chan struct{})
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		mu.Lock()
		ids = append(ids, r.Header.Get("X-Robots-Audit-Delivery"))
		hangs := hang
		mu.Unlock()
		if hangs {
			select {
			case <-held:
			case <-r.Context().Done():
			}
		}
	}))
	defer hook.Close()
	defer close(held)
	w := newFewEdited(t, "al03.example.com")
	with := fmt.Sprintf("[[alerts.file]]\npath = \"alerts.jsonl\"\n[[alerts.webhook]]\nurl = %q\ninternal = true\n", hook.URL)
	set := func(after string) {
		w.set(t, "quiet = true", "quiet = false", `confirm_after = "0s"`, fmt.Sprintf("confirm_after = %q", after), "[[alerts.file]]\npath = \"alerts.jsonl\"\n", with, "[[schedule]]\n", "[[schedule]]\nfirst = \"none\"\n")
	}
	set("10m")
	w.process(t)
	w.wears("al03.example.com", twists[2].face)
	var table strings.Builder
	hold := func(what string, when func(said *clitest.Hearing) bool, args ...string) {
		t.Helper()
		p := w.command(t, args...)
		code, took := p.terminated(t, func() bool { return when(p.said) })
		fmt.Fprintf(&table, "%-30s exit code %d after %v\n", what, code, took.Round(time.Millisecond))
		if code != cli.ExitSignal || took > 3*time.Second {
			t.Errorf("%s: exit code %d after %v: %s", what, code, took, p.said)
		}
	}
	hold("waiting to ask again", func(said *clitest.Hearing) bool { return said.Has("asking again before an alert")() }, "-once")
	if got := w.stories(t); got != "" || len(w.entered(t)) != 1 {
		t.Errorf("told: %s", got)
	}
	hold("the same in the loop", func(said *clitest.Hearing) bool { return said.Has("asking again before an alert")() })
	set("0s")
	hold("a receiver that hangs", func(*clitest.Hearing) bool { mu.Lock(); defer mu.Unlock(); return len(ids) == 1 }, "-once")
	hold("the same in the loop", func(*clitest.Hearing) bool { mu.Lock(); defer mu.Unlock(); return len(ids) == 2 })
	mu.Lock()
	hang = false
	mu.Unlock()
	hold("idle in the loop", func(said *clitest.Hearing) bool {
		return said.Has("waiting for the next run")() && said.Has("delivered")()
	})
	mu.Lock()
	defer mu.Unlock()
	if len(ids) != 3 || cmp.Or(ids[0], "-") != ids[1] || ids[1] != ids[2] {
		t.Errorf("delivered with the ids %q", ids)
	}
	if got := w.stories(t); !strings.HasPrefix(got, "raised AL03 20261102T07") || strings.Count(got, "\n") != 1 || len(w.entered(t)) != 2 {
		t.Errorf("told: %s", got)
	}
	t.Logf("\n%s", &table)
}
