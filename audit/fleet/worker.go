package fleet

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Worker takes sites of a region, of runs that fit its version, from the queue, has them done, and stores what is found.
type Worker struct {
	Conn   *Conn
	Region string // see ValidRegion
	Name   string // of this worker, unique in the fleet
	Work   Work
	Retry  Retry
	Grace  time.Duration // how long sites may go on when the worker is to end [20s]

	Pool *audit.Pool // of the sites at work, and of those that wait for their servers
	// Log takes a line for people: level is "info", "warn" or "error". nil = nobody reads it.
	Log func(level, text string)
	// Watch sees sites begin and end, for status.
	Watch Watcher

	keeper *keeper
	begun  *begun
	held   holders
	going  sync.WaitGroup
	count  atomic.Int64    // sites that are going
	taking context.Context // that of Run: ends when no more sites are begun
	drain  context.Context // ends with errDrain when what is in work must end
	well   health
}

// Watcher sees sites begin and end, and trouble; from several goroutines.
type Watcher interface {
	// Begin is called when a site begins. The function it returns is called when it ends, with the
	// result, or nil if it has none: it was given back, or lost.
	Begin(job *Job, try int) (end func(result *Result))
	// Wait is called when a site waits, since a worker that had it before may still be at work on it:
	// end is called when it does so no more. It comes before Begin.
	Wait(job *Job, delivered int) (end func())
	// PutOff says that a site was given back, and is not to be tried before a time.
	PutOff(job *Job, until time.Time)
	// Trouble says what keeps the worker from taking sites; "" = nothing does any more.
	Trouble(text string)
}

// errDrain ends sites of a worker that ends.
var errDrain = errors.New("the worker ends")

// Run takes sites until ctx ends; then it takes no more, lets those in work go on for Grace, and
// gives the rest back to the queue. It asks for as many messages as it has room for, so no message
// waits in a worker while another has nothing to do; and a server that hangs keeps the slot of no
// other site, as on one machine. Its error is that of setting up, or says that
// work did not end.
func (w *Worker) Run(ctx context.Context) error {
	if w.Grace <= 0 {
		w.Grace = 20 * time.Second
	}
	consumer, timing, err := w.queue(ctx, setupWait)
	if err != nil {
		return err
	}
	w.keeper = newKeeper(w.Conn.NATS, timing)
	w.well.probe, w.well.log, w.well.tell = w.probe, w.log, func(string) {}
	if w.Watch != nil {
		w.well.tell = w.Watch.Trouble
	}
	asked, err := w.held.answer(w.Conn.NATS)
	if err != nil {
		return err
	}
	defer asked.Unsubscribe()
	drain, end := context.WithCancelCause(context.Background())
	defer end(errDrain)
	w.drain, w.taking = drain, ctx
	w.begun = &begun{ctx: drain, conn: w.Conn, work: w.Work, runs: map[string]*begunRun{}}

	for ctx.Err() == nil {
		w.pull(ctx, consumer, timing)
		if err := w.begun.closeIdle(false); err != nil {
			w.log("warn", err.Error())
		}
	}

	ended := make(chan struct{})
	go func() {
		w.going.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(w.Grace):
		end(errDrain)
		select {
		case <-ended:
		case <-time.After(timing.lease()): // the server has given them to others by now
			w.keeper.stop()
			return fmt.Errorf("%s did not end within %s", wording.Plural(int64(w.count.Load()), "site"), timing.lease())
		}
	}
	w.keeper.stop()
	w.keeper.wait()
	flush, cancel := context.WithTimeout(context.Background(), ackWait)
	defer cancel()
	if err := w.Conn.NATS.FlushWithContext(flush); err != nil { // what was given back comes again by itself, but later
		w.log("warn", fmt.Sprintf("some returned sites could not be reported to the queue: %v", err))
	}
	return w.begun.closeIdle(true)
}

// queue makes the consumer of the region and version unless it is there.
func (w *Worker) queue(ctx context.Context, wait time.Duration) (jetstream.Consumer, Timing, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	name, filter := jobQueue(w.Region, w.Conn.Version)
	timing, err := w.Conn.consumer(ctx, streamJobs, name, filter, w.Conn.Timing)
	if err != nil {
		return nil, timing, err
	}
	consumer, err := w.Conn.JS.Consumer(ctx, streamJobs, name)
	if err != nil {
		return nil, timing, fmt.Errorf("consumer %s of %s: %w", name, streamJobs, err)
	}
	return consumer, timing, nil
}

// pull asks for as many messages as there is room for, and starts a site for each. It returns when
// they have come, or none did for some time. One request at a time is enough: while messages are
// missing of it, the queue has no more.
func (w *Worker) pull(ctx context.Context, consumer jetstream.Consumer, timing Timing) {
	w.well.wait(ctx)
	slots := w.room(ctx)
	if len(slots) == 0 {
		return
	}
	defer func() {
		for _, slot := range slots { // that no message came for
			slot.Release()
		}
	}()
	wait, cancel := context.WithTimeout(ctx, timing.pullWait())
	defer cancel()
	asked := time.Now()
	batch, err := consumer.Fetch(len(slots), jetstream.FetchContext(wait))
	if err == nil {
		for msg := range batch.Messages() {
			slot := slots[0]
			slots = slots[1:]
			w.going.Add(1)
			w.count.Add(1)
			go func() {
				defer w.going.Done()
				defer w.count.Add(-1)
				defer slot.Release()
				w.site(msg, slot, asked)
			}()
		}
		err = batch.Error()
	}
	if wait.Err() == nil {
		w.well.queue(err)
		if err != nil {
			sleep(ctx, time.Second/2)
			_, _, _ = w.queue(ctx, 5*time.Second) // who has lost the queue makes it anew; this is told above
		}
	}
}

// maxBatch is how many messages a worker asks for at a time.
const maxBatch = 256

// room waits until a site may start, and returns the slots of all that may; none once ctx has ended.
func (w *Worker) room(ctx context.Context) (slots []*audit.Slot) {
	slot, err := w.Pool.Start(ctx)
	for err == nil && slot != nil {
		slots = append(slots, slot)
		if len(slots) == maxBatch {
			break
		}
		slot = w.Pool.TryStart()
	}
	return slots
}

// probe tries whether the bucket takes objects, and gives them back.
func (w *Worker) probe(ctx context.Context) error {
	key := fleetPrefix + "probe-" + w.Name
	if err := w.Conn.Bucket.PutBytes(ctx, key, []byte("probe")); err != nil {
		return err
	}
	return w.Conn.Bucket.Delete(ctx, key)
}

// log tells people of something.
func (w *Worker) log(level, text string) {
	if w.Log != nil {
		w.Log(level, escape.Printable(text))
	}
}

// try calls what a Sites does; a panic in it is an error of its own kind.
func try(f func() (*Finding, error)) (finding *Finding, err error) {
	defer func() {
		if p := recover(); p != nil {
			finding, err = nil, &panicked{fmt.Sprint(p), debug.Stack()}
		}
	}()
	finding, err = f()
	if err == nil && finding == nil {
		err = errors.New("no result and no error")
	}
	return finding, err
}

// panicked is a mistake in the work on one site.
type panicked struct {
	what  string
	stack []byte
}

func (p *panicked) Error() string { return "panic: " + p.what }

// ackWait is how long an acknowledgement, or the store of a message, may take.
const ackWait = 10 * time.Second

// publishResult tells of a result, until the stream has it, or ctx ends, or the lease.
func (w *Worker) publishResult(ctx context.Context, run string, data []byte, check func() error) error {
	for {
		err := check()
		if err != nil {
			return err
		}
		attempt, cancel := context.WithTimeout(ctx, ackWait)
		_, err = w.Conn.JS.PublishMsg(attempt, &nats.Msg{Subject: resultSubject(run), Data: data})
		cancel()
		if refusal(err) != kindAway && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		if ctx.Err() != nil {
			return err
		}
		sleep(ctx, time.Second/4)
	}
}
