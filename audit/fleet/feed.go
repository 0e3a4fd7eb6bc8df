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

// A server that keeps what it acknowledges writes to its disk for each message, or once for a batch,
// and a batch is all that a message is: the queue takes it whole, or refuses it whole. So sites go in
// batches, and those of one that is refused go one by one. Smaller batches between these two are no
// faster: one costs a server what some ten messages do.
const (
	batchSites      = 256
	feedSites       = 4 * batchSites // under way to the queue at a time
	checkpointEvery = 5000           // sites
	answerWait      = 20 * time.Second
)

// feeder puts the sites of a run into the queue. One goroutine uses it.
type feeder struct {
	c      *Conn
	run    *Run
	check  func() error // that the run is still held
	log    func(level, text string)
	js     jetstream.JetStream // of its own: no other's answers are awaited
	queue  string              // of the run's sites
	id     string              // of this feeder, in the names of its batches
	timing Timing              // of the fleet

	problems chan<- audit.Problem // lines that name no site, of the first pass
	at       atomic.Int64         // sites that have been in the queue once, or had another before them there

	first    bool // the pass is the first, and checkpoints are written
	told     int  // the checkpoint
	batches  int  // sent so far, which gives each a name
	warned   bool // that the queue takes nothing, since it last did
	accepted int  // by the queue, of this pass
	taken    int  // of this pass: the queue has a job of their host
}

// fed is a job on its way to the queue.
type fed struct {
	subject string
	data    []byte
}

// open connects the feeder with the queue; close ends that. The consumer is made for workers to
// come, so that it shows what waits for them.
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

// pass goes once through the list and feeds the sites that are not done; those that are done, or
// have another job in the queue, are left to a later pass. It waits while the queue is full. Sites
// before the checkpoint are in the queue already, or were, and so the first pass leaves them out.
func (f *feeder) pass(ctx context.Context, first bool, done *bitmap) error {
	f.accepted, f.taken, f.first, f.told = 0, 0, first, 0
	size := 1 // what is missing later mostly waits in the queue still
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
	hosts := map[string]bool{} // of jobs: the server does not see that a batch has one twice, and keeps half of it
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

// badLine returns what the pass does with a line that names no site; nil = the first pass did it.
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

// put puts jobs into the queue, so many in a batch. It returns when each is there, or another of its host is.
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

// send sends jobs as one batch, a single one as a plain message. The answer is nil where they cannot be sent.
func (f *feeder) send(batch []fed) jetstream.PubAckFuture {
	f.batches++
	id := f.id + strconv.Itoa(f.batches)
	for i, job := range batch {
		msg := &nats.Msg{Subject: job.subject, Data: job.data}
		if len(batch) > 1 {
			msg.Header = nats.Header{"Nats-Batch-Id": {id}, "Nats-Batch-Sequence": {strconv.Itoa(i + 1)}}
		}
		if i < len(batch)-1 { // one that does not arrive shows in the answer to the last
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

// settle waits for the answer to a batch, and sends it again, or what is in it, until all is in the
// queue, or another of its host is.
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
		case why == kindTaken: // of this run or of another: it comes with a later pass, unless it is done by then
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
		if try > 1 { // the answer may be old: there may be room by now
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
