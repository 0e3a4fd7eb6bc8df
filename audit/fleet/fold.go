package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"robots-audit/audit"
	"robots-audit/audit/fleet/store"
)

// fold merges a run. It sets a bit for each site whose result is merged. When no more results come, it
// queues the sites without a bit again. So the run ends with each site merged once, whatever the queue
// loses or delivers twice.
//
// The goroutine of run owns all fields that are not atomic.
type fold struct {
	c      *Coordinator
	lease  *Lease
	job    *Run
	merged Merged
	feeder *feeder

	problems chan audit.Problem
	again    chan *bitmap // sites not to queue: starts another pass of the feeder
	passed   chan pass    // the feeder has finished a pass
	words    chan word    // messages of RESULTS
	wanted   chan int     // ordinals of results to fetch from the bucket
	got      chan object  // results fetched from the bucket

	sites    []hash       // sites of the list, by ordinal
	known    bitmap       // sites merged, or whose result is being fetched
	refused  map[int]int  // refused results of a site, by ordinal
	done     atomic.Int64 // sites merged
	merges   atomic.Int64 // time of the last merge, in Unix milliseconds; 0 = none yet
	begun    time.Time
	fetching int
	last     uint64    // sequence of the last message of RESULTS
	came     time.Time // time of the last result, or of the end of the last pass
	feeding  bool
	idle     int       // after so many leases without a result, all missing sites are queued again
	notYet   time.Time // the next pass does not start earlier: a pass may take as long as all other work
}

// word is a message of RESULTS.
type word struct {
	Result
	sequence uint64
}

// object is the object under the key of a site's result.
type object struct {
	ordinal int
	data    []byte
	err     error // store.ErrNotFound or store.ErrTooBig; nil = data is complete
}

// pass is one pass of the feeder through the list.
type pass struct {
	accepted, taken int
	took            time.Duration
}

const (
	fetchers   = 8
	fetchAhead = 32      // maximum of results in memory
	maxResult  = 4 << 20 // bytes
	maxIdle    = 16      // leases
	maxRefused = 3       // refused results after which a site is given up, so that the run can end
)

// errComplete says that all sites are merged.
var errComplete = errors.New("complete")

func newFold(c *Coordinator, lease *Lease, run *Run, merged Merged) *fold {
	problems := make(chan audit.Problem, 64)
	return &fold{
		c: c, lease: lease, job: run, merged: merged,
		feeder:   &feeder{c: c.Conn, run: run, timing: c.timing, check: lease.Check, log: c.log, problems: problems},
		problems: problems, again: make(chan *bitmap, 1), passed: make(chan pass, 1),
		words: make(chan word, 256), wanted: make(chan int, fetchAhead), got: make(chan object, fetchAhead),
		refused: map[int]int{}, idle: 2, begun: time.Now(),
	}
}

// run returns nil when every site of the list is merged.
func (f *fold) run(ctx context.Context) error {
	if err := f.feeder.open(ctx); err != nil {
		return err
	}
	defer f.feeder.close()
	if err := f.readSites(ctx); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return f.feed(ctx) })
	group.Go(func() error { return f.listen(ctx) })
	for range fetchers {
		group.Go(func() error { return f.fetch(ctx) })
	}
	group.Go(func() error { return f.collect(ctx) })
	if err := group.Wait(); !errors.Is(err, errComplete) {
		return err
	}
	return nil
}

// progress may be called by any goroutine.
func (f *fold) progress() Progress {
	done := int(f.done.Load())
	var last time.Time
	if at := f.merges.Load(); at > 0 {
		last = time.UnixMilli(at).UTC()
	}
	return Progress{Coordinator: f.c.Name, Coordinating: Coordinating{
		Run: f.job.ID, Region: f.job.Region, Submitted: f.job.Submitted,
		Sites: f.job.Sites, Fed: int(f.feeder.at.Load()), Done: done, Missing: f.job.Sites - done,
		Since: f.begun.UTC().Truncate(time.Millisecond), Last: last,
	}}
}

// feed goes through the list once, and again for each request.
func (f *fold) feed(ctx context.Context) error {
	done := &bitmap{}
	for first := true; ; first = false {
		begun := time.Now()
		if err := f.feeder.pass(ctx, first, done); err != nil {
			return err
		}
		f.passed <- pass{accepted: f.feeder.accepted, taken: f.feeder.taken, took: time.Since(begun)}
		select {
		case done = <-f.again:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// collect owns the run's state.
func (f *fold) collect(ctx context.Context) error {
	lease := f.c.timing.lease()
	tick := time.NewTicker(min(pauses.look, max(lease/16, 10*time.Millisecond)))
	defer tick.Stop()
	f.feeding, f.came = true, time.Now()
	read := false // the list was read to its end
	quiet := 0    // ticks in a row without a result
	for !read || int(f.done.Load()) < f.job.Sites {
		words := f.words
		if f.fetching == fetchAhead {
			words = nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case p := <-f.problems:
			if err := f.merged.Problem(p); err != nil {
				return fmt.Errorf("merging a line of the list: %w", err)
			}
		case p := <-f.passed:
			f.pass(p)
			read = true
		case w := <-words:
			f.want(w)
		case o := <-f.got:
			quiet = 0
			if err := f.add(ctx, o); err != nil {
				return err
			}
		case <-tick.C:
			f.tell()
			if quiet++; quiet > 1 {
				f.look(ctx)
			}
		}
	}
	for len(f.problems) > 0 { // the feeder has sent all sites
		if err := f.merged.Problem(<-f.problems); err != nil {
			return fmt.Errorf("merging a line of the list: %w", err)
		}
	}
	return errComplete
}

// pass records that the feeder has gone through the list.
func (f *fold) pass(p pass) {
	f.feeding, f.came, f.notYet = false, time.Now(), time.Now().Add(p.took)
	if p.accepted > 0 {
		f.idle = 2
	} else { // all missing sites are in the queue: another run's sites come first, or a site takes long
		f.idle = min(2*f.idle, maxIdle)
	}
}

// want requests the result of a site unless it was requested before.
func (f *fold) want(w word) {
	f.last = w.sequence
	if w.Ordinal < 0 || w.Ordinal >= f.job.Sites || !f.known.set(w.Ordinal) {
		return
	}
	f.fetching++
	f.wanted <- w.Ordinal // never blocks: the channel has room for every fetch
}

// add merges a result. It removes an object that is not the site's result, so that the site is done again.
func (f *fold) add(ctx context.Context, o object) error {
	f.fetching--
	f.came = time.Now()
	if err := f.lease.Check(); err != nil {
		return err
	}
	key, err := siteKey(f.job.ID, f.sites[o.ordinal]), o.err
	if err == nil {
		err = f.merged.Add(o.ordinal, key, o.data)
	}
	switch {
	case err == nil:
	case isNotFound(err) && !errors.Is(err, store.ErrNotPlain): // the message is wrong, or the bucket has lost the object
		f.known.clear(o.ordinal)
		f.c.log("warn", fmt.Sprintf("run %s: site %d of the list is audited again: %s is missing", f.job.ID, o.ordinal+1, key))
		return nil
	case errors.Is(err, ErrRefused) || errors.Is(err, store.ErrTooBig) || errors.Is(err, store.ErrNotPlain):
		if given, err := f.refuse(ctx, o.ordinal, key, err); err != nil || !given {
			return err
		}
	default:
		return fmt.Errorf("merging site %d of the list: %w", o.ordinal+1, err)
	}
	f.done.Add(1)
	f.merges.Store(time.Now().UnixMilli())
	return nil
}

// tell publishes the progress. Nothing depends on a listener.
func (f *fold) tell() {
	if data, err := json.Marshal(f.progress()); err == nil {
		f.c.Conn.NATS.Publish(progressSubject(f.job.ID), data)
	}
}

// look starts another pass of the feeder if the queue will deliver nothing more.
func (f *fold) look(ctx context.Context) {
	if f.feeding || f.fetching > 0 || len(f.words) > 0 || time.Now().Before(f.notYet) {
		return
	}
	if time.Since(f.came) < time.Duration(f.idle)*f.c.timing.lease() && !f.drained(ctx) {
		return
	}
	f.feeding = true
	f.again <- f.known.clone() // never blocks: the feeder waits for it
}

// drained reports whether the queue has no sites of the region and RESULTS has no unread message. A worker
// publishes its result before it acknowledges the job, so the queue is checked first.
func (f *fold) drained(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	js := f.c.Conn.JS
	jobs, err := js.Stream(ctx, streamJobs)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return true // the feeder creates it again
	}
	if err != nil {
		return false
	}
	if jobs.CachedInfo().State.Msgs > 0 {
		consumer, err := jobs.Consumer(ctx, f.feeder.queue)
		if err != nil {
			return false
		}
		if info := consumer.CachedInfo(); info.NumPending > 0 || info.NumAckPending > 0 {
			return false
		}
	}
	results, err := js.Stream(ctx, streamResults)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return true
	}
	if err != nil {
		return false
	}
	last, err := results.GetLastMsgForSubject(ctx, resultSubject(f.job.ID))
	return errors.Is(err, jetstream.ErrMsgNotFound) || err == nil && last.Sequence <= f.last
}

// fetch gets results from the bucket, and returns the bucket's error.
func (f *fold) fetch(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case n := <-f.wanted:
			data, err := getPatiently(ctx, f.c.Conn.Bucket, siteKey(f.job.ID, f.sites[n]), f.c.log)
			if err != nil && !isNotFound(err) && !errors.Is(err, store.ErrTooBig) {
				return err
			}
			f.got <- object{n, data, err} // never blocks: the channel has room for every fetch
		}
	}
}
