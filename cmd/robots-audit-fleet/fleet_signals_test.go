//go:build unix

package main

import (
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

	"robots-audit/audit/fleet/store"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestFleetSignals: node, worker and status end by SIGINT and SIGTERM with 130 and a sentence, by a
// second signal at once. Their work is not lost.
func TestFleetSignals(t *testing.T) {
	asked, release := make(chan string, 100), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case asked <- r.Host:
		default:
		}
		select {
		case <-release:
		case <-r.Context().Done():
		}
		w.Write([]byte("User-agent: *\nDisallow: /x\n"))
	}))
	defer server.Close()
	free := sync.OnceFunc(func() { close(release) })
	defer free()
	connect := ":80:" + server.Listener.Addr().String()
	_, servers := fleetNode(t, nil)
	dir := t.TempDir()
	bucket := store.FolderURL(filepath.Join(dir, "bucket"))
	list := filepath.Join(dir, "list.txt")
	clitest.WriteFile(t, list, "http://a.example\n")
	worker := []string{"worker", "-servers", servers, "-bucket", bucket, "-tries", "20", "-retry-delay", "10ms", "-lease", "2s"}
	p := fleetProcess(t, worker...) // the first of a fleet sets the lease
	p.says(t, " is up")
	p.Process.Signal(os.Interrupt)
	p.wait()
	code, id, told := called("submit", "-servers", servers, "-bucket", bucket, "-domains", list, "-connect-to", connect, "-retries", "0")
	if code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, told)
	}
	asks := func() { <-asked }
	for _, signals := range [][]syscall.Signal{{syscall.SIGTERM}, {syscall.SIGINT, syscall.SIGTERM}} {
		for what, c := range map[string]struct {
			args  []string
			ready string
			work  func() // returns when it is working; nil = no wait
		}{
			"node":          {[]string{"node", "-name", "n2", "-dir", filepath.Join(dir, "n2"), "-listen", "127.0.0.1:0"}, " is up", nil},
			"worker":        {worker, " is up", asks},
			"status -watch": {[]string{"status", "-servers", servers, "-watch"}, "", nil},
		} {
			for len(asked) > 0 {
				<-asked
			}
			p := fleetProcess(t, c.args...)
			if c.ready != "" {
				p.says(t, c.ready)
			} else if c.work == nil {
				time.Sleep(200 * time.Millisecond) // it prints nothing, and an earlier signal makes no difference
			}
			if c.work != nil {
				c.work()
			}
			for _, s := range signals {
				p.Process.Signal(s)
			}
			// A second signal ends the program while the first is still being handled, so a log
			// line may come last.
			if code := p.wait(); code != cli.ExitSignal || !slices.Contains(strings.Split(p.said.String(), "\n"), "robots-audit-fleet: stopped by a signal") {
				t.Errorf("%s, %v: exit code %d: %s", what, signals, code, p.said)
			}
		}
	}
	free()
	fleetProcess(t, worker...)
	folder := filepath.Join(dir, "bucket", "runs", strings.TrimSpace(id))
	clitest.Until(t, 3*time.Minute, "the run ends", func() bool {
		_, err := os.Stat(filepath.Join(folder, "run.json"))
		return err == nil
	})
	if summary, err := os.ReadFile(filepath.Join(folder, "summary.json")); err != nil || len(readSite.FindAll(summary, -1)) != 1 {
		t.Errorf("the site was not read: %v\n%s", err, summary)
	}
}
