package audit

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Pool bounds how many sites work at a time, how many more may wait for their servers, and how many
// judge URLs. All has its own pool. A caller that gets sites one by one, as from a queue, takes a
// slot for each and passes it to [Auditor.Site]:
//
//	slot, err := pool.Start(ctx)
//	if err != nil {
//		return err
//	}
//	go func() {
//		defer slot.Release()
//		for rec := range auditor.Site(ctx, slot, domain, ordinal) {
//			…
//		}
//	}()
//
// Several auditors, and any number of goroutines, may share a pool. It starts no goroutine.
//
// A site spends most of its time waiting for its server. So it counts as working only while it
// computes or sends a record: it steps aside before each wait, and resumes afterwards. A few
// working sites per processor are enough for any number of sites, and a server that hangs does not
// delay other sites.
//
// Started sites should finish soon, because they occupy memory. Among the sites that wait to
// resume, the one started first comes first, and no site starts while many wait. The pool also does
// not start all sites at once. It starts a few, then others in place of those that have their
// answer, or whose servers seem to hang. So the number of sites under way is just enough to keep
// the processors busy, and grows only with the response times of servers.
type Pool struct {
	poolBounds
	begun    semaphore // one for each site with a slot, waiting or not
	starting semaphore // limits the name lookups at the start, because name servers accept only so many queries at once
	judging  semaphore

	mu      sync.Mutex
	free    int       // number of additional sites that may work now
	queue   slotQueue // sites that wait to resume
	active  int       // sites that work or wait to
	started uint64    // sites so far
	next    time.Time // when the next site may start
	out     []*Slot   // slots started within the last never, in order
	roomed  int       // number of slots at the beginning of out that made room for another
	silent  float64   // share of the last sites that did not come back within never

	fewer chan struct{} // filled when active decreases
}

// poolBounds are those of a pool. sites, working and starts are 1 or more.
type poolBounds struct {
	sites   int           // slots at a time
	working int           // sites at work at a time
	starts  int           // sites that start, at a time
	ready   int           // no site starts while so many work or wait to resume
	pace    time.Duration // time between starts, except starts in place of a site that came back; shorter if many sites hang; 0 = none
	aside   bool          // a waiting site steps aside for another
}

// Bounds of a pool for each processor.
const (
	workersEach = 2                    // default number of working sites: one of the two may wait until its record is taken
	readyEach   = 32                   // no site starts while so many have their answers and wait to work
	paceEach    = 6 * time.Millisecond // time between starts; sites that come back let others start in their place
)

// startingSites is the default number of sites that start at a time. Each may look up a name, with
// two queries to a name server, and some servers accept no more than 150 at a time.
const startingSites = 64

// NewPool returns a pool for a number of working sites, and a number of additional waiting ones. 0,
// and -1 for waiting, have the same meaning as in Auditor.Workers and Auditor.Waiting.
func NewPool(workers, waiting int) *Pool {
	processors := runtime.GOMAXPROCS(0)
	working := orDefault(workers, DefaultWorkers())
	p := newPool(poolBounds{
		sites: working + max(0, orDefault(waiting, 10_000)), working: working, starts: orDefault(workers, startingSites),
		ready: max(2*working, readyEach*processors), pace: paceEach / time.Duration(processors), aside: waiting >= 0,
	})
	p.judging = make(semaphore, 2*processors)
	return p
}

func newPool(b poolBounds) *Pool {
	return &Pool{
		poolBounds: b, begun: make(semaphore, b.sites), starting: make(semaphore, b.starts), free: b.working, fewer: make(chan struct{}, 1),
	}
}

// DefaultWorkers is the default number of working sites: two for each processor. More would only
// use memory, since a waiting site does not count as working.
func DefaultWorkers() int { return workersEach * runtime.GOMAXPROCS(0) }

// Pool returns a new pool with the auditor's bounds.
func (a *Auditor) Pool() *Pool { return NewPool(a.Workers, a.Waiting) }

// semaphore admits as many users at a time as its capacity. nil = no bound.
type semaphore chan struct{}

// acquire waits for a free place in the semaphore; false = ctx was done first.
func (s semaphore) acquire(ctx context.Context) bool {
	if s == nil {
		return true
	}
	select {
	case s <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// tryAcquire is acquire without the wait.
func (s semaphore) tryAcquire() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

// release frees a place. Call it once for each acquire that returned true.
func (s semaphore) release() {
	if s != nil {
		<-s
	}
}

// jobsAhead is how many jobs per core may be finished or running early, so that a long job does not
// block the others.
const jobsAhead = 4

// InOrder runs jobs in parallel, one per core, and yields the results of work in the order of the
// jobs. So the outcome is the same as without parallelism. Jobs must not share data that they
// change. The goroutine that ranges over the result also pulls the jobs; other goroutines call
// work. At most (1 + jobsAhead) × GOMAXPROCS jobs are pulled but not yet yielded. Leaving the loop
// waits for the running jobs.
func InOrder[Job, Result any](jobs iter.Seq[Job], work func(Job) Result) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		workers := runtime.GOMAXPROCS(0)
		var group errgroup.Group
		group.SetLimit(workers)
		defer group.Wait() // no job returns an error
		var waiting []chan Result
		for job := range jobs {
			result := make(chan Result, 1)
			group.Go(func() error { // waits while all workers are busy
				result <- work(job)
				return nil
			})
			waiting = append(waiting, result)
			for len(waiting) > 0 && (len(waiting) > jobsAhead*workers || len(waiting[0]) > 0) {
				if !yield(<-waiting[0]) {
					return
				}
				waiting = waiting[1:]
			}
		}
		for _, result := range waiting {
			if !yield(<-result) {
				return
			}
		}
	}
}
