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

// The queue may deliver a message again that a worker still holds. When another node becomes the leader of
// the queue, it counts the lease from when the message was queued, unless the holder has confirmed since
// (replicas get the message's own time as its delivery time). So a worker that gets a
// redelivered message asks all workers whether one of them holds it, and leaves it to that worker. A worker
// that is cut off or stopped does not answer. Its own lease ends within Timing.holds, so the new worker
// asks for that long. It need not ask if the try before has recorded its end.

// subjectHeld is the subject on which workers are asked whether they hold a job. Only the holder answers.
const subjectHeld = "fleet.held"

// holders are the leases of one worker's sites, by the subjects of their jobs.
type holders struct {
	mu     sync.Mutex
	leases map[string]*Lease
}

// take records the holder of a subject. It fails if there is one, or if the holders are being closed.
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

// give ends a holder's entry.
func (h *holders) give(subject string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.leases, subject)
}

// holds reports whether a subject has a holder.
func (h *holders) holds(subject string) bool {
	h.mu.Lock()
	l := h.leases[subject]
	h.mu.Unlock()
	return l != nil && l.Check() == nil
}

// answer answers the questions of other workers until the subscription ends.
func (h *holders) answer(nc *nats.Conn) (*nats.Subscription, error) {
	return nc.Subscribe(subjectHeld, func(m *nats.Msg) {
		if h.holds(string(m.Data)) {
			m.Respond(nil) // a lost answer is harmless: the worker asks again
		}
	})
}

// alone returns true once no other worker can be at work on the site. It returns false if another is, or if
// the lease is lost: then the message stays with its holder. While a site waits here, other sites use its
// slot: after an outage of the queue most sites wait.
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
	if errors.Is(context.Cause(ctx), errDrain) { // no try has begun
		if alone {
			t.w.held.give(t.msg.Subject())
		}
		t.back(0)
		return false
	}
	return alone
}

// sure asks the other workers until a time after which none can be at work, and then takes the site.
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
				continue // no worker has answered for so long
			}
		}
		sleep(ctx, min(max(wait, 10*time.Millisecond), w.keeper.timing.tick()))
	}
}

// ends counts the tries at a site that ended without a result and were given back.
type ends struct {
	Last  int `json:"last"`  // number of the delivery
	Count int `json:"count"` // tries that ended in order; the others were interrupted
	Again int `json:"again"` // of Count: tries that ended because of a temporary error of the site
}

// maxEnds limits the stored object, in bytes.
const maxEnds = 1 << 10

// ends reads the record of earlier tries.
func (t *task) ends() (e ends, err error) {
	if t.delivered <= 1 {
		return e, nil
	}
	text, err := t.w.Conn.Bucket.Get(t.ctx, tryKey(t.job.Run, t.job.Site.Name), maxEnds)
	if errors.Is(err, store.ErrNotFound) {
		return e, nil
	}
	if err == nil && json.Unmarshal(text, &e) != nil {
		return ends{}, nil // treated as no record: the worker asks the others
	}
	return e, err
}

// end records that this try has ended. inOrder and again are 1 where they add to Count and Again, else 0.
func (t *task) end(inOrder, again int) error {
	text, err := json.Marshal(ends{Last: t.delivered, Count: t.ended.Count + inOrder, Again: t.ended.Again + again})
	if err != nil {
		return err
	}
	return t.w.Conn.Bucket.PutBytes(t.ctx, tryKey(t.job.Run, t.job.Site.Name), text)
}
