package fleet

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// testJob puts a job into the queue and takes it out again. It returns the message, and the time of
// its request.
func testJob(t *testing.T, c *Conn) (jetstream.Consumer, jetstream.Msg, time.Time) {
	t.Helper()
	ctx := t.Context()
	consumer := consumerOf(t, c, "r")
	_, err := c.JS.Publish(ctx, jobSubject("r", "a.example"), []byte("{}"))
	noError(t, err)
	asked := time.Now()
	msg, err := consumer.Next()
	noError(t, err)
	return consumer, msg, asked
}

// TestLeaseKept: work that takes several leases keeps its message, and its context.
func TestLeaseKept(t *testing.T) {
	t.Parallel()
	patiently(t, time.Second, func(t *testing.T, length time.Duration) string {
		c := testFleet(t, Timing{Lease: length})
		consumer, msg, asked := testJob(t, c)
		lease, ctx := hold(t.Context(), c.NATS, msg, asked, c.Timing)
		if _, err := consumer.Next(jetstream.FetchMaxWait(3 * length)); err == nil {
			return "the message was given to another"
		}
		if err := errors.Join(lease.Check(), ctx.Err()); err != nil {
			return err.Error()
		}
		lease.Release()
		if err := lease.Check(); !errors.Is(err, errReleased) || ctx.Err() == nil {
			t.Error(err, ctx.Err())
		}
		return ""
	})
}

// TestLeaseCut: with the network cut, the holder stops before the server gives the message to
// another; and stays stopped when the network is back.
func TestLeaseCut(t *testing.T) {
	t.Parallel()
	patiently(t, 2*time.Second, testLeaseCut)
}

func testLeaseCut(t *testing.T, length time.Duration) string {
	server := testServer(t)
	c := testConn(t, server.ClientURL())
	c.Timing = Timing{Lease: length}
	setUp(t, c)
	w := newWire(t, server.Addr().String())
	far := testConn(t, w.url())
	consumer, _, _ := testJob(t, c) // the next holder loses it too
	asked := time.Now()
	farConsumer, err := far.JS.Consumer(t.Context(), streamJobs, "r")
	noError(t, err)
	msg, err := farConsumer.Next(jetstream.FetchMaxWait(10 * length))
	noError(t, err)
	lease, ctx := hold(t.Context(), far.NATS, msg, time.Now(), c.Timing)
	await(t, "a confirmed word", func() bool {
		lease.mu.Lock()
		defer lease.mu.Unlock()
		return lease.confirmed.Sub(asked) > length || lease.ended != nil
	})
	if err := lease.Check(); err != nil {
		return err.Error()
	}
	w.cut.Store(true)
	_, err = consumer.Next(jetstream.FetchMaxWait(10 * length))
	noError(t, err)
	if ctx.Err() == nil || !errors.Is(context.Cause(ctx), ErrLost) {
		return "another has the message, and the context has not ended"
	}
	err = lease.Check()
	if !errors.Is(err, ErrLost) {
		t.Error("another has the message, and the holder does not know")
	}
	says(t, err, "the queue has not answered since")
	w.cut.Store(false)
	noError(t, far.NATS.FlushTimeout(time.Minute))
	if lease.Check() == nil {
		t.Error("a lost lease came back")
	}
	return ""
}

// TestLeaseOld: a message that lay too long before it was seen is not held at all.
func TestLeaseOld(t *testing.T) {
	t.Parallel()
	c := testFleet(t, Timing{Lease: time.Minute})
	_, msg, asked := testJob(t, c)
	lease, _ := hold(t.Context(), c.NATS, msg, asked.Add(-c.Timing.holds()), c.Timing)
	if err := lease.Check(); !errors.Is(err, ErrLost) {
		t.Error("an old message is held")
	}
}

// TestElapsed: the clock counts that says more.
func TestElapsed(t *testing.T) {
	now := time.Now()
	if d := elapsed(now, now.Add(time.Second)); d != time.Second {
		t.Error(d)
	}
	suspended := now.Add(time.Second).Round(0).Add(time.Hour) // no monotonic reading: the wall clock's
	if d := elapsed(now, suspended); d != time.Hour+time.Second {
		t.Error(d)
	}
}

// TestLeaseReleased: Release waits for a word under way: one that came after a message was given back
// would replace its delay.
func TestLeaseReleased(t *testing.T) {
	t.Parallel()
	c := testFleet(t, Timing{Lease: time.Minute})
	_, msg, asked := testJob(t, c)
	lease, _ := hold(t.Context(), c.NATS, msg, asked, c.Timing)
	lease.word.Lock()
	released := make(chan struct{})
	go func() {
		lease.Release()
		close(released)
	}()
	await(t, "the end of the lease", func() bool { return lease.Check() != nil })
	select {
	case <-released:
		t.Error("a word is under way, and the lease is released")
	case <-time.After(20 * time.Millisecond):
	}
	lease.word.Unlock()
	<-released
	heard, err := c.NATS.SubscribeSync(msg.Reply())
	noError(t, err)
	lease.beat(c.NATS)
	if _, err := heard.NextMsg(10 * time.Millisecond); err == nil {
		t.Error("a word is sent for a lease that is released")
	}
}
