package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"robots-audit/audit/fleet/store"
)

// A message that was given out before may still be in work: when another node comes to lead the
// queue, it counts from when a message was queued, unless the holder has sent a word since (the
// server's replicas are told the message's own time as that of its delivery). So it may give out
// again what was given out a moment ago, however long the lease. Who gets a message that was given out before asks all workers whether one holds it, and
// leaves it to that one. One that is cut off or stopped does not answer: its own lease ends within
// Timing.holds, and so long the asking goes on. Only where the try before has said that it came to
// its end, nobody needs to be asked.

// subjectHeld is where workers are asked whether they hold the job of a subject. Those that do not
// are silent.
const subjectHeld = "fleet.held"

// holders are the leases of one worker's sites, by the subjects of their jobs.
type holders struct {
	mu     sync.Mutex
	leases map[string]*Lease
}

// take notes who holds a subject, unless somebody does, or is about to end.
func (h *holders) take(subject string, l *Lease) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.leases[subject] != nil {
		return false
	}
	if h.leases == nil {
		h.leases = map[string]*Lease{}
	}
	h.leases[subject] = l
	return true
}

// give is called when the holder has ended.
func (h *holders) give(subject string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.leases, subject)
}

// holds reports whether somebody does.
func (h *holders) holds(subject string) bool {
	h.mu.Lock()
	l := h.leases[subject]
	h.mu.Unlock()
	return l != nil && l.Check() == nil
}

// answer answers those who ask, until the subscription ends.
func (h *holders) answer(nc *nats.Conn) (*nats.Subscription, error) {
	return nc.Subscribe(subjectHeld, func(m *nats.Msg) {
		if h.holds(string(m.Data)) {
			m.Respond(nil) // one that gets lost is asked for again
		}
	})
}

// alone returns true once this worker alone can be at work on the site. It returns false where
// another is, or the lease is lost: the message is left as it is then, whose holder goes on. A site
// that waits for that stands aside for others: after an outage of the queue most sites do.
func (t *task) alone(ended bool) (alone bool) {
	if t.delivered <= 1 || ended {
		return t.sure(t.ctx, time.Now())
	}
	until := time.Now().Add(t.w.keeper.timing.holds())
	if t.w.Watch != nil {
		defer t.w.Watch.Wait(&t.job, t.delivered)()
	}
	ctx, cancel := context.WithCancelCause(t.ctx)
	defer cancel(nil)
	defer context.AfterFunc(t.w.taking, func() { cancel(errDrain) })()
	t.slot.Aside(ctx, func() { alone = t.sure(ctx, until) })
	if errors.Is(context.Cause(ctx), errDrain) { // nothing was begun
		if alone {
			t.w.held.give(t.msg.Subject())
		}
		t.back(0)
		return false
	}
	return alone
}

// sure asks the others until a time, after which none can be at work, and takes the site then.
func (t *task) sure(ctx context.Context, until time.Time) bool {
	w, subject := t.w, t.msg.Subject()
	for {
		if t.lease.Check() != nil || ctx.Err() != nil || w.held.holds(subject) {
			return false
		}
		wait := time.Until(until)
		if wait <= 0 && w.held.take(subject, t.lease) {
			return true
		}
		if wait > 0 {
			asking, cancel := context.WithTimeout(ctx, min(wait, w.keeper.timing.heartbeat()))
			_, err := w.Conn.NATS.RequestWithContext(asking, subjectHeld, []byte(subject))
			cancel()
			if err == nil {
				return false
			}
			if errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) {
				continue // nobody has answered for so long
			}
		}
		sleep(ctx, min(max(wait, 10*time.Millisecond), w.keeper.timing.tick()))
	}
}

// ends are the tries at a site that came to their end without a result: it was given back.
type ends struct {
	Last  int `json:"last"`  // number of the delivery
	Count int `json:"count"` // of tries that ended in order: the others broke off
	Again int `json:"again"` // of Count: since the site was in a trouble that passes
}

// maxEnds bounds the object that they are.
const maxEnds = 1 << 10

// ends reads the ends of earlier tries.
func (t *task) ends() (e ends, err error) {
	if t.delivered <= 1 {
		return e, nil
	}
	text, err := t.w.Conn.Bucket.Get(t.ctx, tryKey(t.job.Run, t.job.Site.Name), maxEnds)
	if errors.Is(err, store.ErrNotFound) {
		return e, nil
	}
	if err == nil && json.Unmarshal(text, &e) != nil {
		return ends{}, nil // as if there were none: what follows is asked for again
	}
	return e, err
}

// end notes that this try has come to its end: inOrder, and again, are 1 where they add to
// Count and Again, or 0.
func (t *task) end(inOrder, again int) error {
	text, err := json.Marshal(ends{Last: t.delivered, Count: t.ended.Count + inOrder, Again: t.ended.Again + again})
	if err != nil {
		return err
	}
	return t.w.Conn.Bucket.PutBytes(t.ctx, tryKey(t.job.Run, t.job.Site.Name), text)
}
