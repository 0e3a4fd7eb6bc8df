package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestReadmeFleet runs the commands of the fleet's guide as written, except for names of machines
// and folders. They make a fleet in one process, and one with a node, a worker and a submitter.
func TestReadmeFleet(t *testing.T) {
	text := clitest.Read(t, "..", "..", ".github", "docs", "fleet.md")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			fmt.Fprintf(w, "http://%s/\nhttp://%[1]s/private/\n", r.Host)
			return
		}
		fmt.Fprintf(w, "User-agent: *\nDisallow: /private/\nSitemap: http://%s/list.txt\n", r.Host)
	}))
	defer site.Close()
	dir := t.TempDir()
	here := strings.NewReplacer("n1.example:4222", clitest.FreeAddress(t), "n1.example", "127.0.0.1", "/etc/robots-audit/fleet", dir+"/secrets", "/var/lib/robots-audit", dir, "/srv/audits", dir+"/bucket")
	_, config, _ := strings.Cut(text, "\n    [fleet]\n")
	config, _, _ = strings.Cut(config, "\n\n")
	self, err := os.Executable()
	err = errors.Join(err, os.Symlink(self, filepath.Join(dir, "robots-audit-fleet")), os.Mkdir(filepath.Join(dir, "bucket"), 0o755),
		os.WriteFile(filepath.Join(dir, "fleet.toml"), []byte("[fleet]\n"+here.Replace(config)), 0o644),
		os.WriteFile(filepath.Join(dir, "list.txt"), []byte("http://www.example.com\nhttp://shop.example.com\n"), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	start := func(command string) *process {
		p := exec.Command("sh", "-c", "exec "+here.Replace(command))
		p.Dir = dir
		p.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "ROBOTS_AUDIT_CONNECT_TO=:80:"+site.Listener.Addr().String(), "ROBOTS_AUDIT_NO_CACHE=true", clitest.GraceOfTest+"=100ms")
		return started(t, p)
	}
	ran := 0
	for _, line := range regexp.MustCompile(`(?m)^    (robots-audit-fleet .*)$`).FindAllStringSubmatch(text, -1) {
		p := start(line[1])
		ran++
		until := ""
		switch words := strings.Fields(line[1]); {
		case words[1] == "node" && words[2] != "-init", words[1] == "worker":
			until = " is up"
		case words[1] == "status":
			until = "QUEUE"
		}
		if until != "" {
			clitest.Until(t, time.Minute, line[1]+" says "+until, p.said.Has(until))
			if until == "QUEUE" {
				p.Process.Signal(syscall.SIGTERM)
				p.wait()
			}
			continue
		}
		if p.wait() != cli.ExitDone {
			t.Errorf("%s: %v: %s", line[1], p.ProcessState, p.said)
		}
		if strings.HasSuffix(line[1], " -out monday") {
			if sum, names := clitest.Totals(t, filepath.Join(dir, "monday")); sum.Sites != 2 {
				t.Errorf("%s: %+v of %v", line[1], sum, names)
			}
			if err := os.RemoveAll(filepath.Join(dir, "monday")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if ran != 6 {
		t.Errorf("%d commands, want 6", ran)
	}
}
