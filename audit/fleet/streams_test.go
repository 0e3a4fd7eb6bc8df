package fleet

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// TestSetup: several processes at once create missing streams. Existing ones get the new settings,
// but are never weakened.
func TestSetup(t *testing.T) {
	t.Parallel()
	url := testServer(t).ClientURL()
	c := testConn(t, url)
	c.Timing = Timing{Lease: 5 * time.Second}
	failed := make(chan error)
	for range 5 {
		other := testConn(t, url)
		other.Timing = c.Timing
		go func() { _, err := other.Setup(t.Context()); failed <- err }()
	}
	for range 5 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}

	js := c.JS
	want := c.streams()[1]
	weak := want
	weak.Discard, weak.DiscardNewPerSubject, weak.MaxMsgsPerSubject, weak.MaxMsgs = jetstream.DiscardOld, false, 10, 2*maxJobs
	_, err := js.UpdateStream(t.Context(), weak)
	noError(t, err)
	c.Timing = Timing{Lease: time.Hour} // the fleet's own timing counts
	if timing, err := c.Setup(t.Context()); err != nil || timing.Lease != 5*time.Second {
		t.Fatalf("lease of %s, %v", timing.Lease, err)
	}
	jobs, err := js.Stream(t.Context(), streamJobs)
	noError(t, err)
	have := jobs.CachedInfo().Config
	if have.Discard != jetstream.DiscardNew || !have.DiscardNewPerSubject || have.MaxMsgsPerSubject != 1 || have.MaxMsgs != 2*maxJobs {
		t.Errorf("JOBS: %+v", have)
	}
	runs, err := js.Stream(t.Context(), streamRuns)
	noError(t, err)
	if _, err := js.KeyValue(t.Context(), kvCheckpoint); err != nil {
		t.Error(err)
	}
	consumer, err := runs.Consumer(t.Context(), consumerRuns)
	noError(t, err)
	if config := consumer.CachedInfo().Config; config.MaxDeliver != -1 || config.MaxAckPending != -1 || config.AckWait != 5*time.Second {
		t.Errorf("coordinators: %+v", config)
	}
}

// TestSetupRefused: what cannot be is said, and which stream it is.
func TestSetupRefused(t *testing.T) {
	t.Parallel()
	c := testConn(t, testServer(t).ClientURL())
	_, err := c.JS.CreateStream(t.Context(), jetstream.StreamConfig{Name: streamJobs, Subjects: []string{"jobs.>"}, Storage: jetstream.MemoryStorage})
	noError(t, err)
	says(t, setupError(t, c), "stream JOBS", "Memory", "Limits")
	noError(t, c.JS.DeleteStream(t.Context(), streamJobs))
	_, err = c.JS.CreateStream(t.Context(), jetstream.StreamConfig{Name: "OTHER", Subjects: []string{"results.>"}})
	noError(t, err)
	says(t, setupError(t, c), "stream RESULTS", "subjects overlap")
	c.Replicas = 3 // than there are nodes
	says(t, setupError(t, c), "stream RUNS", "replicas > 1 not supported")
}

// says checks that an error contains some words.
func says(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want one of %q", words)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error does not say %q: %v", word, err)
		}
	}
}

// TestRefusal checks the reasons why a server refuses a message, alone and in a cluster with its
// different code: the subject is taken, or the stream is full.
func TestRefusal(t *testing.T) {
	t.Parallel()
	t.Run("one", func(t *testing.T) {
		testRefusal(t, testConn(t, testServer(t).ClientURL()))
	})
	t.Run("three", func(t *testing.T) {
		servers := testCluster(t, 3)
		c := testConn(t, servers[0].ClientURL())
		setUp(t, c) // one replica, and then three
		c.Replicas = 3
		testRefusal(t, c)
		for _, name := range []string{streamRuns, streamJobs, streamResults, "KV_" + kvCheckpoint} {
			if n := streamOf(t, c, name).CachedInfo().Config.Replicas; n != 3 {
				t.Errorf("%s has %d replicas", name, n)
			}
		}
		c.Replicas = 1
		setUp(t, c)
		if n := streamOf(t, c, streamJobs).CachedInfo().Config.Replicas; n != 3 {
			t.Errorf("replicas were taken away: %d are left", n)
		}
	})
}

func testRefusal(t *testing.T, c *Conn) {
	ctx := t.Context()
	setUp(t, c)
	config := c.streams()[1]
	config.MaxMsgs = 3
	_, err := c.JS.UpdateStream(ctx, config)
	noError(t, err)
	publish := func(host string) error {
		for {
			_, err := c.JS.Publish(ctx, jobSubject("r", host), []byte("{}"))
			if refusal(err) != kindAway { // replicas that were just added choose a leader
				return err
			}
		}
	}
	async := func(host string) error {
		future, err := c.JS.PublishAsync(jobSubject("r", host), []byte("{}"))
		if err != nil {
			return err
		}
		select {
		case <-future.Ok():
			return nil
		case err := <-future.Err():
			return err
		}
	}
	expect := func(what string, err error, want kind) {
		t.Helper()
		if got := refusal(err); got != want {
			t.Errorf("%s: kind %d, not %d: %v", what, got, want, err)
		}
	}
	expect("first", publish("a.example"), kindNone)
	expect("second", publish("a.example"), kindTaken)
	expect("second, async", async("a.example"), kindTaken)
	expect("with www.", async("www.a.example"), kindTaken)
	expect("b", async("b.example"), kindNone)
	expect("c", publish("c.example"), kindNone)
	expect("fourth", publish("d.example"), kindFull)
	expect("fourth, async", async("d.example"), kindFull)
	if kind := refusal(publish("a.example")); kind != kindTaken && kind != kindFull {
		t.Errorf("taken in a full stream: kind %d", kind)
	}
	_, err = c.JS.Publish(ctx, "nobody.has.this", nil, jetstream.WithRetryAttempts(0))
	expect("no stream", err, kindAway)
	expect("other", errors.New("?"), kindOther)
}

// TestSetupNoMajority: one node of two that is alone says so after a while.
func TestSetupNoMajority(t *testing.T) {
	t.Parallel()
	ports, routes := testRoutes(t, 2)
	first := startClustered(t, ports, routes, 0)
	c := testConn(t, first.ClientURL())
	c.Replicas = 2
	_, err := c.setup(t.Context(), time.Second)
	says(t, err, "stream RUNS", "Too few nodes run")
}

// TestFeederQueueGone: a feeder that finds no queue creates it again.
func TestFeederQueueGone(t *testing.T) {
	t.Parallel()
	c := testFleet(t, Timing{Lease: time.Minute})
	noError(t, c.JS.DeleteStream(t.Context(), streamJobs))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	f := &feeder{c: c, run: &Run{ID: "gone", Region: "default"}, timing: c.Timing}
	noError(t, f.open(ctx))
	f.close()
}

// setupError is that of Setup.
func setupError(t *testing.T, c *Conn) error {
	_, err := c.Setup(t.Context())
	return err
}
