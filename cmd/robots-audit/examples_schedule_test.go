//go:build examples && linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// exampleFile returns the text of an example, its continued lines joined.
func exampleFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", ".github", "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\\\n", "")
}

// builtProgram builds the program, as the container's file has it, and returns its name.
func builtProgram(t *testing.T, file string) string {
	t.Helper()
	out := t.TempDir()
	for _, run := range regexp.MustCompile(`(?m)^RUN (.*)$`).FindAllStringSubmatch(file, -1) {
		cmd := exec.Command("sh", "-c", strings.ReplaceAll(run[1], "/out/", out+"/"))
		cmd.Dir = filepath.Join("..", "..")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", run[1], err, text)
		}
	}
	return filepath.Join(out, "robots-audit")
}

// TestExampleUnits holds the units to systemd's own judgement, and to how much they shut
// out: systemd counts from 0 to 10, and calls what is below 2 well protected.
func TestExampleUnits(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Fatal("systemd-analyze is not installed: apt-get install systemd")
	}
	program := builtProgram(t, exampleFile(t, "Containerfile"))
	dir := t.TempDir()
	var names []string
	for _, name := range []string{"robots-audit.service", "robots-audit-once.service", "robots-audit-node.service", "robots-audit-worker.service", "robots-audit-once.timer"} {
		text := strings.ReplaceAll(exampleFile(t, name), "/usr/local/bin/robots-audit", program) // verify looks whether it is there
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
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
	// What is written in the three ways to start it is one command.
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

// container is the root of a file system made by the example, and how to run in it.
type container struct {
	root         string
	entry, cmd   []string
	env          []string
	uid, gid     uint32
	stdout, errs bytes.Buffer
}

// newContainer does what the container's file says: it builds the program, and lays the
// folders. Nothing but /data and /tmp can be written by its user.
func newContainer(t *testing.T) *container {
	t.Helper()
	file := exampleFile(t, "Containerfile")
	one := func(form string) string {
		t.Helper()
		m := regexp.MustCompile(`(?m)^`+form+`$`).FindAllStringSubmatch(file, -1)
		if len(m) != 1 {
			t.Fatalf("%d lines %s", len(m), form)
		}
		return strings.Join(m[0][1:], " ")
	}
	c := &container{root: t.TempDir(), env: []string{one(`ENV (\S+)`)}}
	if _, err := fmt.Sscanf(one(`USER (\d+):(\d+)`), "%d %d", &c.uid, &c.gid); err != nil || c.uid == 0 || c.gid == 0 {
		t.Fatalf("its user is %d:%d, %v", c.uid, c.gid, err)
	}
	for list, form := range map[*[]string]string{&c.entry: `ENTRYPOINT (\[.*\])`, &c.cmd: `CMD (\[.*\])`} {
		if err := json.Unmarshal([]byte(one(form)), list); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.ReadFile(builtProgram(t, file))
	if err != nil {
		t.Fatal(err)
	}
	c.write(t, c.entry[0], string(program), 0o755)
	for _, dir := range []string{one(`VOLUME (\S+)`), "/tmp"} {
		if err := os.Mkdir(filepath.Join(c.root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(filepath.Join(c.root, dir), int(c.uid), int(c.gid)); err != nil {
			t.Fatal(err)
		}
	}
	for dir := c.root; dir != filepath.Dir(filepath.Dir(c.root)); dir = filepath.Dir(dir) { // for its user to come in
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// write writes a file that its user can read.
func (c *container) write(t *testing.T, name, text string, mode fs.FileMode) {
	t.Helper()
	name = filepath.Join(c.root, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// command is the entry point with its own arguments, and more, in the root of the
// container, as its user, with its environment and no other.
func (c *container) command(more ...string) *exec.Cmd {
	args := append(slices.Concat(c.entry, c.cmd), more...)
	c.stdout.Reset()
	c.errs.Reset()
	return &exec.Cmd{
		Path: args[0], Args: args, Env: c.env, Dir: "/", Stdout: &c.stdout, Stderr: &c.errs,
		SysProcAttr: &syscall.SysProcAttr{Chroot: c.root, Credential: &syscall.Credential{Uid: c.uid, Gid: c.gid}},
	}
}

// files lists what lies in the container, with its owner, but for the folder of the history.
func (c *container) files(t *testing.T) (list []string) {
	t.Helper()
	err := filepath.WalkDir(c.root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(c.root, name)
		if rel == "data" {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err == nil {
			list = append(list, fmt.Sprint(rel, " ", info.Mode(), " ", info.Sys().(*syscall.Stat_t).Uid))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestExampleContainer runs the container's entry point as it is written, without root, in a
// file system that it cannot write but for its two folders: once for what is due, and then
// for ever, until it is stopped as a container is.
func TestExampleContainer(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Fatal("only root can run a program in a folder as its root: sudo go test -tags examples …")
	}
	site := exampleSite(t)
	c := newContainer(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	health := l.Addr().String()
	l.Close()
	c.write(t, "/etc/robots-audit/shops.txt", "http://shop.example\n", 0o644)
	c.write(t, "/etc/robots-audit/config.toml", fmt.Sprintf(`connect-to = [":80:%s"]
retries = 0
[history]
dir = "/data"
[[schedule]]
name = "shops"
cron = "0 6 * * *"
timezone = "Europe/Berlin"
domains = "shops.txt"
[[alerts.file]]
path = "/data/alerts.jsonl"
[health]
listen = "%s"
`, site, health), 0o644)

	before := c.files(t)
	once := c.command("-once")
	if err := once.Run(); err != nil {
		t.Fatalf("%v: %v\n%s%s", once.Args, err, c.stdout.String(), c.errs.String())
	}
	if after := c.files(t); !slices.Equal(before, after) {
		t.Errorf("beside its history it has left %q, before it was %q", after, before)
	}
	runs, _ := filepath.Glob(filepath.Join(c.root, "data", "runs", "*", "summary.json"))
	info, err := os.Stat(filepath.Join(c.root, "data", "history.db"))
	if err != nil || len(runs) != 1 || info.Sys().(*syscall.Stat_t).Uid != c.uid {
		t.Fatalf("%v, runs %v\n%s%s", err, runs, c.stdout.String(), c.errs.String())
	}

	service := c.command()
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	defer service.Process.Kill()
	body := healthOf(t, health)
	if !strings.HasPrefix(body, "ok\nshops: next run at ") {
		t.Errorf("its health: %s", body)
	}
	if err := service.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	var exit *exec.ExitError
	if err := service.Wait(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != exitSignal) {
		t.Errorf("after SIGTERM: %v\n%s%s", err, c.stdout.String(), c.errs.String())
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v to end", took)
	}
	if again, _ := filepath.Glob(filepath.Join(c.root, "data", "runs", "*")); len(again) != 1 {
		t.Errorf("what was answered is run again: %v", again)
	}
}

// exampleSite serves a site that the programs of the examples audit, and returns its address.
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

// healthOf asks for /healthz until somebody answers.
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
