package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// Coordinator takes runs from the queue. It queues their sites, merges the workers' results, and queues
// again what the queue has lost. Any number of coordinators may run, but only one holds a run. If it ends,
// another starts the run again from the bucket and the queue.
type Coordinator struct {
	Conn  *Conn
	Name  string        // name of this process in status
	Runs  int           // runs at a time [1]
	Merge Merge         // handles the results
	Tries int           // a run is given up after so many tries, of any coordinator [100]
	Pause time.Duration // before a run is tried again; doubles with each try, up to ten minutes [10s]
	Log   func(level, text string)

	timing Timing // the fleet's timing

	mu   sync.Mutex
	runs map[string]*fold
}

const (
	defaultTries  = 100
	hopelessTries = 3 // tries per run that ended in ErrHopeless: the first may be a mistake
	maxPause      = 10 * time.Minute
)

// Run coordinates runs until ctx ends. Then it gives its runs back to the queue. It returns an
// error if the queue could not be set up.
func (c *Coordinator) Run(ctx context.Context) error {
	timing, err := c.Conn.Setup(ctx)
	if err != nil {
		return err
	}
	c.timing = timing
	var slots errgroup.Group
	for range max(c.Runs, 1) {
		slots.Go(func() error { c.slot(ctx); return nil })
	}
	return slots.Wait()
}

// Progress returns the progress of the runs that this coordinator holds, by id.
func (c *Coordinator) Progress() []Coordinating {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Coordinating
	for _, id := range slices.Sorted(maps.Keys(c.runs)) {
		all = append(all, c.runs[id].progress().Coordinating)
	}
	return all
}

// slot coordinates one run after the other.
func (c *Coordinator) slot(ctx context.Context) {
	silent := false
	for ctx.Err() == nil {
		asked := time.Now()
		msg, err := c.next(ctx)
		if msg != nil {
			silent = false
			c.take(ctx, msg, asked)
			continue
		}
		if err == nil || ctx.Err() != nil {
			continue
		}
		if !silent {
			silent = true
			c.log("warn", "the queue gives no runs: "+err.Error())
		}
		c.Conn.restore(ctx) // next reports the error
		sleep(ctx, pauses.away)
	}
}

// next asks the queue for a run. nil without an error means that there is none now.
func (c *Coordinator) next(ctx context.Context) (jetstream.Msg, error) {
	name, _ := runQueue(c.Conn.Version)
	consumer, err := c.Conn.JS.Consumer(ctx, streamRuns, name)
	if err != nil {
		return nil, err
	}
	wait, cancel := context.WithTimeout(ctx, c.timing.pullWait())
	defer cancel()
	msg, err := consumer.Next(jetstream.FetchContext(wait))
	if errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return msg, err
}

// restore is Setup for connections that are already in use.
func (c *Conn) restore(ctx context.Context) error {
	_, err := c.setup(ctx, 10*time.Second) // holders of messages keep the timing that they started with
	return err
}

// take coordinates the run of a message, then acknowledges the message or gives it back.
func (c *Coordinator) take(ctx context.Context, msg jetstream.Msg, asked time.Time) {
	lease, held := hold(ctx, c.Conn.NATS, msg, asked, c.timing)
	defer lease.Release()
	tries := uint64(1)
	if meta, err := msg.Metadata(); err == nil {
		tries = meta.NumDelivered
	}
	var run Run
	err := json.Unmarshal(msg.Data(), &run)
	if err != nil || !ValidID(run.ID) || !ValidRegion(run.Region) || msg.Subject() != runSubject(run.ID, run.Version) || run.Sites <= 0 {
		c.log("error", fmt.Sprintf("the message %q in the queue of runs is unknown. It is removed", msg.Subject()))
		c.say(msg.Term)
		return
	}
	if tries > c.tries() {
		err = fmt.Errorf("%w: it was started %d times and never finished", ErrHopeless, tries-1)
	} else {
		err = c.coordinate(held, lease, msg, &run)
	}
	switch lost := lease.Check(); {
	case err == nil:
		c.log("info", "run "+run.ID+": merged")
	case lost != nil:
		c.log("warn", "run "+run.ID+": "+lost.Error()+"; the next worker continues it")
	case ctx.Err() != nil:
		c.say(msg.Nak) // another coordinator takes it at once
	case tries >= c.tries() || errors.Is(err, ErrHopeless) && tries >= hopelessTries:
		c.giveUp(held, lease, msg, &run, tries, err)
	default:
		pause := c.pause(tries)
		c.log("error", fmt.Sprintf("run %s: %v; next try in %s", run.ID, err, pause.Round(time.Second)))
		c.say(func() error { return msg.NakWithDelay(pause) })
	}
}

// coordinate completes a run. It writes nothing after the lease is lost.
func (c *Coordinator) coordinate(ctx context.Context, lease *Lease, msg jetstream.Msg, run *Run) error {
	bucket := c.Conn.Bucket
	merged, err := bucket.Exists(ctx, MergedKey(run.ID))
	if err != nil {
		return err
	}
	if !merged {
		if err := c.merge(ctx, lease, run); err != nil {
			return err
		}
	}
	// Merged already, by this coordinator or by one that stopped before it acknowledged.
	if err := lease.Check(); err != nil {
		return err
	}
	results, err := c.Conn.JS.Stream(ctx, streamResults)
	if err == nil {
		err = results.Purge(ctx, jetstream.WithPurgeSubject(resultSubject(run.ID)))
	}
	if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("removing the results of run %s from the queue: %w", run.ID, err)
	}
	if err := c.Conn.deleteCheckpoint(ctx, run.ID); err != nil {
		return fmt.Errorf("removing the checkpoint of run %s: %w", run.ID, err)
	}
	if err := lease.Check(); err != nil {
		return err
	}
	return msg.DoubleAck(ctx)
}

// merge queues the sites of a run and merges their results.
func (c *Coordinator) merge(ctx context.Context, lease *Lease, run *Run) (err error) {
	merged, err := c.Merge.Begin(ctx, run)
	if err != nil {
		return fmt.Errorf("beginning the run's folder: %w", err)
	}
	defer func() { err = errors.Join(err, merged.Close()) }()
	f := newFold(c, lease, run, merged)
	c.mu.Lock()
	if c.runs == nil {
		c.runs = map[string]*fold{}
	}
	c.runs[run.ID] = f
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.runs, run.ID)
		c.mu.Unlock()
	}()
	if err := f.run(ctx); err != nil {
		return err
	}
	if err := lease.Check(); err != nil {
		return err
	}
	if err := merged.Finish(ctx); err != nil {
		return fmt.Errorf("finishing the run's folder: %w", err)
	}
	if err := lease.Check(); err != nil {
		return err
	}
	last, err := json.Marshal(f.progress())
	if err != nil {
		return err
	}
	return c.Conn.Bucket.PutBytes(ctx, MergedKey(run.ID), last)
}

// giveUp stores, for people, why a run is not tried again, and removes the run from the queue.
func (c *Coordinator) giveUp(ctx context.Context, lease *Lease, msg jetstream.Msg, run *Run, tries uint64, why error) {
	data, err := json.Marshal(Failure{Run: run.ID, Why: why.Error(), Tries: tries, Time: time.Now().UTC(), By: c.Name})
	if err == nil {
		err = c.Conn.Bucket.PutBytes(ctx, FailedKey(run.ID), data)
	}
	if err == nil {
		err = lease.Check()
	}
	if err != nil { // the reason could not be stored, so the run is not given up
		c.log("error", fmt.Sprintf("run %s: %v; and %s cannot be written: %v", run.ID, why, FailedKey(run.ID), err))
		c.say(func() error { return msg.NakWithDelay(maxPause) })
		return
	}
	c.log("error", fmt.Sprintf("run %s is given up after try %d: %v", run.ID, tries, why))
	c.say(msg.Term)
}

// say acknowledges a message or gives it back. If the call is lost, the lease runs out and the queue gives
// the message to the next coordinator.
func (c *Coordinator) say(word func() error) {
	if err := word(); err != nil {
		c.log("warn", "the queue could not be updated about a run: "+err.Error())
	}
}

func (c *Coordinator) log(level, text string) {
	if c.Log != nil {
		c.Log(level, text)
	}
}

func (c *Coordinator) tries() uint64 {
	if c.Tries <= 0 {
		return defaultTries
	}
	return uint64(c.Tries)
}

// pause is how long a run waits after its n-th try, n from 1.
func (c *Coordinator) pause(try uint64) time.Duration {
	pause := c.Pause
	if pause <= 0 {
		pause = 10 * time.Second
	}
	for ; try > 1 && pause < maxPause; try-- {
		pause *= 2
	}
	return min(pause, maxPause)
}
