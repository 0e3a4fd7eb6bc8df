//go:build unix

package fleet

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit/fleet/store"
)

// TestMain is a worker of its own process where a test asks for one, see workerProcess.
func TestMain(m *testing.M) {
	pauses.look, pauses.poll, pauses.away, pauses.full = 50*time.Millisecond, 50*time.Millisecond, 100*time.Millisecond, 50*time.Millisecond
	if url := os.Getenv("FLEET_WORKER_SERVER"); url != "" {
		if err := beWorker(url, os.Getenv("FLEET_WORKER_DIR")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	parallel := "8" // tests wait more than they work
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "test.parallel" {
			parallel = f.Value.String()
		}
	})
	flag.Set("test.parallel", parallel)
	os.Exit(m.Run())
}

// beWorker works on sites without end, and writes each check that passes into a file.
func beWorker(url, dir string) error {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	nc, err := nats.Connect(url)
	if err != nil {
		return err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	bucket, err := store.Open(ctx, store.FolderURL(filepath.Join(dir, "bucket")))
	if err != nil {
		return err
	}
	log, err := os.OpenFile(dir+"/passed", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	work := &testWork{site: func(ctx context.Context, job *Job, check func() error) (*Finding, error) {
		for {
			began := time.Now()
			if err := check(); err != nil {
				fmt.Fprintln(log, "lost")
				return nil, err
			}
			fmt.Fprintln(log, began.UnixNano())
			sleep(ctx, 2*time.Millisecond)
		}
	}}
	c := &Conn{NATS: nc, JS: js, Bucket: bucket, Replicas: 1}
	return testWorker(c, "process", work).Run(ctx)
}

// process is a worker in a process of its own.
type process struct {
	cmd *exec.Cmd
	dir string
}

func workerProcess(t *testing.T, url, dir string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "FLEET_WORKER_SERVER="+url, "FLEET_WORKER_DIR="+dir)
	cmd.Stderr = os.Stderr
	noError(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return &process{cmd, dir}
}

// lines are those that it has written so far.
func (p *process) lines(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(p.dir + "/passed")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Fields(string(data))
}

// testProcess lets a process take a site, does something to the process, and lets another worker do
// the site. It returns the time when that one began, and the failure.
func testProcess(t *testing.T, lease time.Duration, signal syscall.Signal) (p *process, began time.Time, wrong string) {
	server := testServer(t)
	dir := t.TempDir()
	noError(t, os.Mkdir(dir+"/bucket", 0o755))
	c := testConn(t, server.ClientURL())
	c.Timing = Timing{Lease: lease}
	setUp(t, c)
	bucketOf(t, c, dir+"/bucket", "run1")
	consumerOf(t, c, "r")
	feed(t, c, "run1", 0, 1)
	p = workerProcess(t, server.ClientURL(), dir)
	await(t, "work in the process", func() bool { return len(p.lines(t)) > 10 || !queued(t, c) })
	if !queued(t, c) {
		return p, began, "the site is given up in the process"
	}
	noError(t, p.cmd.Process.Signal(signal))
	work := &testWork{site: func(ctx context.Context, job *Job, check func() error) (*Finding, error) {
		if began.IsZero() { // one site: one at a time
			began = time.Now()
		}
		return found(job), check()
	}}
	stop := start(t, testWorker(c, "w2", work))
	all := results(t, c, "run1", 1)
	noError(t, stop())
	return p, began, doneBy(all, "w2")
}

// TestWorkerKilled: the site of a killed worker is done by another at the end of the lease.
func TestWorkerKilled(t *testing.T) {
	t.Parallel()
	patiently(t, 2*time.Second, func(t *testing.T, lease time.Duration) string {
		_, _, wrong := testProcess(t, lease, syscall.SIGKILL)
		return wrong
	})
}

// TestWorkerStopped: a stopped worker that continues after another took its site detects the loss
// before it does anything.
func TestWorkerStopped(t *testing.T) {
	t.Parallel()
	patiently(t, 2*time.Second, testWorkerStopped)
}

func testWorkerStopped(t *testing.T, lease time.Duration) string {
	p, began, wrong := testProcess(t, lease, syscall.SIGSTOP)
	if wrong != "" {
		return wrong
	}
	noError(t, p.cmd.Process.Signal(syscall.SIGCONT))
	lines := p.lines(t)
	await(t, "the word that it is lost", func() bool {
		lines = p.lines(t)
		return len(lines) > 0 && lines[len(lines)-1] == "lost"
	})
	for _, line := range lines[:len(lines)-1] {
		at, err := strconv.ParseInt(line, 10, 64)
		noError(t, err)
		if !time.Unix(0, at).Before(began) {
			t.Errorf("a check passed %s after another began", time.Unix(0, at).Sub(began))
		}
	}
	return ""
}
