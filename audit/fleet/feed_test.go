package fleet

import (
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// TestFeedBatches: the queue refuses only sites whose hosts have jobs already, and repeated hosts
// of the list.
func TestFeedBatches(t *testing.T) {
	t.Parallel()
	t.Run("one", func(t *testing.T) {
		t.Parallel()
		testFeedBatches(t, testConn(t, testServer(t).ClientURL()))
	})
	t.Run("three", func(t *testing.T) {
		t.Parallel()
		c := testConn(t, testCluster(t, 3)[0].ClientURL())
		c.Replicas = 3
		testFeedBatches(t, c)
	})
}

func testFeedBatches(t *testing.T, c *Conn) {
	c.Timing, c.Bucket = Timing{Lease: time.Minute}, openBucket(t, t.TempDir())
	const sites = 3*batchSites - 10 // the second batch has sites that are refused, the last is smaller
	list := names(sites-1) + "www.site700.example\n"
	run := submit(t, c, "batches", list)
	for i := 300; i < 340; i++ {
		_, err := c.JS.Publish(t.Context(), jobSubject(run.Region, fmt.Sprintf("site%d.example", i)), []byte("{}"))
		noError(t, err)
	}
	f := openFeeder(t, c, &run)
	expect := func(accepted, taken int) {
		t.Helper()
		if f.accepted != accepted || f.taken != taken || f.at.Load() != sites {
			t.Errorf("%d sites were accepted and %d taken of %d, want %d and %d", f.accepted, f.taken, f.at.Load(), accepted, taken)
		}
		if n := streamOf(t, c, streamJobs).CachedInfo().State.Msgs; n != sites-1 {
			t.Errorf("the queue has %d sites, want %d", n, sites-1)
		}
	}
	noError(t, f.pass(t.Context(), true, &bitmap{}))
	expect(sites-41, 41)
	noError(t, f.pass(t.Context(), false, &bitmap{}))
	expect(0, sites)
}

// TestFeedWithoutBatches: where no batch comes through, sites go one by one.
func TestFeedWithoutBatches(t *testing.T) {
	t.Parallel()
	s := startServer(t, &server.Options{Host: "127.0.0.1", Port: -1, StoreDir: t.TempDir(), JetStreamLimits: server.JSLimitOpts{MaxBatchInflightPerStream: 1}})
	c := testConn(t, s.ClientURL())
	c.Timing, c.Bucket = Timing{Lease: time.Minute}, openBucket(t, t.TempDir())
	run := submit(t, c, "single", names(50))
	begun := nats.NewMsg(jobSubject("default", "never.example")) // and never ended
	begun.Header.Set("Nats-Batch-Id", "begun")
	begun.Header.Set("Nats-Batch-Sequence", "1")
	_, err := c.NATS.RequestMsg(begun, 20*time.Second)
	noError(t, err)
	feedOnce(t, c, &run, 50)
}

// feedOnce feeds a run, so many of whose sites the queue takes.
func feedOnce(t *testing.T, c *Conn, run *Run, want int) {
	t.Helper()
	f := openFeeder(t, c, run)
	noError(t, f.pass(t.Context(), true, &bitmap{}))
	if f.accepted != want {
		t.Errorf("%d sites were accepted, want %d", f.accepted, want)
	}
}

// TestFeedBatchesOff: a queue created again by an older program accepts batches after it refused
// one.
func TestFeedBatchesOff(t *testing.T) {
	t.Parallel()
	c := testBucketFleet(t, time.Minute)
	run := submit(t, c, "off", names(20))
	jobs := streamOf(t, c, streamJobs)
	config := jobs.CachedInfo().Config
	config.AllowAtomicPublish = false
	_, err := c.JS.UpdateStream(t.Context(), config)
	noError(t, err)
	feedOnce(t, c, &run, 20)
}

// TestFeedBatchIncomplete: a batch with a lost message is refused completely, with an error that
// asks to send it again.
func TestFeedBatchIncomplete(t *testing.T) {
	t.Parallel()
	c := testFleet(t, Timing{Lease: time.Minute})
	msg := nats.NewMsg(jobSubject("default", "site.example"))
	msg.Header.Set("Nats-Batch-Id", "half")
	msg.Header.Set("Nats-Batch-Sequence", "2")
	msg.Header.Set("Nats-Batch-Commit", "1")
	if _, err := c.JS.PublishMsg(t.Context(), msg); refusal(err) != kindAway {
		t.Errorf("half a batch: %v", err)
	}
}
