package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit"
	"robots-audit/audit/fleet/store"
	"robots-audit/engine/wording"
)

// giveBack is how long a site waits if this worker could not do it for a reason of its own, or could not
// publish its result; Retry.Base if that is less.
const giveBack = 5 * time.Second

// site does the site of a message, from the lease to the acknowledgement.
func (w *Worker) site(msg jetstream.Msg, slot *audit.Slot, asked time.Time) {
	lease, ctx := w.keeper.hold(context.Background(), msg, asked)
	defer lease.Release()
	meta, err := msg.Metadata()
	if err != nil {
		w.log("error", fmt.Sprintf("%s: %v", msg.Subject(), err))
		return
	}
	t := &task{w: w, msg: msg, slot: slot, lease: lease, ctx: ctx, delivered: int(meta.NumDelivered), begun: time.Now()}
	if err := json.Unmarshal(msg.Data(), &t.job); err != nil || !ValidID(t.job.Run) || t.job.Site.Name == "" {
		w.log("error", fmt.Sprintf("%s: an unknown message is dropped", msg.Subject()))
		t.acknowledge(msg.TermWithReason("no job"))
		return
	}
	if t.ended, err = t.ends(); err != nil {
		t.putBack(err)
		return
	}
	t.try = t.ended.Again + 1
	if !t.alone(t.ended.Last == t.delivered-1) {
		return
	}
	defer w.held.give(msg.Subject())
	end := func(*Result) {}
	if w.Watch != nil {
		end = w.Watch.Begin(&t.job, t.try)
	}
	end(t.run())
}

// task is one try at one site.
type task struct {
	w     *Worker
	msg   jetstream.Msg
	slot  *audit.Slot
	lease *Lease
	ctx   context.Context // ends with the lease
	job   Job
	begun time.Time

	delivered int  // how often the queue has delivered the message
	ended     ends // record of the earlier tries
	try       int  // 1-based, of the tries that ended in order
}

// run does the site, and returns nil if it has no result by now.
func (t *task) run() *Result {
	w, key := t.w, SiteKey(t.job.Run, t.job.Site.Name)
	there, err := w.Conn.Bucket.Exists(t.ctx, key)
	if err != nil {
		return t.trouble(err)
	}
	if there { // an earlier try had stored it
		if merged, err := w.Conn.Bucket.Exists(t.ctx, MergedKey(t.job.Run)); err == nil && merged { // its run has ended: no coordinator reads the result
			t.acknowledge(t.msg.Ack())
			return nil
		}
		return t.tell(&Result{Ordinal: t.job.Ordinal, Key: key, Worker: w.Name, Tries: t.delivered})
	}
	sites, err := w.begun.take(t.ctx, t.job.Run)
	if errors.Is(err, store.ErrNotFound) {
		return t.unknown(err)
	}
	if err != nil {
		return t.trouble(err)
	}
	defer w.begun.give(t.job.Run)

	tries, why := w.Retry.tries(), ""
	var finding *Finding
	if broken := t.delivered - 1 - t.ended.Count; broken >= tries {
		why = fmt.Sprintf("%d %s did not finish", broken, wording.Verb(broken, "try", "tries"))
	} else {
		finding, err = t.audit(sites)
		var p *panicked
		switch {
		case errors.As(err, &p):
			w.log("error", fmt.Sprintf("%s, try %d: %v\n%s", t.job.Site.Name, t.try, p, p.stack))
			if t.delivered < tries {
				t.end(0, 0) // best effort, as below
				t.back(w.Retry.delay(t.delivered, 0))
				return nil
			}
			why = p.Error()
		case err != nil && context.Cause(w.drain) != nil:
			t.end(1, 0) // best effort: without it, the next worker waits until this lease has surely ended
			t.back(0)
			return nil
		case err != nil:
			return t.trouble(err)
		case finding.Again && t.try < tries:
			if err := t.end(1, 1); err != nil {
				return t.trouble(err)
			}
			t.back(w.Retry.delay(t.try, finding.After))
			return nil
		}
	}
	if why != "" {
		finding, err = try(func() (*Finding, error) { return sites.Failed(t.ctx, &t.job, why) })
		if err != nil {
			return t.trouble(err)
		}
	}
	if err := t.lease.Check(); err != nil {
		return t.trouble(err)
	}
	if _, err := w.Conn.Bucket.Commit(t.ctx, key, finding.Result); err != nil {
		return t.trouble(err)
	}
	w.well.fine()
	return t.tell(&Result{
		Ordinal: t.job.Ordinal, Key: key, State: finding.State, Why: finding.Why, URLs: finding.URLs, Blocked: finding.Blocked,
		Worker: w.Name, Millis: time.Since(t.begun).Milliseconds(), Tries: t.delivered, Failed: why,
	})
}

// audit does the site. The end of the worker ends it too.
func (t *task) audit(sites Sites) (*Finding, error) {
	ctx, cancel := context.WithCancelCause(t.ctx)
	defer cancel(nil)
	stop := context.AfterFunc(t.w.drain, func() { cancel(errDrain) })
	defer stop()
	return try(func() (*Finding, error) { return sites.Site(ctx, t.slot, &t.job, t.lease.Check) })
}

// tell publishes the result, which is in the bucket, and acknowledges the job.
func (t *task) tell(r *Result) *Result {
	data, err := json.Marshal(r)
	if err == nil {
		err = t.w.publishResult(t.ctx, t.job.Run, data, t.lease.Check)
	}
	if err != nil { // the next worker with the job finds the result and publishes it
		if t.lease.Check() == nil {
			t.w.log("warn", fmt.Sprintf("%s: the result is stored, but not reported: %v", t.job.Site.Name, err))
			t.back(min(giveBack, t.w.Retry.delay(1, 0)))
		}
		return nil
	}
	if t.lease.Check() != nil {
		return r
	}
	ctx, cancel := context.WithTimeout(t.ctx, ackWait)
	defer cancel()
	t.acknowledge(t.msg.DoubleAck(ctx))
	return r
}

// trouble gives a site back that could not be done because of a failure of our own. The site is not to
// blame: this try counts as ended in order, and does not count towards giving the site up.
func (t *task) trouble(err error) *Result {
	if t.lease.Check() == nil {
		t.end(1, 0) // best effort: it may be the bucket that fails
	}
	t.putBack(err)
	return nil
}

// putBack gives a site back because of a failure of our own, and pauses the worker. If only the lease was
// lost, another worker has the site.
func (t *task) putBack(err error) {
	if lost := t.lease.Check(); lost != nil {
		t.w.log("warn", fmt.Sprintf("%s: another worker takes this site: %v", t.job.Site.Name, lost))
		return
	}
	t.w.well.trouble(fmt.Errorf("%s: %w", t.job.Site.Name, err))
	t.back(min(giveBack, t.w.Retry.delay(1, 0)))
}

// unknown gives a site back whose run is not in the bucket. The wrong folder may be mounted. After some
// tries the job is treated as a leftover of a run that has ended.
func (t *task) unknown(err error) *Result {
	if t.delivered <= t.w.Retry.tries() {
		t.back(t.w.Retry.delay(t.delivered, 0))
		return nil
	}
	t.w.log("warn", fmt.Sprintf("%s is dropped: %v", t.job.Site.Name, err))
	t.acknowledge(t.msg.TermWithReason("no such run"))
	return nil
}

// back gives the message back to the queue, to be delivered again after a time.
func (t *task) back(after time.Duration) {
	if t.lease.Check() != nil {
		return
	}
	t.lease.Release()
	if after <= 0 {
		t.acknowledge(t.msg.Nak())
		return
	}
	if t.w.Watch != nil {
		t.w.Watch.PutOff(&t.job, time.Now().Add(after))
	}
	t.acknowledge(t.msg.NakWithDelay(after))
}

// acknowledge logs an acknowledgement's error. The message then comes again, which costs only time.
func (t *task) acknowledge(err error) {
	if err != nil {
		t.w.log("warn", fmt.Sprintf("%s: the queue could not be updated: %v", t.job.Site.Name, err))
	}
}
