package audit

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// Pool bounds how many sites are at work at a time, how many more may be waiting for
// their servers, and how many judge URLs. All has a pool of its own. Who has sites one by
// one, as from a queue, takes a slot for each and hands it to [Auditor.Site]:
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
// Several auditors may share a pool, and any number of goroutines. It starts none.
//
// A site spends most of its time waiting for its server, be it a third of a second or
// minutes. So it is at work only while it computes or hands out a record: it stands aside
// before each wait, and resumes before it goes on. A few sites at work for each processor
// are enough for any number, and a server that hangs keeps no one else waiting.
//
// What is begun is to end soon, since a site in work holds what it has read: of those that
// wait to go on the one that was started first comes first, and no further site is started
// while many wait to go on. Nor are all sites of a list started before the first has its
// answer, though it would be possible: a few are, and then others in the place of those that
// have come back, or have not for so long that their servers are taken to hang. So as many
// are under way as it takes to keep the processors busy, which grows with the time that
// servers take, and with nothing else.
type Pool struct {
	poolBounds
	begun    semaphore // by all sites that have a slot, waiting or not
	starting semaphore // a name is looked up then, and name servers bear only so many questions at once
	judging  semaphore

	mu      sync.Mutex
	free    int       // sites that may be at work besides those that are
	queue   slotQueue // sites that wait to go on
	active  int       // sites at work, or waiting to be
	started uint64    // sites so far
	next    time.Time // when the next site may start
	out     []*Slot   // that were started within never, in order
	roomed  int       // of out, those at its beginning in whose place another may start
	silent  float64   // the share of the last sites that have not come back within never

	fewer chan struct{} // filled when active has become smaller
}

// poolBounds are those of a pool. sites, working and starts are 1 or more.
type poolBounds struct {
	sites   int           // that have a slot, at a time
	working int           // sites at work at a time
	starts  int           // sites that start, at a time
	ready   int           // none is started while so many are at work or wait to go on
	pace    time.Duration // from one start to the next, those left aside that are in the place of one that came back; less where many never do; 0 = none
	aside   bool          // a site that waits stands aside for another
}

// What a pool adds to its bounds, for each processor.
const (
	workersEach = 2                    // sites at work if no number is given: one may be waiting for its record to be taken
	readyEach   = 32                   // sites that have their answers and wait to be at work; then none is started
	paceEach    = 6 * time.Millisecond // from one start to the next; those that come back let others start in their place
)

// startingSites are how many sites start at a time if no number is given.
// Each may be looking up a name, which is two questions to a name server, and some of
// those take no more than 150 at a time.
const startingSites = 64

// NewPool returns a pool for so many sites at work, and so many more that may be waiting;
// 0, and -1 for waiting, mean what they mean in Auditor.Workers and Auditor.Waiting.
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

// DefaultWorkers is how many sites are at work at a time if no number is given: two
// for each processor. More would only take memory, since a site that waits is not at work.
func DefaultWorkers() int { return workersEach * runtime.GOMAXPROCS(0) }

// Pool returns a new pool with the auditor's bounds.
func (a *Auditor) Pool() *Pool { return NewPool(a.Workers, a.Waiting) }

// semaphore is held by as many at a time as its capacity. A nil one bounds nothing.
type semaphore chan struct{}

// acquire waits until fewer hold the semaphore than may; false = ctx was done first.
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

// release lets another hold it. Each acquire that was true is followed by one release.
func (s semaphore) release() {
	if s != nil {
		<-s
	}
}
