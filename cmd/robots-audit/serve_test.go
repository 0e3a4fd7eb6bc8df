package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// startServe starts the dashboard for folders in its own process, and returns its URL without a
// final slash.
func startServe(t testing.TB, args ...string) (base string, p *exec.Cmd) {
	t.Helper()
	p = exec.Command("robots-audit", append([]string{"serve", "-listen", "127.0.0.1:0"}, args...)...)
	var said bytes.Buffer
	p.Stderr = &said
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(5*time.Minute, func() { p.Process.Kill() })
	t.Cleanup(func() {
		kill.Stop()
		if p.ProcessState == nil {
			p.Process.Kill()
			p.Wait()
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "http://127.0.0.1:") {
		p.Process.Kill()
		p.Wait()
		t.Fatalf("it says %q, %v\n%s", line, err, &said)
	}
	return strings.TrimSuffix(strings.TrimSpace(line), "/"), p
}

// TestServeTry compares the dashboard's result for an edited robots.txt with that of simulate.
func TestServeTry(t *testing.T) {
	dir := demoRun(t)
	base, _ := startServe(t, dir)
	file := filepath.Join(t.TempDir(), "robots.txt")
	for _, site := range []string{"www.bookshop.example", "magazine.example", "fragile.example", "moved.example", "silent.example"} {
		for _, robots := range []string{"", "User-agent: *\nDisallow: /\n", "User-agent: *\nDisallow: /*a\nAllow: /books/\n\nUser-agent: Bingbot\nDisallow:\n", "\xef\xbb\xbfuser-agent: googlebot\r\ndisallow: /b\r\n"} {
			clitest.WriteFile(t, file, robots)
			var out, said bytes.Buffer
			if code := run([]string{"simulate", "-robots", file, "-site", site, "-json", dir}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &said}); code != cli.ExitDone && code != cli.ExitUnknown {
				t.Fatalf("simulate: exit code %d: %s", code, &said)
			}
			var want struct{ Sites []map[string]any }
			if err := json.Unmarshal(out.Bytes(), &want); err != nil {
				t.Fatal(err)
			}
			body, _ := json.Marshal(map[string]string{"robots": robots})
			answer, err := http.Post(base+"/runs/run/sites/"+site+"/try", "application/json", bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			var is struct{ Told map[string]any }
			err = json.NewDecoder(answer.Body).Decode(&is)
			answer.Body.Close()
			for _, more := range []string{"directories", "templates"} {
				if _, has := is.Told[more]; !has {
					t.Errorf("%s: no %s", site, more)
				}
				delete(is.Told, more)
				delete(is.Told, more+"_more")
			}
			if err != nil || !reflect.DeepEqual(is.Told, want.Sites[0]) {
				t.Errorf("%s, %q: %v\n%v\nwant\n%v", site, robots, err, is.Told, want.Sites[0])
			}
		}
	}
}

// TestServeBasePath runs the dashboard below a path, which is part of the address that it prints.
func TestServeBasePath(t *testing.T) {
	base, _ := startServe(t, "-base-path", "/tools/robots-audit/", demoRun(t))
	if !strings.HasSuffix(base, "/tools/robots-audit") {
		t.Errorf("it prints %s", base)
	}
	answer, err := http.Get(base + "/runs/run/sites/magazine.example/edit")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("the editor: %s", answer.Status)
	}
}

// TestServeTerminated ends the dashboard during many requests: responses are complete, and it ends
// in time.
func TestServeTerminated(t *testing.T) {
	dir := demoRun(t)
	base, p := startServe(t, dir)
	var whole, refused atomic.Int64
	var clients sync.WaitGroup
	end := make(chan struct{})
	for i := range 20 {
		clients.Go(func() {
			client := &http.Client{Timeout: 20 * time.Second}
			defer client.CloseIdleConnections()
			for n := i; ; n++ {
				select {
				case <-end:
					return
				default:
				}
				path := []string{"/", "/runs/run/report/index.html", "/runs/run/sites/magazine.example/edit", "/runs/run/report/summary.xlsx", "/assets/desk.js"}[n%5]
				answer, err := client.Get(base + path)
				if err != nil {
					refused.Add(1)
					time.Sleep(5 * time.Millisecond)
					continue
				}
				_, err = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if err != nil || answer.StatusCode != 200 {
					t.Errorf("%s: %s, %v", path, answer.Status, err)
					continue
				}
				whole.Add(1)
			}
		})
	}
	stream, err := http.Get(base + "/runs/run/progress")
	if err != nil {
		t.Fatal(err)
	}
	stream.Body.Close()
	for whole.Load() < 200 {
		time.Sleep(time.Millisecond)
	}
	if n := refused.Load(); n > 0 {
		t.Errorf("%d refused before its end", n)
	}
	began := time.Now()
	p.Process.Signal(syscall.SIGTERM)
	err = p.Wait()
	took := time.Since(began)
	for refused.Load() == 0 && time.Since(began) < 10*time.Second {
		time.Sleep(time.Millisecond)
	}
	close(end)
	clients.Wait()
	if code := p.ProcessState.ExitCode(); code != cli.ExitSignal || took > 5*time.Second {
		t.Errorf("exit code %d after %s: %v", code, took, err)
	}
	if refused.Load() == 0 {
		t.Error("it answers after its end")
	}
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), fmt.Sprintf("robots-audit-serve-*-%d", p.Process.Pid)))
	if len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
