//go:build soak && linux

package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"robots-audit/cmd/internal/clitest"
)

// A fleet's test runs in its own namespaces. The test and its sites have one of network and mounts,
// and each machine a network namespace, all on one bridge. Processes there listen beyond loopback,
// so they need TLS and passwords as in production. Taking its link down cuts a machine off. All of
// it ends with the test's process.

// insideFleet marks a test that is already in its namespaces.
const insideFleet = "TEST_FLEET_INSIDE"

// enterFleet runs the current test again in its own namespaces, and returns false once that has
// ended; true = this is the test in them.
func enterFleet(t *testing.T) bool {
	if os.Getenv(insideFleet) != "" {
		for _, command := range [][]string{
			{"ip", "link", "set", "lo", "up"}, {"ip", "link", "add", "bridge", "type", "bridge"}, {"ip", "addr", "add", hub + "/24", "dev", "bridge"}, {"ip", "link", "set", "bridge", "up"},
			{"mount", "-t", "tmpfs", "tmpfs", "/run"}, // where ip keeps names of namespaces
		} {
			tell(t, command...)
		}
		return true
	}
	exe := clitest.Self(t)
	limit := 20 * time.Minute
	if end, ok := t.Deadline(); ok {
		limit = time.Until(end) - 10*time.Second
	}
	c := exec.Command("unshare", "--net", "--mount", "--propagation", "private", exe, "-test.run", "^"+t.Name()+"$", "-test.v", "-test.timeout", limit.String())
	c.Env = append(os.Environ(), insideFleet+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		t.Errorf("in namespaces of its own (they need root, and the command ip): %v", err)
	}
	return false
}

// hub is the address of the test and its sites.
const hub = "10.77.0.1"

// tell runs a command that must succeed.
func tell(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// fleetWorld is a fleet of three nodes and three workers, each on its own machine.
type fleetWorld struct {
	*testing.T
	dir      string // for all files
	exe      string // the command
	alone    string // the command for one machine
	lease    time.Duration
	sites    *manySites
	machines map[string]*fleetMachine // n1 to n3, w1 to w3
	servers  string
	bucket   string // its URL
	folder   string // where its objects are files
}

// fleetMachine is a namespace with one process.
type fleetMachine struct {
	name, address string
	args          []string
	version       string // of the program; "" = the test's
	process       *process
	before        string // output of its earlier processes
}

func newFleetWorld(t *testing.T, urls int) *fleetWorld {
	w := &fleetWorld{T: t, dir: t.TempDir(), lease: 6 * time.Second, machines: map[string]*fleetMachine{}}
	exe := clitest.Self(t)
	w.exe = filepath.Join(w.dir, "robots-audit-fleet") // by this name the test binary knows that it is the command
	if err := os.Symlink(exe, w.exe); err != nil {
		t.Fatal(err)
	}
	w.alone = filepath.Join(w.dir, "robots-audit")
	if out, err := exec.Command("go", "build", "-o", w.alone, "../robots-audit").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w.sites = &manySites{urls: urls, lease: w.lease, hosts: map[string]*asked{}, leave: map[string]time.Time{}}
	listener, err := net.Listen("tcp", hub+":80")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: w.sites}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })

	if os.Getenv("ROBOTS_AUDIT_S3") != "" {
		w.bucket, w.folder = startS3(t, hub+":7070")
	} else {
		w.folder = filepath.Join(w.dir, "bucket")
		w.bucket = "file://" + w.folder
		if err := os.Mkdir(w.folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	secrets := filepath.Join(w.dir, "secrets")
	var hosts, peers, servers []string
	for i := 1; i <= 3; i++ {
		address := fmt.Sprintf("10.77.0.1%d", i)
		hosts, peers, servers = append(hosts, address), append(peers, address+":6222"), append(servers, "tls://"+address+":4222")
	}
	w.servers = strings.Join(servers, ",")
	w.command("node", "-init", secrets, "-hosts", strings.Join(hosts, ","))
	for i, address := range hosts {
		name, others := fmt.Sprintf("n%d", i+1), slices.Delete(slices.Clone(peers), i, i+1)
		store := filepath.Join(w.dir, name)
		if err := os.Mkdir(store, 0o755); err != nil {
			t.Fatal(err)
		}
		tell(t, "mount", "-t", "tmpfs", "-o", "size=600m", "tmpfs", store) // a disk that can be filled
		w.add(name, address, "node", "-name", name, "-dir", filepath.Join(store, "streams"), "-listen", address+":4222", "-cluster", address+":6222", "-peers", strings.Join(others, ","), "-secrets", secrets)
	}
	for i := 1; i <= 3; i++ {
		name := fmt.Sprintf("w%d", i)
		w.add(name, fmt.Sprintf("10.77.0.2%d", i), "worker", "-name", name, "-servers", w.servers, "-bucket", w.bucket, "-secrets", secrets, "-lease", w.lease.String(),
			"-workers", "8", "-runs", "1", "-scratch", filepath.Join(w.dir, "scratch-"+name), "-tries", "6", "-retry-delay", "500ms")
	}
	t.Cleanup(func() {
		for _, m := range w.machines {
			w.kill(m.name)
			if m.name[0] == 'n' {
				exec.Command("umount", filepath.Join(w.dir, m.name)).Run()
			}
			if t.Failed() {
				t.Logf("%s said:\n%s", m.name, tail(m.log(), 6000))
			}
		}
	})
	return w
}

func tail(text string, n int) string {
	if len(text) > n {
		return "… " + text[len(text)-n:]
	}
	return text
}

// flags are the flags for a client of the fleet.
func (w *fleetWorld) flags() []string {
	return []string{"-servers", w.servers, "-secrets", filepath.Join(w.dir, "secrets")}
}

func (w *fleetWorld) add(name, address string, args ...string) {
	w.Helper()
	for _, command := range []string{
		"ip netns add " + name,
		"ip link add to-" + name + " type veth peer name eth0 netns " + name,
		"ip link set to-" + name + " master bridge up",
		"ip -n " + name + " link set lo up",
		"ip -n " + name + " addr add " + address + "/24 dev eth0",
		"ip -n " + name + " link set eth0 up",
	} {
		tell(w.T, strings.Fields(command)...)
	}
	w.machines[name] = &fleetMachine{name: name, address: address, args: args}
}

// log is the output of all its processes.
func (m *fleetMachine) log() string {
	if m.process == nil {
		return ""
	}
	return m.before + m.process.said.String()
}

func (w *fleetWorld) start(names ...string) {
	w.Helper()
	for _, name := range names {
		m := w.machines[name]
		c := exec.Command("ip", append([]string{"netns", "exec", name, w.exe}, m.args...)...)
		c.Env = append(os.Environ(), clitest.VersionOfTest+"="+m.version)
		c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		m.before = m.log()
		m.process = started(w.T, c)
	}
}

// wake starts all machines, the workers once the nodes answer.
func (w *fleetWorld) wake() {
	w.Helper()
	w.start("n1", "n2", "n3")
	w.until(time.Minute, "the nodes answer", func() bool {
		_, err := w.try(append([]string{"status"}, w.flags()...)...)
		return err == nil
	})
	w.start("w1", "w2", "w3")
}

func (w *fleetWorld) kill(names ...string) {
	for _, name := range names {
		w.signal(name, syscall.SIGKILL)
	}
	for _, name := range names {
		if m := w.machines[name]; m.process != nil {
			<-m.process.ended
		}
	}
}

func (w *fleetWorld) signal(name string, s syscall.Signal) {
	if m := w.machines[name]; m.process != nil {
		m.process.Process.Signal(s)
	}
}

// stop ends a machine's process as an operator does.
func (w *fleetWorld) stop(name string) {
	w.Helper()
	m := w.machines[name]
	w.sites.leaving(m.address, time.Now().Add(time.Hour))
	defer func() { w.sites.leaving(m.address, time.Now().Add(w.lease)) }()
	w.signal(name, syscall.SIGTERM)
	select {
	case <-m.process.ended:
	case <-time.After(time.Minute):
		w.Fatalf("%s goes on a minute after SIGTERM", name)
	}
}

// cut disconnects a machine from the network, or reconnects it.
func (w *fleetWorld) cut(name string, off bool) {
	w.Helper()
	tell(w.T, "ip", "link", "set", "to-"+name, map[bool]string{true: "down", false: "up"}[off])
}

// command runs the command at the hub.
func (w *fleetWorld) command(args ...string) string {
	w.Helper()
	out, err := w.try(args...)
	if err != nil {
		w.Fatalf("robots-audit %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (w *fleetWorld) try(args ...string) (string, error) { return w.call(w.exe, args...) }

// call calls a program, and returns its output; if it fails, with standard error.
func (w *fleetWorld) call(program string, args ...string) (string, error) {
	c := exec.Command(program, args...)
	c.Dir = w.dir
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if err != nil {
		return out.String() + errs.String(), err
	}
	return out.String(), nil
}
