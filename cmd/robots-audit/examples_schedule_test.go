//go:build examples && linux

package main

import (
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"robots-audit/cmd/internal/clitest"
)

// exampleFile returns the text of an example, with continued lines joined.
func exampleFile(t *testing.T, name string) string {
	t.Helper()
	text := clitest.Read(t, "..", "..", ".github", "examples", name)
	return strings.ReplaceAll(text, "\\\n", "")
}

// TestExampleUnits checks the units with systemd, and how much they restrict: systemd rates
// exposure from 0 to 10, and the limit here is 2.
func TestExampleUnits(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Fatal("systemd-analyze is not installed: apt-get install systemd")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "robots-audit")
	if text, err := exec.Command("go", "build", "-o", dir, ".", "../robots-audit-fleet").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var names []string
	for _, name := range []string{"robots-audit.service", "robots-audit-once.service", "robots-audit-node.service", "robots-audit-worker.service", "robots-audit-once.timer"} {
		text := strings.ReplaceAll(exampleFile(t, name), "/usr/local/bin/robots-audit", program) // verify checks that it exists
		clitest.Write(t, dir, map[string]string{name: text})
		names = append(names, "./"+name)
	}
	analyze := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("systemd-analyze", args...)
		cmd.Dir = dir
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("systemd-analyze %v: %v\n%s", args, err, text)
		}
		return string(text)
	}
	if said := analyze(append([]string{"verify", "--man=no"}, names...)...); strings.TrimSpace(said) != "" {
		t.Errorf("systemd-analyze verify says: %s", said)
	}
	for _, name := range names[:4] {
		said := analyze("security", "--offline=true", "--no-pager", "--threshold=20", name)
		exposure := regexp.MustCompile(`Overall exposure level[^\n]*`).FindString(said)
		if exposure == "" {
			t.Errorf("systemd-analyze security says: %s", said)
		}
		t.Log(exposure)
	}
	// The three ways to start it use the same command.
	for _, c := range []struct{ file, form string }{
		{"robots-audit.service", `(?m)^ExecStart=(/usr/local/bin/robots-audit schedule -config /etc/robots-audit/config.toml)$`},
		{"robots-audit-once.service", `(?m)^ExecStart=(/usr/local/bin/robots-audit schedule -config /etc/robots-audit/config.toml -once)$`},
		{"crontab", `(?m)^\*/5 \* \* \* \* robots-audit flock --nonblock --conflict-exit-code 0 \S+ (/usr/local/bin/robots-audit schedule -config /etc/robots-audit/config.toml -once)$`},
	} {
		if !regexp.MustCompile(c.form).MatchString(exampleFile(t, c.file)) {
			t.Errorf("%s does not hold %s", c.file, c.form)
		}
	}
}

// exampleSite serves a site for the programs of the examples, and returns its address.
func exampleSite(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := map[string]string{"/robots.txt": exampleRobots, "/sitemap.xml": exampleSitemap}[r.URL.Path]
		if body == "" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, body)
	})}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return l.Addr().String()
}

// healthOf requests /healthz until there is a response.
func healthOf(t *testing.T, address string) string {
	t.Helper()
	for range 100 {
		answer, err := http.Get("http://" + address + "/healthz")
		if err != nil {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	t.Fatal("nobody answers /healthz")
	return ""
}
