//go:build examples

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// The Dockerfile is built here as written, by buildah, which needs no service. The image runs in
// namespaces with its user, environment, working directory and entry point. Its file system is
// read-only except for /data and /tmp. Only its base image is made here, from this machine's Go and
// busybox, instead of golang.

// image is the container's unpacked image, with its settings.
type image struct {
	root   string
	config struct {
		User, WorkingDir     string
		Env, Entrypoint, Cmd []string
		Volumes              map[string]struct{}
	}
	uid, gid       int
	data, settings string // folders of this machine, mounted at /data and /etc/robots-audit
}

// newImage builds the image in its own store.
func newImage(t *testing.T) *image {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatal("only root can run a program in a folder as its root: sudo go test -tags examples …")
	}
	dir := t.TempDir()
	buildah := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("buildah", append([]string{"--storage-driver", "vfs", "--root", filepath.Join(dir, "store"), "--runroot", filepath.Join(dir, "run")}, args...)...)
		cmd.Env = append(os.Environ(), "GOFLAGS=")
		var errs bytes.Buffer
		cmd.Stderr = &errs
		text, err := cmd.Output()
		if err != nil {
			t.Fatalf("buildah %v: %v: %s%s", args, err, text, errs.String())
		}
		return strings.TrimSpace(string(text))
	}
	places, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE", "GOCACHE", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	env := strings.Split(strings.TrimSpace(string(places)), "\n")

	base, context := filepath.Join(dir, "base"), filepath.Join(dir, "context")
	for _, folder := range []string{"bin", "tmp", "usr/local/go", "etc/ssl/certs"} {
		if err := os.MkdirAll(filepath.Join(base, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	busybox, err := exec.LookPath("busybox")
	if err != nil {
		t.Fatal(err)
	}
	for to, from := range map[string]string{"bin/busybox": busybox, "etc/ssl/certs/ca-certificates.crt": "/etc/ssl/certs/ca-certificates.crt"} {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(base, to), text, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"sh", "mkdir", "cp", "chmod"} {
		if err := os.Symlink("busybox", filepath.Join(base, "bin", name)); err != nil {
			t.Fatal(err)
		}
	}
	file := "FROM scratch\nCOPY . /\nENV PATH=/usr/local/go/bin:/bin GOTOOLCHAIN=local GOPATH=/go GOCACHE=/cache GOPROXY=" + env[3] + "\n"
	clitest.Write(t, dir, map[string]string{"base.Dockerfile": file})
	checkoutModule(t, context)
	if err := os.RemoveAll(filepath.Join(context, ".git")); err != nil { // the image has no git
		t.Fatal(err)
	}
	buildah("bud", "--isolation", "chroot", "-t", "docker.io/library/golang:1.26", "-f", filepath.Join(dir, "base.Dockerfile"), base)
	build := []string{"bud", "--isolation", "chroot", "--pull-never", "--network", "host", "-v", env[0] + ":/usr/local/go:ro",
		"-v", env[1] + ":/go/pkg/mod", "-v", env[2] + ":/cache", "-f", filepath.Join(context, "cmd", "robots-audit", "Dockerfile")}
	buildah(append(build, "-t", "robots-audit", context)...)
	// The fleet's image is built with a small program, since the real one takes minutes to compile.
	fleet := filepath.Join(context, "cmd", "robots-audit-fleet")
	if err := errors.Join(os.RemoveAll(fleet), os.Mkdir(fleet, 0o755), os.WriteFile(filepath.Join(fleet, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	buildah(append(build, "-t", "robots-audit-fleet", "--target", "fleet", context)...)
	if said := buildah("inspect", "--type", "image", "--format", "{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}", "robots-audit-fleet"); said != "[/robots-audit-fleet] [help]" {
		t.Errorf("the fleet's image starts %s", said)
	}

	m := &image{data: filepath.Join(dir, "data"), settings: filepath.Join(dir, "settings")}
	var inspected struct {
		OCIv1 struct{ Config any }
	}
	inspected.OCIv1.Config = &m.config
	if err := json.Unmarshal([]byte(buildah("inspect", "--type", "image", "robots-audit")), &inspected); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(m.config.User, "%d:%d", &m.uid, &m.gid); err != nil || m.uid == 0 || m.gid == 0 {
		t.Fatalf("its user is %q, %v", m.config.User, err)
	}
	m.root = buildah("mount", buildah("from", "--pull-never", "robots-audit"))
	t.Cleanup(func() { buildah("umount", "--all") })
	// As a container engine does, a volume gets the owner and mode of the image's folder.
	data, err := os.Stat(filepath.Join(m.root, "data"))
	if err != nil {
		t.Fatal(err)
	}
	owner := data.Sys().(*syscall.Stat_t)
	if owner.Uid != uint32(m.uid) || owner.Gid != 0 || data.Mode().Perm() != 0o775 {
		t.Fatalf("/data: %v of %d:%d", data.Mode(), owner.Uid, owner.Gid)
	}
	for _, folder := range []string{m.data, m.settings, filepath.Join(m.root, "etc", "robots-audit")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Chown(m.data, m.uid, 0), os.Chmod(m.data, 0o775)); err != nil {
		t.Fatal(err)
	}
	for folder := m.root; folder != filepath.Dir(filepath.Dir(dir)); folder = filepath.Dir(folder) { // so that its user can enter
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// container is one run of an image.
type container struct {
	*exec.Cmd
	said *bytes.Buffer // standard output and error
}

// runIn starts a shell in its own namespaces, which mounts the container's folders and then
// executes the program, so signals reach that.
const runIn = `set -e
[ -z "$ALONE" ] || ip link set lo up
mount --bind "$ROOT" "$ROOT"
mount -o remount,bind,ro "$ROOT"
mount --bind "$DATA" "$ROOT/data"
mount --bind "$SETTINGS" "$ROOT/etc/robots-audit"
mount -o remount,bind,ro "$ROOT/etc/robots-audit"
mount -t tmpfs -o mode=1777,nosuid tmpfs "$ROOT/tmp"
exec "$@"`

// run prepares a run with these arguments, or with the image's; alone = without a network.
func (m *image) run(t *testing.T, alone bool, args ...string) *container {
	t.Helper()
	if len(args) == 0 {
		args = m.config.Cmd
	}
	flags := []string{"--mount", "--propagation", "private"}
	said := &bytes.Buffer{}
	env := []string{"PATH=" + os.Getenv("PATH"), "ROOT=" + m.root, "DATA=" + m.data, "SETTINGS=" + m.settings}
	if alone {
		flags, env = append(flags, "--net"), append(env, "ALONE=1")
	}
	become := []string{"setpriv", "--no-new-privs", "--clear-groups", "unshare", "--root=" + m.root, "--wd=" + m.config.WorkingDir, fmt.Sprint("--setgid=", m.gid), fmt.Sprint("--setuid=", m.uid), "--"}
	cmd := exec.Command("unshare", slices.Concat(flags, []string{"sh", "-c", runIn, "sh", "env", "-i"}, m.config.Env, become, m.config.Entrypoint, args)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, said, said
	return &container{cmd, said}
}

// files lists the files of the image with their owners, without mounted folders.
func (m *image) files(t *testing.T) (list []string) {
	t.Helper()
	err := filepath.WalkDir(m.root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(m.root, name)
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

// TestExampleContainer runs the container as the Dockerfile's comment says. It runs the demo
// without a network, and the schedule, once for due runs and then until it is stopped as a
// container.
func TestExampleContainer(t *testing.T) {
	m := newImage(t)
	before := m.files(t)
	names := strings.Join(before, "\n")
	for _, want := range []string{"robots-audit -rwxr-xr-x 0", "tmp dtrwxrwxrwx 0", "etc/ssl/certs/ca-certificates.crt "} {
		if !strings.Contains(names, want) {
			t.Errorf("it has no %q:\n%s", want, names)
		}
	}
	if _, volume := m.config.Volumes["/data"]; !volume {
		t.Errorf("its volumes are %v", m.config.Volumes)
	}
	for _, c := range []struct{ args, said string }{
		{"", "robots-audit help"}, {"version -json", `"platform":"linux/`}, {"demo", "moved.example"},
	} {
		run := m.run(t, true, strings.Fields(c.args)...)
		if err := run.Run(); err != nil || !strings.Contains(run.said.String(), c.said) {
			t.Errorf("%s: %v, without %q:\n%s", c.args, err, c.said, run.said)
		}
	}
	books, _ := filepath.Glob(filepath.Join(m.data, "*", "summary.xlsx"))
	if len(books) != 1 {
		t.Fatalf("the demo left %v", books)
	}
	if info, err := os.Stat(books[0]); err != nil || info.Sys().(*syscall.Stat_t).Uid != uint32(m.uid) {
		t.Errorf("%v: %v", books, err)
	}

	// OpenShift runs it as an arbitrary user of group 0.
	other := *m
	other.uid, other.gid = 12345, 0
	run := other.run(t, true, "demo", "-out", "another")
	if err := run.Run(); err != nil {
		t.Errorf("as another user: %v:\n%s", err, run.said)
	}
	if info, err := os.Stat(filepath.Join(m.data, "another", "summary.xlsx")); err != nil || info.Sys().(*syscall.Stat_t).Uid != 12345 {
		t.Errorf("what another user has made: %v", err)
	}

	site := exampleSite(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	health := l.Addr().String()
	l.Close()
	for name, text := range map[string]string{"shops.txt": "http://shop.example\n", "config.toml": fmt.Sprintf(`connect-to = [":80:%s"]
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
`, site, health)} {
		clitest.Write(t, m.settings, map[string]string{name: text})
	}
	schedule := strings.Fields("schedule -config /etc/robots-audit/config.toml")
	once := m.run(t, false, append(schedule, "-once")...)
	if err := once.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", once.Args, err, once.said)
	}
	runs, _ := filepath.Glob(filepath.Join(m.data, "runs", "*", "summary.json"))
	info, err := os.Stat(filepath.Join(m.data, "history.db"))
	if err != nil || len(runs) != 1 || info.Sys().(*syscall.Stat_t).Uid != uint32(m.uid) {
		t.Fatalf("%v, runs %v\n%s", err, runs, once.said)
	}

	service := m.run(t, false, schedule...)
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
	if err := service.Wait(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != cli.ExitSignal) {
		t.Errorf("after SIGTERM: %v\n%s", err, service.said)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v to end", took)
	}
	if again, _ := filepath.Glob(filepath.Join(m.data, "runs", "*")); len(again) != 1 {
		t.Errorf("what was answered is run again: %v", again)
	}
	if after := m.files(t); !slices.Equal(before, after) {
		t.Errorf("beside its volume it has left %q, before it was %q", after, before)
	}
}
