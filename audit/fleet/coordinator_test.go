package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"robots-audit/audit"
	"robots-audit/audit/fleet/store"
)

// openBucket is a bucket of files.
func openBucket(t testing.TB, dir string) *store.Bucket {
	t.Helper()
	b, err := store.Open(context.Background(), store.FolderURL(dir))
	noError(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}

// bucketFolder is the folder of a bucket of files.
func bucketFolder(t *testing.T, c *Conn) string {
	t.Helper()
	dir, ok := store.FolderOf(c.Bucket.URL)
	if !ok {
		t.Fatalf("%s is no folder", c.Bucket.URL)
	}
	return dir
}

// testBucketFleet is a connection to a server and a bucket of its own.
func testBucketFleet(t *testing.T, lease time.Duration) *Conn {
	t.Helper()
	c := testFleet(t, Timing{Lease: lease})
	c.Bucket = openBucket(t, t.TempDir())
	return c
}

// sitesMerge writes the names of sites, and the bad lines, into summary.json.
type sitesMerge struct {
	c     *Conn
	begun atomic.Int64
	begin func() error      // asked at first; nil = no trouble
	add   func(n int) error // asked with each site; nil = no trouble
	again bool              // an earlier try may have called Finish already
	none  string            // a site for which every result of a worker is refused
}

type sitesMerged struct {
	m     *sitesMerge
	run   string
	names map[string]bool
	Sites []string
	Lines []string
	Given []string // up
}

func (m *sitesMerge) Begin(ctx context.Context, run *Run) (Merged, error) {
	m.begun.Add(1)
	if m.begin != nil {
		if err := m.begin(); err != nil {
			return nil, err
		}
	}
	return &sitesMerged{m: m, run: run.ID, names: map[string]bool{}}, nil
}

func (m *sitesMerged) Problem(p audit.Problem) error {
	m.Lines = append(m.Lines, p.Detail)
	return nil
}

func (m *sitesMerged) Add(_ int, key string, result []byte) error {
	var site struct{ Name string }
	if err := json.Unmarshal(result, &site); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if SiteKey(m.run, site.Name) != key {
		return fmt.Errorf("%w: it is that of %q", ErrRefused, site.Name)
	}
	if site.Name == m.m.none && len(m.Given) == 0 {
		return fmt.Errorf("%w: none of it will do", ErrRefused)
	}
	if m.names[site.Name] {
		return errors.New(site.Name + " twice")
	}
	m.names[site.Name] = true
	m.Sites = append(m.Sites, site.Name)
	if m.m.add != nil {
		return m.m.add(len(m.Sites))
	}
	return nil
}

func (m *sitesMerged) GiveUp(_ context.Context, job *Job, why string) ([]byte, error) {
	m.Given = append(m.Given, job.Site.Name+": "+why)
	return json.Marshal(map[string]string{"Name": job.Site.Name})
}

func (m *sitesMerged) Finish(ctx context.Context) error {
	slices.Sort(m.Sites)
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	fresh, err := m.m.c.Bucket.PutNew(ctx, FolderKey(m.run)+"summary.json", data)
	if err == nil && !fresh && m.m.again {
		err = m.m.c.Bucket.PutBytes(ctx, FolderKey(m.run)+"summary.json", data)
	} else if err == nil && !fresh {
		err = errors.New("merged twice")
	}
	return err
}

func (m *sitesMerged) Close() error { return nil }

// checkMerged compares the merged results with the list.
func checkMerged(t *testing.T, c *Conn, id, list string) {
	t.Helper()
	data, err := c.Bucket.Get(t.Context(), FolderKey(id)+"summary.json", 64<<20)
	noError(t, err)
	var got, want sitesMerged
	noError(t, json.Unmarshal(data, &got))
	for d, err := range audit.Domains(strings.NewReader(list)) {
		if err != nil {
			want.Lines = append(want.Lines, err.Error())
		} else {
			want.Sites = append(want.Sites, d.Name)
		}
	}
	slices.Sort(want.Sites)
	if !slices.Equal(got.Sites, want.Sites) {
		t.Errorf("run %s: %d sites were merged, want %d", id, len(got.Sites), len(want.Sites))
	}
	if !slices.Equal(got.Lines, want.Lines) {
		t.Errorf("run %s: bad lines %q, want %q", id, got.Lines, want.Lines)
	}
}

// checkClean sees that the queue has nothing more of a run.
func checkClean(t *testing.T, c *Conn, id string) {
	t.Helper()
	info, err := os.Stat(filepath.Join(bucketFolder(t, c), MergedKey(id)))
	noError(t, err)
	merged := info.ModTime()
	for stream, subject := range map[string]string{streamRuns: anyRunSubject(id), streamResults: resultSubject(id)} {
		s := streamOf(t, c, stream)
		last, err := s.GetLastMsgForSubject(t.Context(), subject)
		if stream == streamResults && err == nil && last.Time.After(merged) {
			continue // of a site that was fed twice: said when all was merged, it goes by its age
		}
		if !errors.Is(err, jetstream.ErrMsgNotFound) {
			t.Errorf("%s still has %s (%v)", stream, subject, err)
		}
	}
	checkpoints, err := c.JS.KeyValue(t.Context(), kvCheckpoint)
	noError(t, err)
	last, err := checkpoints.Get(t.Context(), id)
	if err == nil && last.Created().After(merged) {
		return // the word of a coordinator that was cut off, which the network has kept until now
	}
	if !errors.Is(err, jetstream.ErrKeyNotFound) {
		t.Errorf("the checkpoint is still there (%v)", err)
	}
}

// worker does sites like a worker: results in the bucket are published again.
type worker struct {
	c    *Conn
	told atomic.Int64           // results
	done atomic.Int64           // sites whose results it stored
	said atomic.Int64           // results that it found in the bucket and published again
	at   func(n int64, job Job) // called after the n-th published site; nil = no call
}

// work starts a worker, which ends with the test.
func (w *worker) work(t *testing.T, region string) *worker {
	t.Helper()
	consumerOf(t, w.c, region)
	ctx, cancel := context.WithCancel(context.Background())
	var group errgroup.Group
	for range 4 {
		group.Go(func() error { w.run(ctx, region); return nil })
	}
	t.Cleanup(func() { cancel(); group.Wait() })
	return w
}

func (w *worker) run(ctx context.Context, region string) {
	for ctx.Err() == nil {
		consumer, err := w.c.JS.Consumer(ctx, streamJobs, region)
		if err != nil {
			w.c.consumer(ctx, streamJobs, region, "jobs."+region+".>", w.c.Timing)
			sleep(ctx, 10*time.Millisecond)
			continue
		}
		batch, err := consumer.Fetch(20, jetstream.FetchMaxWait(200*time.Millisecond))
		if err != nil {
			sleep(ctx, 10*time.Millisecond)
			continue
		}
		for msg := range batch.Messages() {
			w.site(ctx, msg)
		}
	}
}

func (w *worker) site(ctx context.Context, msg jetstream.Msg) {
	var job Job
	if json.Unmarshal(msg.Data(), &job) != nil {
		msg.Term()
		return
	}
	key := SiteKey(job.Run, job.Site.Name)
	data, _ := json.Marshal(map[string]string{"Name": job.Site.Name})
	fresh, err := w.c.Bucket.PutNew(ctx, key, data)
	if err != nil {
		msg.Nak()
		return
	}
	word, _ := json.Marshal(Result{Ordinal: job.Ordinal, Key: key, State: "allowed", Tries: 1})
	if _, err := w.c.JS.Publish(ctx, resultSubject(job.Run), word); err != nil {
		msg.Nak()
		return
	}
	if fresh {
		w.done.Add(1)
	} else {
		w.said.Add(1)
	}
	if n := w.told.Add(1); w.at != nil {
		w.at(n, job)
	}
	msg.DoubleAck(ctx)
}

// coordinate starts a coordinator, which ends with the test or with the returned function.
func coordinate(t *testing.T, c *Coordinator) (end func()) {
	t.Helper()
	if c.Log == nil {
		c.Log = func(level, text string) { fmt.Fprintln(t.Output(), level, text) }
	}
	c.Pause = cmp.Or(c.Pause, time.Millisecond) // doubled with each try, even one whose lease was lost
	ctx, cancel := context.WithCancel(context.Background())
	var group errgroup.Group
	group.Go(func() error { return c.Run(ctx) })
	end = sync.OnceFunc(func() {
		cancel()
		if err := group.Wait(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	return end
}

// names is a list of sites.
func names(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "site%d.example\n", i)
	}
	return b.String()
}

func submit(t *testing.T, c *Conn, id, list string) Run {
	t.Helper()
	run, err := Submit(t.Context(), c, Run{ID: id}, strings.NewReader(list), nil)
	noError(t, err)
	return run
}

// openFeeder is a feeder of a run, which is open as long as the test goes on.
func openFeeder(t *testing.T, c *Conn, run *Run) *feeder {
	t.Helper()
	f := &feeder{c: c, run: run, timing: c.Timing, check: func() error { return nil }, log: func(level, text string) { t.Log(level, text) }}
	noError(t, f.open(t.Context()))
	t.Cleanup(f.close)
	return f
}

func wait(t *testing.T, c *Conn, id string) {
	t.Helper()
	noError(t, Wait(t.Context(), c, id, nil))
}

func TestRun(t *testing.T) {
	t.Parallel()
	c := testBucketFleet(t, time.Minute)
	list := "# sites\nexample.com\nexample.com:8080\nwww.example.com\nhttp://example.com\nnot a site\nexample.com\n" +
		strings.Repeat("x", 300) + "\n" + names(150) + "ftp:/x\n"
	submit(t, c, "r1", list)
	w := (&worker{c: c}).work(t, "default")
	coordinate(t, &Coordinator{Conn: c, Name: "c1", Merge: &sitesMerge{c: c}})
	var last Progress
	noError(t, Wait(t.Context(), c, "r1", func(p Progress) { last = p }))
	checkMerged(t, c, "r1", list)
	checkClean(t, c, "r1")
	if last.Sites != 0 && last.Sites != 154 || last.Done+last.Missing != last.Sites {
		t.Errorf("progress %+v", last)
	}
	if w.done.Load() != 154 {
		t.Errorf("%d sites were done, want 154", w.done.Load())
	}
	if _, err := Submit(t.Context(), c, Run{ID: "r1"}, strings.NewReader(list), nil); !errors.Is(err, ErrExists) {
		t.Errorf("a second run of the same id: %v", err)
	}
}

// TestCoordinatorProcess is no test: it is the process that TestCoordinatorKilled kills.
func TestCoordinatorProcess(t *testing.T) {
	url, dir := os.Getenv("FLEET_COORDINATOR_SERVER"), os.Getenv("FLEET_COORDINATOR_BUCKET")
	if url == "" {
		t.Skip("started by TestCoordinatorKilled")
	}
	c := testConn(t, url)
	c.Bucket = openBucket(t, dir)
	co := &Coordinator{Conn: c, Name: "child", Tries: 12, Pause: time.Millisecond, Merge: &sitesMerge{c: c}, Log: func(level, text string) { fmt.Println(level, text) }}
	var group errgroup.Group
	ctx, cancel := context.WithCancel(t.Context())
	group.Go(func() error { return co.Run(ctx) })
	io.Copy(io.Discard, os.Stdin) // until whoever has started it ends
	cancel()
	group.Wait()
}

// TestCoordinatorKilled: whenever a coordinator is killed, the next brings the run to its end.
func TestCoordinatorKilled(t *testing.T) {
	t.Parallel()
	patiently(t, 500*time.Millisecond, testCoordinatorKilled)
}

func testCoordinatorKilled(t *testing.T, lease time.Duration) string {
	c := testBucketFleet(t, lease)
	const sites = killedSites
	list := names(int(sites)) + "not a site\n"
	submit(t, c, "killed", list)

	// Killed while it feeds, while it collects, near the end: after so many sites are done.
	moments := []int64{0, rand.Int64N(sites / 4), sites / 3, sites/2 + rand.Int64N(sites/4), sites - 10}
	var next atomic.Int64
	hit := make(chan int, len(moments))
	w := &worker{c: c, at: func(n int64, _ Job) {
		for i := next.Load(); int(i) < len(moments) && n >= moments[i] && next.CompareAndSwap(i, i+1); i++ {
			hit <- int(i)
		}
	}}
	w.work(t, "default")
	start := func() *exec.Cmd {
		child := exec.Command(os.Args[0], "-test.run=^TestCoordinatorProcess$", "-test.v")
		child.Env = append(os.Environ(), "FLEET_COORDINATOR_SERVER="+c.NATS.ConnectedUrl(), "FLEET_COORDINATOR_BUCKET="+bucketFolder(t, c))
		child.Stderr = t.Output()
		child.Stdout = t.Output()
		_, err := child.StdinPipe()
		noError(t, err)
		noError(t, child.Start())
		t.Cleanup(func() { child.Process.Kill(); child.Wait() })
		return child
	}
	child := start()
	ended := make(chan error, 1)
	go func() { ended <- Wait(t.Context(), c, "killed", nil) }()
	for range moments {
		select {
		case <-hit:
		case err := <-ended:
			return fmt.Sprintf("it ended before all kills: %v", err)
		}
		child.Process.Kill()
		child.Wait()
		child = start()
	}
	if err := <-ended; err != nil {
		return err.Error()
	}
	checkMerged(t, c, "killed", list)
	checkClean(t, c, "killed")
	if w.done.Load() != sites {
		t.Errorf("%d sites were done, want %d", w.done.Load(), sites)
	}
	t.Logf("%d sites were told of again", w.said.Load())
	return ""
}

func TestQueueLost(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(c *Conn) error{
		"jobs purged": func(c *Conn) error {
			s, err := c.JS.Stream(context.Background(), streamJobs)
			return errors.Join(err, s.Purge(context.Background()))
		},
		"results purged": func(c *Conn) error {
			s, err := c.JS.Stream(context.Background(), streamResults)
			return errors.Join(err, s.Purge(context.Background()))
		},
		"jobs removed":    func(c *Conn) error { return c.JS.DeleteStream(context.Background(), streamJobs) },
		"results removed": func(c *Conn) error { return c.JS.DeleteStream(context.Background(), streamResults) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := testBucketFleet(t, time.Minute)
			list := names(120)
			submit(t, c, "lost", list)
			var once sync.Once
			w := &worker{c: c, at: func(n int64, _ Job) {
				if n > 60 {
					once.Do(func() {
						if err := lose(c); err != nil {
							t.Error(err)
						}
					})
				}
			}}
			w.work(t, "default")
			coordinate(t, &Coordinator{Conn: c, Name: "c1", Merge: &sitesMerge{c: c}})
			wait(t, c, "lost")
			checkMerged(t, c, "lost", list)
			checkClean(t, c, "lost")
		})
	}
}

func TestTwoRunsOfOneHost(t *testing.T) {
	t.Parallel()
	c := testBucketFleet(t, time.Minute)
	list := names(150)
	submit(t, c, "first", list)
	submit(t, c, "second", list)
	w := &worker{c: c}
	coordinate(t, &Coordinator{Conn: c, Name: "c1", Runs: 2, Merge: &sitesMerge{c: c}})
	jobs := streamOf(t, c, streamJobs)
	await(t, "both lists to be fed", func() bool {
		a, errA := c.checkpoint(t.Context(), "first")
		b, errB := c.checkpoint(t.Context(), "second")
		return errors.Join(errA, errB) == nil && a == 150 && b == 150
	})
	if info, err := jobs.Info(t.Context()); err != nil || info.State.Msgs != 150 {
		t.Errorf("the queue has %d sites (%v), want each host once: 150", info.State.Msgs, err)
	}
	w.work(t, "default")
	wait(t, c, "first")
	wait(t, c, "second")
	checkMerged(t, c, "first", list)
	checkMerged(t, c, "second", list)
}

// TestResultsDamaged: an invalid result in the bucket is made again.
func TestResultsDamaged(t *testing.T) {
	t.Parallel()
	c := testBucketFleet(t, time.Minute)
	const sites = 60
	list := names(sites)
	submit(t, c, "damaged", list)
	key := func(n int) string { return SiteKey("damaged", fmt.Sprintf("site%d.example", n)) }
	noError(t, c.Bucket.PutBytes(t.Context(), key(7), []byte(`{"Name":"si`)))
	noError(t, c.Bucket.PutBytes(t.Context(), key(8), make([]byte, maxResult+1)))
	for _, r := range []Result{
		{Ordinal: 9, Key: key(9)}, // not there
		{Ordinal: 10, Key: RunKey("damaged")},
		{Ordinal: -5, Key: key(1)}, {Ordinal: math.MaxInt, Key: key(1)},
	} {
		data, _ := json.Marshal(r)
		_, err := c.JS.Publish(t.Context(), resultSubject("damaged"), data)
		noError(t, err)
	}
	_, err := c.JS.Publish(t.Context(), resultSubject("damaged"), []byte("}{"))
	noError(t, err)
	w := (&worker{c: c}).work(t, "default")
	coordinate(t, &Coordinator{Conn: c, Name: "c1", Merge: &sitesMerge{c: c, none: "site20.example"}})
	wait(t, c, "damaged")
	checkMerged(t, c, "damaged", list)
	var got sitesMerged
	data, err := c.Bucket.Get(t.Context(), FolderKey("damaged")+"summary.json", 1<<20)
	noError(t, errors.Join(err, json.Unmarshal(data, &got)))
	if len(got.Given) != 1 || !strings.HasPrefix(got.Given[0], "site20.example: 3 results of workers were refused, the last one since the result is refused: none of it will do") {
		t.Errorf("given up: %q", got.Given)
	}
	if done := w.done.Load(); done != sites+maxRefused-1 { // the one that is damaged once more than it lay there
		t.Errorf("%d sites were done, want each once, and one %d times", done, maxRefused)
	}
}

// TestResultIsFolder: a folder in place of a result, which cannot be removed, costs its site and
// not its run.
func TestResultIsFolder(t *testing.T) {
	t.Parallel()
	c := testBucketFleet(t, time.Minute)
	list := names(20)
	submit(t, c, "folder", list)
	noError(t, os.MkdirAll(filepath.Join(bucketFolder(t, c), SiteKey("folder", "site7.example"), "inside"), 0o700))
	(&worker{c: c}).work(t, "default")
	var refused atomic.Int64
	coordinate(t, &Coordinator{Conn: c, Name: "c1", Merge: &sitesMerge{c: c}, Log: func(_, text string) {
		if strings.Contains(text, "site 8 of the list") && refused.Add(1) == 10 {
			t.Error("the site is fed again and again")
		}
	}})
	await(t, "the run to be merged", func() bool {
		merged, err := c.Bucket.Exists(t.Context(), MergedKey("folder"))
		return merged && err == nil || t.Failed()
	})
	if t.Failed() {
		return
	}
	checkMerged(t, c, "folder", list)
	if n := refused.Load(); n != maxRefused {
		t.Errorf("%d refusals, want %d", n, maxRefused)
	}
}

// TestQueueFull: the feeder waits for room.
func TestQueueFull(t *testing.T) {
	t.Parallel()
	c := testBucketFleet(t, time.Minute)
	list := names(300)
	submit(t, c, "full", list)
	jobs := streamOf(t, c, streamJobs)
	config := jobs.CachedInfo().Config
	config.MaxMsgs = 100
	_, err := c.JS.UpdateStream(t.Context(), config)
	noError(t, err)
	// A coordinator's own feeder would reset the limit, so it is not used.
	f := openFeeder(t, c, &Run{ID: "full", Region: "default", Sites: 300})
	var group errgroup.Group
	group.Go(func() error { return f.pass(t.Context(), true, &bitmap{}) })
	await(t, "a full queue", func() bool {
		info, err := jobs.Info(t.Context())
		return err == nil && info.State.Msgs == 100
	})
	w := (&worker{c: c}).work(t, "default")
	noError(t, group.Wait())
	await(t, "all sites to be done", func() bool { return w.done.Load() == 300 })
	if f.accepted != 300 || f.taken != 0 || f.at.Load() != 300 {
		t.Errorf("%d sites were accepted, %d were there, of 300", f.accepted, f.taken)
	}
}

// TestOtherCoordinatorGoesOn: one that is cut off stops, and writes no more.
func TestOtherCoordinatorGoesOn(t *testing.T) {
	t.Parallel()
	patiently(t, time.Second, testOtherCoordinatorGoesOn)
}

func testOtherCoordinatorGoesOn(t *testing.T, lease time.Duration) string {
	c := testBucketFleet(t, lease)
	line := newWire(t, strings.TrimPrefix(c.NATS.ConnectedUrl(), "nats://"))
	far := testConn(t, line.url(), nats.Timeout(10*time.Second))
	far.Bucket, far.Timing = c.Bucket, c.Timing
	list := names(250)
	submit(t, c, "cut", list)
	ended := make(chan error, 1)
	go func() { ended <- Wait(t.Context(), c, "cut", nil) }()
	half := make(chan bool)
	isHalf := sync.OnceFunc(func() { close(half) })
	first := &sitesMerge{c: far, add: func(n int) error {
		if n == 100 {
			isHalf()
		}
		return nil
	}}
	const tries = 10
	end := coordinate(t, &Coordinator{Conn: far, Name: "far", Tries: tries, Merge: first})
	w := &worker{c: c, at: func(n int64, _ Job) {
		if n == 150 {
			select {
			case <-half:
				line.cut.Store(true)
			case <-t.Context().Done():
			}
		}
	}}
	w.work(t, "default")
	select {
	case <-half:
	case err := <-ended:
		return fmt.Sprintf("it ended before the cut: %v", err)
	}
	coordinate(t, &Coordinator{Conn: c, Name: "near", Tries: tries, Merge: &sitesMerge{c: c}})
	err := <-ended
	line.cut.Store(false)
	if err != nil {
		return err.Error()
	}
	checkMerged(t, c, "cut", list)
	checkClean(t, c, "cut")
	end()
	return ""
}

// TestOwnTrouble: what passes is tried again, what does not is given up, and said.
func TestOwnTrouble(t *testing.T) {
	t.Parallel()
	c := testBucketFleet(t, time.Minute)
	list := names(50)
	submit(t, c, "passes", list)
	submit(t, c, "nolist", list)
	noError(t, c.Bucket.Delete(t.Context(), ListKey("nolist")))
	(&worker{c: c}).work(t, "default")
	var fails atomic.Int64
	m := &sitesMerge{c: c, add: func(n int) error {
		if n == 20 && fails.Add(1) < 3 {
			return errors.New("no space left on device")
		}
		return nil
	}}
	coordinate(t, &Coordinator{Conn: c, Name: "c1", Runs: 2, Merge: m})
	wait(t, c, "passes")
	checkMerged(t, c, "passes", list)
	if err := Wait(t.Context(), c, "nolist", nil); err == nil || !strings.Contains(err.Error(), "given up by c1 after try 3") || !strings.Contains(err.Error(), "list") {
		t.Errorf("a run without its list: %v", err)
	}
	if err := Wait(t.Context(), c, "unknown", nil); err == nil || !strings.Contains(err.Error(), "no run has this id") {
		t.Errorf("a run that nobody submitted: %v", err)
	}
}

// TestRunGivenBack: a coordinator that stops gives its run to another at once.
func TestRunGivenBack(t *testing.T) {
	t.Parallel()
	c := testBucketFleet(t, time.Hour) // no lease runs out in this test
	list := names(100)
	submit(t, c, "back", list)
	first := &sitesMerge{c: c}
	end := coordinate(t, &Coordinator{Conn: c, Name: "first", Merge: first})
	await(t, "the run to begin", func() bool { return first.begun.Load() == 1 })
	end()
	(&worker{c: c}).work(t, "default")
	coordinate(t, &Coordinator{Conn: c, Name: "second", Merge: &sitesMerge{c: c}})
	wait(t, c, "back")
	checkMerged(t, c, "back", list)
}
