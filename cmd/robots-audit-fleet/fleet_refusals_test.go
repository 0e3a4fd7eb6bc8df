package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit/fleet/node"
	"robots-audit/audit/fleet/store"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// fleetNode starts a node on loopback for the duration of the test, and returns its URL.
func fleetNode(t *testing.T, secrets *node.Secrets) (*node.Node, string) {
	t.Helper()
	n, err := node.Start(t.Context(), node.Options{Name: "n1", Dir: t.TempDir(), Listen: "127.0.0.1:0", Secrets: secrets})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Stop)
	return n, "nats://" + n.Addr()
}

// secretsAsOf makes a folder of secrets, as if at a time.
func secretsAsOf(t *testing.T, now time.Time) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "secrets")
	if err := node.Init(dir, []string{"n1.example"}, now); err != nil {
		t.Fatal(err)
	}
	return dir
}

// withFile copies a folder, with one file from another.
func withFile(t *testing.T, dir, name, other string) string {
	t.Helper()
	mixed := filepath.Join(t.TempDir(), "mixed")
	if err := os.CopyFS(mixed, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(other, name))
	if err == nil {
		err = os.WriteFile(filepath.Join(mixed, name), data, 0o600)
	}
	files, _ := filepath.Glob(filepath.Join(mixed, "*"))
	for _, file := range files {
		if e := os.Chmod(file, 0o600); err == nil {
			err = e
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return mixed
}

// plainServer is an unrelated server with default JetStream.
func plainServer(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s.ClientURL()
}

func streamsOf(t *testing.T, n *node.Node) (names []string) {
	t.Helper()
	nc, err := node.Connect(t.Context(), node.Server{Node: n})
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	list := js.StreamNames(t.Context())
	for name := range list.Name() {
		names = append(names, name)
	}
	if list.Err() != nil {
		t.Fatal(list.Err())
	}
	return names
}

// called runs a command of a fleet in this process.
func called(args ...string) (code int, out, complaints string) {
	commands := map[string]func([]string, cli.Streams) int{"node": runNode, "worker": runWorker, "submit": runSubmit, "status": runStatus}
	var said, told bytes.Buffer
	code = commands[args[0]](args[1:], cli.Streams{In: strings.NewReader(""), Out: &said, Err: &told})
	return code, said.String(), told.String()
}

// TestFleetRefusals: every command reports a problem with secrets, servers or buckets in a
// sentence, and creates no stream or file.
func TestFleetRefusals(t *testing.T) {
	now := time.Now()
	mine, others := secretsAsOf(t, now), secretsAsOf(t, now)
	expired := secretsAsOf(t, now.AddDate(-6, 0, 0))
	read, err := node.ReadSecrets(mine)
	if err != nil {
		t.Fatal(err)
	}
	secured, closed := fleetNode(t, read)
	plain, open := fleetNode(t, nil)
	closed = "tls" + strings.TrimPrefix(closed, "nats")
	nobody := "nats://127.0.0.1:1"

	dir := t.TempDir()
	list := filepath.Join(dir, "list.txt")
	bucketAt := filepath.Join(dir, "bucket")
	bucket := store.FolderURL(bucketAt)
	at := func(servers, secrets string) []string {
		flags := []string{"-servers", servers}
		if secrets != "" {
			flags = append(flags, "-secrets", secrets)
		}
		return flags
	}
	clitest.WriteFile(t, list, "a.example\n")
	fileBucket := store.FolderURL(list)
	all := []string{"worker", "submit", "status"}
	stores := all[:2]

	cases := []struct {
		name     string
		flags    []string
		bucket   string
		commands []string
		code     int
		words    string
	}{
		{"wrong password", at(closed, withFile(t, mine, "worker-password", others)), bucket, all, cli.ExitFailed, "refuses the password"},
		{"wrong authority", at(closed, withFile(t, others, "worker-password", mine)), bucket, all, cli.ExitFailed, "did not sign"},
		{"no secrets", at(closed, ""), bucket, all, cli.ExitFailed, "Name the fleet's secrets"},
		{"a node without secrets", at(open, mine), bucket, all, cli.ExitFailed, "does not use TLS"},
		{"expired", at(closed, expired), bucket, all, cli.ExitUsage, "Make new secrets"},
		{"no folder of secrets", at(closed, filepath.Join(dir, "missing")), bucket, all, cli.ExitUsage, "no such file or folder"},
		{"another's server", at(plainServer(t), ""), bucket, all, cli.ExitFailed, "does not say whether it syncs to disk"},
		{"no URL", at("n1.example", ""), bucket, all, cli.ExitUsage, "is not a URL"},
		{"nobody there", at(nobody, ""), bucket, all[1:], cli.ExitFailed, "does not answer"},
		{"a bucket that is a file", at(open, ""), fileBucket, stores, cli.ExitFailed, "is a file, not a folder"},
		{"a bucket that is nowhere", at(open, ""), bucket + "/a/b", stores, cli.ExitFailed, "does not exist and cannot be created"},
		{"a bucket of an unknown scheme", at(open, ""), "ftp://a.example/b", stores, cli.ExitUsage, "this build only has file://"},
		{"a bucket that is no URL", at(open, ""), dir, stores, cli.ExitUsage, "is not a bucket. Write a URL"},
	}
	if runtime.GOOS == "linux" {
		cases = append(cases, struct {
			name     string
			flags    []string
			bucket   string
			commands []string
			code     int
			words    string
		}{"a bucket that takes nothing", at(open, ""), "file:///proc", stores, cli.ExitFailed, "it cannot be written"})
	}
	for _, c := range cases {
		for _, command := range c.commands {
			args := append([]string{command}, c.flags...)
			if command != "status" {
				args = append(args, "-bucket", c.bucket)
			}
			if command == "submit" {
				args = append(args, "-domains", list)
			}
			began := time.Now()
			code, out, told := called(args...)
			if code != c.code || out != "" || !strings.Contains(told, c.words) || strings.Count(told, "robots-audit-fleet: ") != 1 {
				t.Errorf("%s, %s: exit code %d, %q, %q; want %d and %q", c.name, command, code, out, told, c.code, c.words)
			}
			t.Logf("%s, %s (%.1f s): %s", c.name, command, time.Since(began).Seconds(), told)
		}
	}

	// A refused list is wrong usage, and also leaves nothing behind.
	for text, words := range map[string]string{"http://me:secret@a.example\n": "has a user name and a password", "# none\n": "the list names no site"} {
		clitest.WriteFile(t, list, text)
		code, out, told := called("submit", "-servers", open, "-bucket", bucket, "-domains", list)
		if code != cli.ExitUsage || out != "" || !strings.Contains(told, words) || strings.Contains(told, "secret") {
			t.Errorf("a list with %q: exit code %d, %q, %q", text, code, out, told)
		}
	}
	for _, n := range []*node.Node{secured, plain} {
		if names := streamsOf(t, n); len(names) > 0 {
			t.Errorf("there are streams: %q", names)
		}
	}
	if files := filesOf(bucketAt); len(files) > 0 {
		t.Errorf("there are files in the bucket: %q", files)
	}
	if entries, err := os.ReadDir(dir); err != nil || !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == "list.txt" }) || len(entries) > 2 {
		t.Errorf("there is more than list and bucket: %v, %v", entries, err)
	}
}

// TestNodeRefusals: a node that cannot start reports why, and does not create its folder.
func TestNodeRefusals(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := filepath.Join(t.TempDir(), "n1")
	expired := secretsAsOf(t, time.Now().AddDate(-6, 0, 0))
	for words, c := range map[string]struct {
		code  int
		flags []string
	}{
		"without secrets":                {cli.ExitUsage, []string{"-listen", "0.0.0.0:0"}},
		"another program uses this port": {cli.ExitFailed, []string{"-listen", taken.Addr().String()}},
		"Make new secrets":               {cli.ExitUsage, []string{"-listen", "127.0.0.1:0", "-secrets", expired}},
		"no such file or folder":         {cli.ExitUsage, []string{"-listen", "127.0.0.1:0", "-secrets", dir}},
		"three or five nodes":            {cli.ExitUsage, []string{"-listen", "127.0.0.1:0", "-cluster", "127.0.0.1:6222", "-peers", "127.0.0.1:6222,127.0.0.2:6222"}},
		"host:port":                      {cli.ExitUsage, []string{"-listen", "here"}},
	} {
		code, out, told := called(append([]string{"node", "-name", "n1", "-dir", dir}, c.flags...)...)
		if code != c.code || out != "" || !strings.Contains(told, words) {
			t.Errorf("%q: exit code %d, %q, %q", words, code, out, told)
		}
		t.Log(told)
	}
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the folder is there")
	}
}

// TestFleetWaits: a worker that starts before the nodes waits for them, and says so once.
func TestFleetWaits(t *testing.T) {
	address := clitest.FreeAddress(t)
	dir := t.TempDir()
	worker := fleetProcess(t, "worker", "-servers", "nats://"+address, "-bucket", store.FolderURL(filepath.Join(dir, "bucket")))
	if before := worker.says(t, "waiting for the fleet: server nats://"+address+" does not answer"); len(before) > 0 {
		t.Errorf("before: %q", before)
	}
	n, err := node.Start(t.Context(), node.Options{Name: "n1", Dir: filepath.Join(dir, "n1"), Listen: address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Stop)
	if between := worker.says(t, " is up"); len(between) > 0 {
		t.Errorf("between: %q", between)
	}
	if runtime.GOOS == "windows" { // Windows has no signal for this
		return
	}
	if err := worker.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := worker.wait(); code != cli.ExitSignal {
		t.Errorf("exit code %d", code)
	}
}

// TestNodeFailed: a node that cannot write any more ends with its reason, and an exit code that
// lets a service manager restart it. It logs nothing unnecessary.
func TestNodeFailed(t *testing.T) {
	address := clitest.FreeAddress(t)
	secrets, dir := secretsAsOf(t, time.Now()), filepath.Join(t.TempDir(), "n1")
	if err := os.Remove(filepath.Join(secrets, "ca-key.pem")); err != nil {
		t.Fatal(err)
	}
	p := fleetProcess(t, "node", "-name", "n1", "-dir", dir, "-listen", address, "-secrets", secrets)
	if before := p.says(t, "node n1 is up"); len(before) > 0 {
		t.Errorf("it says before it is up: %q", before)
	}
	read, err := node.ReadSecrets(secrets)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := node.Connect(t.Context(), node.Server{URLs: []string{"tls://" + address}, Secrets: read})
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "S", Subjects: []string{"s"}, Storage: jetstream.FileStorage}); err != nil {
		t.Fatal(err)
	}
	blocks := filepath.Join(dir, "jetstream", "FLEET", "streams", "S", "msgs")
	if err := os.Rename(blocks, blocks+".away"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(blocks, nil, 0o600); err != nil { // no further block can be written
		t.Fatal(err)
	}
	for large, over := make([]byte, 1000<<10), false; !over; {
		js.PublishAsync("s", large) // fails at some point
		select {
		case <-p.ended:
			over = true
		case <-time.After(20 * time.Millisecond):
		}
	}
	lines := strings.Split(strings.TrimSpace(p.said.String()), "\n")
	if code, last := p.wait(), lines[len(lines)-1]; code != cli.ExitFailed || !strings.HasPrefix(last, "robots-audit-fleet: node n1 cannot write to its disk") {
		t.Errorf("exit code %d, and at last %q", code, last)
	}
}
