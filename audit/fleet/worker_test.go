package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"robots-audit/audit"
)

// workedFleet is a fleet with a bucket and a run called run1.
func workedFleet(t *testing.T, lease time.Duration) *Conn {
	c := testFleet(t, Timing{Lease: lease})
	bucketOf(t, c, t.TempDir(), "run1")
	return c
}

// TestWorker: each site is done once, by any worker; its result is in the bucket; runs are closed
// at the end.
func TestWorker(t *testing.T) {
	t.Parallel()
	c := workedFleet(t, time.Minute)
	const n = 60
	work := &testWork{}
	feed(t, c, "run1", 0, n)
	stops := []func() error{start(t, testWorker(c, "w1", work)), start(t, testWorker(c, "w2", work))}
	all := results(t, c, "run1", n)
	if len(all) != n {
		t.Errorf("%d results", len(all))
	}
	seen := map[int]bool{}
	for _, r := range all {
		if seen[r.Ordinal] || r.State != "ok" || r.URLs != 3 || r.Tries != 1 || r.Failed != "" {
			t.Errorf("%+v", r)
		}
		seen[r.Ordinal] = true
		name := fmt.Sprintf("h%d.example", r.Ordinal)
		data, err := c.Bucket.Get(t.Context(), r.Key, 1000)
		if err != nil || string(data) != "found "+name || work.called(name) != 1 {
			t.Errorf("%s: %q, %v, %d calls", name, data, err, work.called(name))
		}
	}
	for _, stop := range stops {
		noError(t, stop())
	}
	if work.open != 0 {
		t.Errorf("%d runs are open", work.open)
	}
}

// TestWorkerEnds: temporary errors are retried six times, and the last result counts. A panic ends
// neither the worker nor other sites; the site fails after six tries. A site whose result is
// already in the bucket, because an acknowledgement was lost, is not done again; its result is
// published again.
func TestWorkerEnds(t *testing.T) {
	t.Parallel()
	c := workedFleet(t, time.Minute)
	there := SiteKey("run1", "h2.example")
	_, err := c.Bucket.PutNew(t.Context(), there, []byte("first"))
	noError(t, err)
	work := &testWork{site: func(ctx context.Context, job *Job, check func() error) (*Finding, error) {
		f := found(job)
		switch job.Ordinal {
		case 0:
			f.Again, f.State = true, "unreachable"
		case 1:
			panic("out of cheese")
		}
		return f, nil
	}}
	feed(t, c, "run1", 0, 5)
	start(t, testWorker(c, "w1", work))
	all := results(t, c, "run1", 5)
	if len(all) != 5 {
		t.Errorf("%d results", len(all))
	}
	for _, r := range all {
		calls := work.called(fmt.Sprintf("h%d.example", r.Ordinal))
		is := r.Tries == 1 && r.Failed == ""
		switch r.Ordinal {
		case 0:
			is = r.Tries == 6 && r.State == "unreachable" && r.Failed == "" && calls == 6
		case 1:
			is = r.Tries == 6 && strings.Contains(r.Failed, "out of cheese")
		case 2:
			is = r.Key == there && calls == 0
		}
		if !is {
			t.Errorf("%+v, %d calls", r, calls)
		}
	}
	if data, err := c.Bucket.Get(t.Context(), there, 1000); err != nil || string(data) != "first" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestWorkerCrashes: a site that has been given out six times and never came back is not tried again.
func TestWorkerCrashes(t *testing.T) {
	t.Parallel()
	patiently(t, 2*time.Second, testWorkerCrashes)
}

func testWorkerCrashes(t *testing.T, lease time.Duration) string {
	c := workedFleet(t, lease)
	feed(t, c, "run1", 0, 1)
	consumer := consumerOf(t, c, "r")
	for range 6 {
		msg, err := consumer.Next()
		noError(t, err)
		noError(t, msg.Nak())
	}
	work := &testWork{}
	start(t, testWorker(c, "w1", work))
	all := results(t, c, "run1", 1)
	if n := work.called("h0.example"); n != 0 {
		t.Errorf("%d calls", n)
	}
	if r := all[0]; len(all) != 1 || r.Tries != 7 || r.State != "failed" || !strings.Contains(r.Failed, "6 tries") {
		return fmt.Sprintf("%+v", all)
	}
	return ""
}

// TestWorkerTrouble: a failure of our own is reported once, not once per site. Afterwards the sites
// are done, however often they were given back.
func TestWorkerTrouble(t *testing.T) {
	t.Parallel()
	c := workedFleet(t, time.Minute)
	const n, tries = 10, 2
	seen := &watched{putOff: map[string]int{}}
	var w *Worker
	work := &testWork{begin: func(run *Run) error {
		if seen.fewest(n) <= tries {
			return errors.New("no space left on device")
		}
		await(t, "the end of all tries that have failed", func() bool {
			w.begun.mu.Lock()
			defer w.begun.mu.Unlock()
			return w.begun.runs[run.ID].users == seen.at()
		})
		return nil
	}}
	feed(t, c, "run1", 0, n)
	w = testWorker(c, "w1", work)
	w.Pool, w.Retry.Tries, w.well.first = audit.NewPool(n, -1), tries, 10*time.Millisecond
	var mu sync.Mutex
	var log bytes.Buffer
	w.Log = func(level, text string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(&log, level, text)
	}
	w.Watch = seen
	stop := start(t, w)
	all := results(t, c, "run1", n)
	if len(all) != n {
		t.Errorf("%d results", len(all))
	}
	for _, r := range all {
		if r.Failed != "" || r.State != "ok" || r.Tries <= tries {
			t.Errorf("%+v", r)
		}
	}
	noError(t, stop())
	if seen.open != 0 || seen.done != n || len(seen.told) < 2 || seen.told[len(seen.told)-1] != "" || !strings.Contains(seen.told[0], "no space left") {
		t.Errorf("%+v", seen)
	}
	mu.Lock()
	defer mu.Unlock()
	text := log.String()
	if strings.Count(text, "no space left on device") != 1 || strings.Count(text, "sites are taken again") != 1 {
		t.Error(text)
	}
}

// watched is what a Watcher saw.
type watched struct {
	mu         sync.Mutex
	open, done int
	told       []string
	putOff     map[string]int // how often, by the site's name
}

func (w *watched) Begin(job *Job, try int) func(*Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open++
	return func(r *Result) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.open--
		if r != nil {
			w.done++
		}
	}
}

func (w *watched) Wait(*Job, int) func() { return func() {} }

func (w *watched) PutOff(job *Job, _ time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.putOff[job.Site.Name]++
}

// fewest is the smallest number of delays of any of the n sites.
func (w *watched) fewest(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.putOff) < n {
		return 0
	}
	return slices.Min(slices.Collect(maps.Values(w.putOff)))
}

// at is how many sites are in work.
func (w *watched) at() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open
}

func (w *watched) Trouble(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = append(w.told, text)
}

// TestWorkerDrain: a worker that ends takes no more sites, lets those finish that end by
// themselves, and gives back the rest at once.
func TestWorkerDrain(t *testing.T) {
	t.Parallel()
	c := workedFleet(t, time.Minute)
	began, finish := make(chan struct{}, 2), make(chan struct{})
	slow := &testWork{site: func(ctx context.Context, job *Job, check func() error) (*Finding, error) {
		began <- struct{}{}
		if job.Ordinal == 0 {
			<-finish
			return found(job), nil
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	feed(t, c, "run1", 0, 2)
	w1 := testWorker(c, "w1", slow)
	w1.Grace = 100 * time.Millisecond
	stop := start(t, w1)
	<-began
	<-began
	feed(t, c, "run1", 2, 3)
	await(t, "the third", func() bool { return slow.called("h2.example") == 1 })
	ended := make(chan error)
	go func() { ended <- stop() }()
	time.AfterFunc(10*time.Millisecond, func() { close(finish) })
	<-began
	noError(t, <-ended)
	fast := &testWork{}
	start(t, testWorker(c, "w2", fast)) // long before the lease ends
	begun := time.Now()
	for _, r := range results(t, c, "run1", 3) {
		if first := r.Ordinal == 0; first != (r.Worker == "w1") {
			t.Errorf("%+v", r)
		}
	}
	if time.Since(begun) > c.Timing.Lease {
		t.Error("sites came back by the end of their lease")
	}
}

// TestWorkerPool: no more sites at a time than there are slots.
func TestWorkerPool(t *testing.T) {
	t.Parallel()
	c := workedFleet(t, time.Minute)
	var at, most atomic.Int32
	work := &testWork{site: func(ctx context.Context, job *Job, check func() error) (*Finding, error) {
		n := at.Add(1)
		defer at.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		time.Sleep(time.Millisecond)
		return found(job), nil
	}}
	w := testWorker(c, "w1", work)
	w.Pool = audit.NewPool(2, -1)
	feed(t, c, "run1", 0, 30)
	start(t, w)
	if all := results(t, c, "run1", 30); len(all) != 30 || most.Load() > 2 {
		t.Errorf("%d results, %d at a time", len(all), most.Load())
	}
}

// passes are the checks of a site's workers that passed.
type passes struct {
	mu  sync.Mutex
	all []passedCheck
}

// passedCheck is a check that passed: its worker had the site at least until it began.
type passedCheck struct {
	worker string
	began  time.Time
}

func (p *passes) add(worker string, began time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, passedCheck{worker, began})
}

// count is how many checks of a worker passed.
func (p *passes) count(worker string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, pass := range p.all {
		if pass.worker == worker {
			n++
		}
	}
	return n
}

// apart fails unless all checks of the first worker began before those of the second.
func (p *passes) apart(t *testing.T, first, second string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	var last, next time.Time
	for _, pass := range p.all {
		if pass.worker == first && pass.began.After(last) {
			last = pass.began
		}
		if pass.worker == second && (next.IsZero() || pass.began.Before(next)) {
			next = pass.began
		}
	}
	if last.IsZero() || next.IsZero() || !last.Before(next) {
		t.Errorf("%s worked until %s, %s from %s", first, last, second, next)
	}
}

// TestWorkerCut: a worker that is cut off from the queue stops before another gets its site.
func TestWorkerCut(t *testing.T) {
	t.Parallel()
	patiently(t, 2*time.Second, testWorkerCut)
}

func testWorkerCut(t *testing.T, lease time.Duration) string {
	server := testServer(t)
	near := testConn(t, server.ClientURL())
	near.Timing = Timing{Lease: lease}
	setUp(t, near)
	bucketOf(t, near, t.TempDir(), "run1")
	w := newWire(t, server.Addr().String())
	far := testConn(t, w.url())
	far.Bucket, far.Timing = near.Bucket, near.Timing
	feed(t, near, "run1", 0, 1)

	var passed passes
	working := func(name string, until func() bool) *testWork {
		return &testWork{site: func(ctx context.Context, job *Job, check func() error) (*Finding, error) {
			for !until() {
				began := time.Now()
				if err := check(); err != nil {
					return nil, err
				}
				passed.add(name, began)
				sleep(ctx, 2*time.Millisecond)
			}
			return found(job), nil
		}}
	}
	start(t, testWorker(far, "far", working("far", func() bool { return false })))
	await(t, "work far away", func() bool { return passed.count("far") > 10 || !queued(t, near) })
	if !queued(t, near) {
		return "the site is given up before the cut"
	}
	w.cut.Store(true)
	start(t, testWorker(near, "near", working("near", func() bool { return passed.count("near") > 100 })))
	all := results(t, near, "run1", 1)
	w.cut.Store(false)
	if passed.count("near") > 0 {
		passed.apart(t, "far", "near")
	}
	return doneBy(all, "near")
}

// queued reports whether there is a site in the queue, or in work.
func queued(t *testing.T, c *Conn) bool {
	t.Helper()
	return streamOf(t, c, streamJobs).CachedInfo().State.Msgs > 0
}

// doneBy lists the results of one site; "" = there is only one, from the second try, by that worker.
func doneBy(all []Result, worker string) string {
	if len(all) != 1 || all[0].Worker != worker || all[0].Tries != 2 {
		return fmt.Sprintf("%+v", all)
	}
	return ""
}
