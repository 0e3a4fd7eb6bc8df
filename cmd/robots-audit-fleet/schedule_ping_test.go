package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"robots-audit/cmd/internal/job"
	"robots-audit/cmd/internal/scheduling"
)

// TestSchedulePing: -once pings at the start and at the end of a run. A stopped run has no ping at its
// end, and the start that continues it has. If nothing is due, nothing is pinged.
func TestSchedulePing(t *testing.T) {
	w := newQuickEdited(t)
	w.files["list"] = "al01.example.com\n"
	w.configure(t, "Googlebot")
	var mu sync.Mutex
	var pings []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		pings = append(pings, r.URL.Path)
	}))
	t.Cleanup(server.Close)
	w.write(t, "config.toml", w.files["config.toml"]+fmt.Sprintf("[health.ping]\nurl = %q\ninternal = true\n", server.URL+"/uuid"))
	check := func(what string, want ...string) {
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		if !slices.Equal(pings, want) {
			t.Errorf("%s: pings %q, want %q", what, pings, want)
		}
		pings = nil
	}
	defer func(was func() time.Time) { scheduling.Clock = was }(scheduling.Clock)
	scheduling.Clock = func() time.Time { return w.now }
	once := func() {
		t.Helper()
		if code, said := call("schedule", "-config", filepath.Join(w.dir, "config.toml"), "-once"); code != 0 {
			t.Fatalf("exit code %d: %s", code, said)
		}
	}
	once()
	check("a run", "/uuid/start", "/uuid")
	once()
	check("nothing is due")

	w.now = w.now.Add(time.Hour)
	manifest := filepath.Join(w.dir, "history", "runs", w.now.UTC().Format("20060102T150405Z"), "run.json")
	var unfinished []byte
	w.hook = func(string) {
		if unfinished == nil {
			unfinished, _ = os.ReadFile(manifest)
		}
	}
	w.withLoop(t, func(l *job.Loop, ctx context.Context) error {
		audit := l.Audit
		l.Audit = func(ctx context.Context, a job.Auditing) error {
			return errors.Join(audit(ctx, a), os.WriteFile(manifest, unfinished, 0o644), job.ErrStopped)
		}
		return l.Once(ctx)
	})
	check("a stopped run", "/uuid/start")
	once()
	check("its end", "/uuid")
	if n := len(w.entered(t)); n != 2 {
		t.Errorf("%d runs", n)
	}

	w.now = w.now.Add(time.Hour)
	w.write(t, "list", "# no site\n")
	if code, said := call("schedule", "-config", filepath.Join(w.dir, "config.toml"), "-once"); code != 2 {
		t.Errorf("exit code %d: %s", code, said)
	}
	check("a failed run", "/uuid/start", "/uuid/fail")
}
