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

// Worker takes sites of a region from the queue, of runs that fit its version, does them, and stores the
// results.
type Worker struct {
	Conn   *Conn
	Region string // see ValidRegion
	Name   string // name of this worker, unique in the fleet
	Work   Work
	Retry  Retry
	Grace  time.Duration // how long sites may go on after the worker was asked to stop [20s]

	Pool *audit.Pool // limits of the sites at work, and of those that wait for their servers
	// Log is called with lines for people: level is "info", "warn" or "error". nil = no log.
	Log func(level, text string)
	// Watch is notified when sites begin and end, for status.
	Watch Watcher

	keeper *keeper
	begun  *begun
	held   holders
	going  sync.WaitGroup
	count  atomic.Int64    // sites in work
	taking context.Context // context of Run: ends when no more sites are begun
	drain  context.Context // ends with errDrain when sites in work must end
	well   health
}

// Watcher is notified when sites begin and end, and of failures, from several goroutines.
type Watcher interface {
	// Begin is called when a site begins. The function it returns is called when the site ends, with the
	// result, or nil if the site was given back or lost.
	Begin(job *Job, try int) (end func(result *Result))
	// Wait is called before Begin when a site waits because an earlier worker may still be at work on it.
	// end is called when the wait is over.
	Wait(job *Job, delivered int) (end func())
	// PutOff is called when a site was given back and may not be tried before a time.
	PutOff(job *Job, until time.Time)
	// Trouble is called with the reason why the worker takes no sites; "" = it does.
	Trouble(text string)
}

// errDrain ends the sites of a worker that stops.
var errDrain = errors.New("the worker ends")

// Run takes sites until ctx ends. Then it takes no more, lets the sites in work go on for Grace, and gives
// the rest back to the queue. It asks for as many messages as it has room for, so no message waits in a
// worker while another is idle. A server that hangs takes no other site's slot, as on one machine. The
// error is that of the set-up, or says that work did not end.
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
		case <-time.After(timing.lease()): // the server has delivered them to others by now
			w.keeper.stop()
			return fmt.Errorf("%s did not end within %s", wording.Plural(int64(w.count.Load()), "site"), timing.lease())
		}
	}
	w.keeper.stop()
	w.keeper.wait()
	flush, cancel := context.WithTimeout(context.Background(), ackWait)
	defer cancel()
	if err := w.Conn.NATS.FlushWithContext(flush); err != nil { // the queue delivers what was given back, but later
		w.log("warn", fmt.Sprintf("some returned sites could not be reported to the queue: %v", err))
	}
	return w.begun.closeIdle(true)
}

// queue creates the consumer of the region and version unless it exists.
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

// pull asks for as many messages as there is room for, and starts a site for each. It returns when they
// have come, or after some time. One request at a time is enough: if messages are missing, the queue has no
// more.
func (w *Worker) pull(ctx context.Context, consumer jetstream.Consumer, timing Timing) {
	w.well.wait(ctx)
	slots := w.room(ctx)
	if len(slots) == 0 {
		return
	}
	defer func() {
		for _, slot := range slots { // slots without a message
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
			_, _, _ = w.queue(ctx, 5*time.Second) // queue creates a lost consumer again, and logs it
		}
	}
}

// maxBatch limits the messages of one request.
const maxBatch = 256

// room waits until a site may start, and returns all free slots; none after ctx has ended.
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

// probe checks whether the bucket stores objects.
func (w *Worker) probe(ctx context.Context) error {
	key := fleetPrefix + "probe-" + w.Name
	if err := w.Conn.Bucket.PutBytes(ctx, key, []byte("probe")); err != nil {
		return err
	}
	return w.Conn.Bucket.Delete(ctx, key)
}

// log writes a line for people.
func (w *Worker) log(level, text string) {
	if w.Log != nil {
		w.Log(level, escape.Printable(text))
	}
}

// try calls a method of Sites, and turns a panic into an error.
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

// panicked is a bug in the work on one site.
type panicked struct {
	what  string
	stack []byte
}

func (p *panicked) Error() string { return "panic: " + p.what }

// ackWait limits the time of an acknowledgement, or of storing a message.
const ackWait = 10 * time.Second

// publishResult publishes a result until the stream has it, or ctx or the lease ends.
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
