package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit"
	"robots-audit/audit/fleet/store"
)

// testWork is work that a test says.
type testWork struct {
	begin func(run *Run) error
	site  func(ctx context.Context, job *Job, check func() error) (*Finding, error)

	mu     sync.Mutex
	open   int            // runs begun and not closed
	calls  map[string]int // of Site, by the site's name
	failed map[string]string
}

func (w *testWork) Begin(ctx context.Context, run *Run) (Sites, error) {
	if w.begin != nil {
		if err := w.begin(run); err != nil {
			return nil, err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open++
	return &testSites{w}, nil
}

// testSites are the sites of a run of testWork.
type testSites struct{ *testWork }

func (s *testSites) Site(ctx context.Context, _ *audit.Slot, job *Job, check func() error) (*Finding, error) {
	s.mu.Lock()
	if s.calls == nil {
		s.calls, s.failed = map[string]int{}, map[string]string{}
	}
	s.calls[job.Site.Name]++
	s.mu.Unlock()
	if s.site == nil {
		return found(job), nil
	}
	return s.site(ctx, job, check)
}

func (s *testSites) Failed(ctx context.Context, job *Job, why string) (*Finding, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = map[string]string{}
	}
	s.failed[job.Site.Name] = why
	return &Finding{Result: []byte("failed " + job.Site.Name), State: "failed"}, nil
}

func (s *testSites) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	return nil
}

// called is how often a site was begun.
func (w *testWork) called(name string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls[name]
}

// found is the result for a site without problems.
func found(job *Job) *Finding {
	return &Finding{Result: []byte("found " + job.Site.Name), State: "ok", URLs: 3}
}

// named is what sitesMerge takes of a site.
func named(job *Job) (*Finding, error) {
	result, err := json.Marshal(struct{ Name string }{job.Site.Name})
	return &Finding{Result: result, State: "ok"}, err
}

// bucketOf opens a bucket in a folder, and puts runs into it.
func bucketOf(t *testing.T, c *Conn, dir string, runs ...string) {
	t.Helper()
	bucket, err := store.Open(t.Context(), store.FolderURL(dir))
	noError(t, err)
	t.Cleanup(func() { bucket.Close() })
	c.Bucket = bucket
	for _, id := range runs {
		data, err := json.Marshal(Run{ID: id, Region: "r"})
		noError(t, err)
		noError(t, bucket.PutBytes(t.Context(), RunKey(id), data))
	}
}

// feed puts sites of a run into the queue.
func feed(t *testing.T, c *Conn, run string, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		host := fmt.Sprintf("h%d.example", i)
		data, err := json.Marshal(Job{Run: run, Ordinal: i, Site: audit.Domain{Host: host, Name: host}})
		noError(t, err)
		_, err = c.JS.PublishAsync(jobSubject("r", host), data, jetstream.WithStallWait(10*time.Second))
		noError(t, err)
	}
	select {
	case <-c.JS.PublishAsyncComplete():
	case <-time.After(time.Minute):
		t.Fatal("the queue takes no jobs")
	}
}

// testWorker is a worker of a region called r.
func testWorker(c *Conn, name string, work Work) *Worker {
	return &Worker{Conn: c, Region: "r", Name: name, Pool: audit.NewPool(4, -1), Work: work,
		Retry: Retry{Base: 10 * time.Millisecond, Cap: 100 * time.Millisecond}}
}

// start runs a worker until the test ends or stop is called, which returns what Run did.
func start(t *testing.T, w *Worker) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("%s: %v", w.Name, err)
		}
	})
	return stop
}

// results waits for results of a run, n of them, and until no job is left.
func results(t *testing.T, c *Conn, run string, n int) []Result {
	t.Helper()
	stream := func(name string) *jetstream.StreamInfo {
		s := streamOf(t, c, name)
		info, err := s.Info(t.Context(), jetstream.WithSubjectFilter(resultSubject(run)))
		noError(t, err)
		return info
	}
	await(t, fmt.Sprintf("%d results", n), func() bool {
		return stream(streamResults).State.Subjects[resultSubject(run)] >= uint64(n)
	})
	await(t, "an empty queue", func() bool { return stream(streamJobs).State.Msgs == 0 })
	consumer, err := c.JS.OrderedConsumer(t.Context(), streamResults, jetstream.OrderedConsumerConfig{FilterSubjects: []string{resultSubject(run)}})
	noError(t, err)
	total := int(stream(streamResults).State.Subjects[resultSubject(run)])
	batch, err := consumer.Fetch(total, jetstream.FetchMaxWait(20*time.Second))
	noError(t, err)
	var all []Result
	for msg := range batch.Messages() {
		var r Result
		noError(t, json.Unmarshal(msg.Data(), &r))
		all = append(all, r)
	}
	if len(all) != total {
		t.Fatalf("%d of %d results could be read: %v", len(all), total, batch.Error())
	}
	return all
}
