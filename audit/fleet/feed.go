package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit"
)

const (
	feedWindow      = 2048 // jobs that are under way to the queue
	checkpointEvery = 5000 // sites
	fullPause       = time.Second / 2
	awayPause       = time.Second
)

// feeder puts the sites of a run into the queue. One goroutine uses it.
type feeder struct {
	c      *Conn
	run    *Run
	check  func() error // that the run is still held
	log    func(level, text string)
	js     jetstream.JetStream // of its own, for its window
	queue  string              // of the run's sites
	timing Timing              // of the fleet

	problems chan<- audit.Problem // lines that name no site, of the first pass
	at       atomic.Int64         // sites that have been in the queue once, or had another before them there

	first    bool  // the pass is the first, and checkpoints are written
	told     int   // the checkpoint
	window   []fed // under way, oldest first
	accepted int   // by the queue, of this pass
	taken    int   // of this pass: the queue has a job of their host
}

// fed is a job on its way to the queue.
type fed struct {
	ordinal int
	subject string
	data    []byte
	answer  jetstream.PubAckFuture // nil = it could not be sent
}

// open connects the feeder with the queue; close ends that. The consumer is made for workers to
// come, so that it shows what waits for them.
func (f *feeder) open(ctx context.Context) (err error) {
	name, filter := jobQueue(f.run.Region, f.run.Version)
	f.queue = name
	if _, err := f.c.consumer(ctx, streamJobs, name, filter, f.timing); err != nil {
		return err
	}
	f.js, err = jetstream.New(f.c.NATS, jetstream.WithPublishAsyncMaxPending(feedWindow), jetstream.WithPublishAsyncTimeout(20*time.Second))
	return err
}

func (f *feeder) close() { f.js.CleanupPublisher() }

// pass goes once through the list and feeds the sites that are not done; those that are done, or
// have another job in the queue, are left to a later pass. It waits while the queue is full. Sites
// before the checkpoint are in the queue already, or were, and so the first pass leaves them out.
func (f *feeder) pass(ctx context.Context, first bool, done *bitmap) error {
	f.accepted, f.taken, f.first, f.told = 0, 0, first, 0
	if first {
		var err error
		if f.told, err = f.c.checkpoint(ctx, f.run.ID); err != nil {
			return err
		}
	}
	start := f.told
	if first {
		f.at.Store(int64(start))
	}
	list, err := f.c.Bucket.Reader(ctx, ListKey(f.run.ID))
	if err != nil {
		return fmt.Errorf("the list of run %s: %w", f.run.ID, listFault(err))
	}
	defer list.Close()
	ordinal := 0
	for d, err := range audit.Domains(list) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var bad *audit.ListError
		if errors.As(err, &bad) {
			if first {
				select {
				case f.problems <- audit.Problem{Stage: audit.StageList, Code: audit.CodeBadDomain, Detail: bad.Error()}:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("run %s: %w", f.run.ID, err)
		}
		n := ordinal
		ordinal++
		if n < start || done.has(n) {
			continue
		}
		if err := f.push(ctx, n, &d); err != nil {
			return err
		}
	}
	if err := list.Close(); err != nil {
		return fmt.Errorf("the list of run %s: %w", f.run.ID, err)
	}
	if ordinal != f.run.Sites {
		return fmt.Errorf("%w: the list of run %s has %d sites; when it was submitted it had %d", ErrHopeless, f.run.ID, ordinal, f.run.Sites)
	}
	for len(f.window) > 0 {
		if err := f.settle(ctx); err != nil {
			return err
		}
	}
	return f.settled(ctx, ordinal)
}

// push sends the job of a site, once there is room in the window.
func (f *feeder) push(ctx context.Context, ordinal int, d *audit.Domain) error {
	if len(f.window) == feedWindow {
		for range feedWindow / 4 { // some at a time: one that was not taken is waited for
			if err := f.settle(ctx); err != nil {
				return err
			}
		}
	}
	data, err := json.Marshal(Job{Run: f.run.ID, Ordinal: ordinal, Site: *d})
	if err != nil {
		return err
	}
	job := fed{ordinal: ordinal, subject: jobSubject(f.queue, d.Host), data: data}
	job.answer, _ = f.js.PublishMsgAsync(&nats.Msg{Subject: job.subject, Data: data}, jetstream.WithStallWait(20*time.Second))
	f.window = append(f.window, job)
	return nil
}

// settle waits for the answer to the oldest job of the window, and sends it again until it is in
// the queue, or another of its host is.
func (f *feeder) settle(ctx context.Context) error {
	job := f.window[0]
	f.window = f.window[1:]
	err := error(jetstream.ErrAsyncPublishTimeout)
	if job.answer != nil {
		select {
		case <-job.answer.Ok():
			err = nil
		case err = <-job.answer.Err():
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	told := false
	for try := 1; ; try++ {
		pause := awayPause
		switch refusal(err) {
		case kindNone:
			f.accepted++
			return f.settled(ctx, job.ordinal+1)
		case kindTaken: // of this run or of another: it comes with a later pass, unless it is done by then
			f.taken++
			return f.settled(ctx, job.ordinal+1)
		case kindFull:
			pause = fullPause
		case kindAway:
			if errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, nats.ErrNoResponders) { // the stream is gone
				err = f.c.restore(ctx)
			}
			if err != nil && !told {
				told = true
				f.log("warn", "run "+f.run.ID+": the queue takes no sites: "+err.Error())
			}
		default:
			return fmt.Errorf("run %s: the queue refuses a site (%s): %w", f.run.ID, job.subject, err)
		}
		if try > 1 { // the answer may be old: there may be room by now
			if err := sleep(ctx, pause); err != nil {
				return err
			}
		}
		if err := f.check(); err != nil {
			return err
		}
		attempt, cancel := context.WithTimeout(ctx, 10*time.Second)
		_, err = f.c.JS.Publish(attempt, job.subject, job.data)
		cancel()
		if err != nil && ctx.Err() == nil && attempt.Err() != nil {
			err = nats.ErrTimeout
		}
	}
}

// settled takes note that all before an ordinal have been in the queue, or have another before them there.
func (f *feeder) settled(ctx context.Context, ordinal int) error {
	if !f.first {
		return nil
	}
	f.at.Store(int64(ordinal))
	if ordinal-f.told < checkpointEvery && ordinal != f.run.Sites || ordinal == f.told {
		return nil
	}
	if err := f.check(); err != nil {
		return err
	}
	f.told = ordinal
	return f.c.setCheckpoint(ctx, f.run.ID, ordinal)
}

// checkpoint is how many sites of a run's list have been fed.
func (c *Conn) checkpoint(ctx context.Context, run string) (int, error) {
	kv, err := c.JS.KeyValue(ctx, kvCheckpoint)
	if err != nil {
		return 0, fmt.Errorf("the checkpoint of run %s: %w", run, err)
	}
	entry, err := kv.Get(ctx, run)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("the checkpoint of run %s: %w", run, err)
	}
	n, err := strconv.Atoi(string(entry.Value()))
	if err != nil || n < 0 {
		return 0, nil // from the beginning, then: what is in the queue is refused
	}
	return n, nil
}

// setCheckpoint notes that so many sites of a run's list have been fed.
func (c *Conn) setCheckpoint(ctx context.Context, run string, n int) error {
	kv, err := c.JS.KeyValue(ctx, kvCheckpoint)
	if err == nil {
		_, err = kv.Put(ctx, run, []byte(strconv.Itoa(n)))
	}
	if err != nil {
		return fmt.Errorf("the checkpoint of run %s: %w", run, err)
	}
	return nil
}

// deleteCheckpoint removes a run's checkpoint, if there is one.
func (c *Conn) deleteCheckpoint(ctx context.Context, run string) error {
	kv, err := c.JS.KeyValue(ctx, kvCheckpoint)
	if err == nil {
		err = kv.Purge(ctx, run)
	}
	return err
}
