package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit"
)

// A server that writes each message to its disk does so once per message, or once per batch. The queue
// takes a batch whole or refuses it whole. So sites go in batches, and the sites of a refused batch go one
// by one. Smaller batches in between are no faster: one costs a server about as much as ten messages.
const (
	batchSites      = 256
	feedSites       = 4 * batchSites // sites sent and not yet answered
	checkpointEvery = 5000           // sites between two checkpoints
	answerWait      = 20 * time.Second
)

// feeder puts the sites of a run into the queue. One goroutine uses it.
type feeder struct {
	c      *Conn
	run    *Run
	check  func() error // an error once the run is no longer held
	log    func(level, text string)
	js     jetstream.JetStream // a context of its own, so that it waits for no other's answers
	queue  string              // queue of the run's sites
	id     string              // id of this feeder, part of the names of its batches
	timing Timing              // the fleet's timing

	problems chan<- audit.Problem // first pass: reports lines that name no site
	at       atomic.Int64         // sites that were in the queue once, or found another job of their host there

	first    bool // true in the first pass, which writes checkpoints
	told     int  // the last checkpoint written
	batches  int  // batches sent so far: numbers their names
	warned   bool // the log says that the queue takes nothing
	accepted int  // jobs that the queue took in this pass
	taken    int  // jobs that the queue refused in this pass because their host has one there
}

// fed is a job that was sent to the queue.
type fed struct {
	subject string
	data    []byte
}

// open connects the feeder to the queue, and close disconnects it. open also creates the workers' consumer,
// so that status shows the waiting sites before a worker comes.
func (f *feeder) open(ctx context.Context) (err error) {
	name, filter := jobQueue(f.run.Region, f.run.Version)
	f.queue, f.id = name, rand.Text()[:10]
	if _, err := f.c.consumer(ctx, streamJobs, name, filter, f.timing); err != nil {
		return err
	}
	f.js, err = jetstream.New(f.c.NATS, jetstream.WithPublishAsyncMaxPending(2*feedSites), jetstream.WithPublishAsyncTimeout(answerWait))
	return err
}

func (f *feeder) close() { f.js.CleanupPublisher() }

// pass goes through the list once and queues the sites that are not done. Sites that are done, or whose
// host has another job in the queue, wait for a later pass. It waits while the queue is full. The first
// pass skips sites before the checkpoint: they were queued already.
func (f *feeder) pass(ctx context.Context, first bool, done *bitmap) error {
	f.accepted, f.taken, f.first, f.told = 0, 0, first, 0
	size := 1 // later passes: most missing sites still wait in the queue
	if first {
		size = batchSites
		var err error
		if f.told, err = f.c.checkpoint(ctx, f.run.ID); err != nil {
			return err
		}
	}
	start := f.told
	if first {
		f.at.Store(int64(start))
	}
	jobs := make([]fed, 0, feedSites)
	hosts := map[string]bool{} // no subject twice in a batch: the server does not notice, and keeps half of the batch
	put := func(before int) error {
		if err := f.put(ctx, jobs, size); err != nil {
			return err
		}
		jobs = jobs[:0]
		clear(hosts)
		return f.settled(ctx, before)
	}
	err := f.c.eachSite(ctx, f.run, f.badLine(ctx), func(n int, d audit.Domain) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if n < start || done.has(n) {
			return nil
		}
		data, err := json.Marshal(Job{Run: f.run.ID, Ordinal: n, Site: d})
		if err != nil {
			return err
		}
		job := fed{jobSubject(f.queue, d.Host), data}
		if len(jobs) == feedSites || hosts[job.subject] {
			if err := put(n); err != nil {
				return err
			}
		}
		jobs = append(jobs, job)
		hosts[job.subject] = true
		return nil
	})
	if err != nil {
		return err
	}
	return put(f.run.Sites)
}

// badLine returns the function for a line that names no site. nil = the first pass reported it.
func (f *feeder) badLine(ctx context.Context) func(*audit.ListError) error {
	if !f.first {
		return nil
	}
	return func(bad *audit.ListError) error {
		select {
		case f.problems <- audit.Problem{Stage: audit.StageList, Code: audit.CodeBadDomain, Detail: bad.Error()}:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// put queues jobs in batches. It returns when each job is in the queue, or another job of its host is.
func (f *feeder) put(ctx context.Context, jobs []fed, size int) error {
	var answers []jetstream.PubAckFuture
	for batch := range slices.Chunk(jobs, size) {
		answers = append(answers, f.send(batch))
	}
	for batch := range slices.Chunk(jobs, size) {
		if err := f.settle(ctx, batch, answers[0]); err != nil {
			return err
		}
		answers = answers[1:]
	}
	return nil
}

// send sends several jobs as one batch, a single one as a plain message. It returns nil if they cannot be
// sent.
func (f *feeder) send(batch []fed) jetstream.PubAckFuture {
	f.batches++
	id := f.id + strconv.Itoa(f.batches)
	for i, job := range batch {
		msg := &nats.Msg{Subject: job.subject, Data: job.data}
		if len(batch) > 1 {
			msg.Header = nats.Header{"Nats-Batch-Id": {id}, "Nats-Batch-Sequence": {strconv.Itoa(i + 1)}}
		}
		if i < len(batch)-1 { // the answer to the last message shows if this one was lost
			if err := f.c.NATS.PublishMsg(msg); err != nil {
				return nil
			}
			continue
		}
		if len(batch) > 1 {
			msg.Header.Set("Nats-Batch-Commit", "1")
		}
		if answer, err := f.js.PublishMsgAsync(msg, jetstream.WithStallWait(answerWait)); err == nil {
			return answer
		}
	}
	return nil
}

// settle waits for the answer to a batch. It sends the batch again, or its jobs one by one, until each job,
// or another job of its host, is in the queue.
func (f *feeder) settle(ctx context.Context, batch []fed, answer jetstream.PubAckFuture) error {
	for try := 1; ; try++ {
		err := error(jetstream.ErrAsyncPublishTimeout)
		if answer != nil {
			select {
			case <-answer.Ok():
				err = nil
			case err = <-answer.Err():
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		pause := pauses.away
		why := refusal(err)
		switch {
		case why == kindNone:
			f.accepted += len(batch)
			f.warned = false
			return nil
		case len(batch) > 1 && (why == kindTaken || why == kindFull || try > 1 && incomplete(err)):
			return f.put(ctx, batch, 1)
		case why == kindTaken: // a job of this run or of another: a later pass queues the site unless it is done by then
			f.taken++
			return nil
		case why == kindFull:
			pause = pauses.full
		case why == kindAway:
			if unfit(err) {
				err = f.c.restore(ctx)
			}
			if err != nil && !incomplete(err) && !f.warned {
				f.warned = true
				f.log("warn", "run "+f.run.ID+": the queue accepts no sites: "+err.Error())
			}
		default:
			return fmt.Errorf("run %s: the queue refuses a site (%s): %w", f.run.ID, batch[0].subject, err)
		}
		if try > 1 { // the answer may be old: the queue may have room by now
			if err := sleep(ctx, pause); err != nil {
				return err
			}
		}
		if err := f.check(); err != nil {
			return err
		}
		answer = f.send(batch)
	}
}

// settled records that all sites before an ordinal were in the queue, or found another job of their host
// there.
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

// checkpoint returns how many sites of a run's list were queued.
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
		return 0, nil // start at the beginning: the queue refuses the jobs that it has
	}
	return n, nil
}

// setCheckpoint records how many sites of a run's list were queued.
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
