package audit

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"robots-audit/audit/internal/semaphore"
)

// Pool bounds how many sites are at work at a time, how many more may be waiting for
// their servers, and how many judge URLs. A site is at work while it computes, or hands
// out a record; so few of them keep the processors busy, and as many are under way as
// that takes: see package semaphore. All has a pool of its own. Who has sites one by
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
// Several auditors may share a pool, and any number of goroutines.
type Pool struct {
	slots   *semaphore.Slots
	begun   semaphore.Semaphore // by all sites that have a slot, waiting or not
	judging semaphore.Semaphore
	aside   bool // a site that waits stands aside for another
}

// What a pool adds to its bounds, for each processor.
const (
	workersEach = 2                    // sites at work where nobody says how many: one may be waiting for its record to be taken
	readyEach   = 32                   // sites that have their answers and wait to be at work; then none is started
	paceEach    = 6 * time.Millisecond // from one start to the next; those that come back let others start in their place
)

// startingSites are how many sites start at a time where nobody says how many are at work.
// Each may be looking up a name, which is two questions to a name server, and some of
// those take no more than 150 at a time.
const startingSites = 64

// NewPool returns a pool for so many sites at work, and so many more that may be waiting;
// 0, and -1 for waiting, mean what they mean in Auditor.Workers and Auditor.Waiting.
func NewPool(workers, waiting int) *Pool {
	processors := runtime.GOMAXPROCS(0)
	bounds := semaphore.Bounds{
		Working: orDefault(workers, DefaultWorkers()), Starting: orDefault(workers, startingSites), Pace: paceEach / time.Duration(processors),
	}
	bounds.Ready = max(2*bounds.Working, readyEach*processors)
	most := bounds.Working + max(0, orDefault(waiting, 10_000))
	return &Pool{
		slots: semaphore.NewSlots(bounds), begun: make(semaphore.Semaphore, most), judging: make(semaphore.Semaphore, 2*processors), aside: waiting >= 0,
	}
}

// DefaultWorkers is how many sites are at work at a time where nobody says how many: two
// for each processor. More would only take memory, since a site that waits is not at work.
func DefaultWorkers() int { return workersEach * runtime.GOMAXPROCS(0) }

// Pool returns a new pool with the auditor's bounds.
func (a *Auditor) Pool() *Pool { return NewPool(a.Workers, a.Waiting) }

// Slot is the place of one site in a pool.
type Slot struct {
	pool   *Pool
	slot   *semaphore.Slot
	ended  atomic.Bool
	inLoop bool // the loop of Auditor.Site is at work
}

// Start waits until one more site may begin. The error is the cause of ctx's end. What
// it returns may be given to one [Auditor.Site], and is to be released.
func (p *Pool) Start(ctx context.Context) (*Slot, error) {
	select {
	case p.begun <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	s := &Slot{pool: p, slot: p.slots.Start(ctx)}
	if ctx.Err() != nil {
		s.Release()
		return nil, context.Cause(ctx)
	}
	return s, nil
}

// TryStart is Start without the wait; nil = no further site may begin now. So sites
// are taken from a queue some at a time, and none that would have to wait.
func (p *Pool) TryStart() *Slot {
	select {
	case p.begun <- struct{}{}:
	default:
		return nil
	}
	slot := p.slots.TryStart()
	if slot == nil {
		p.begun.Release()
		return nil
	}
	return &Slot{pool: p, slot: slot}
}

// Release lets another site begin. Further calls do nothing.
func (s *Slot) Release() {
	if !s.ended.Swap(true) {
		s.slot.Release()
		s.pool.begun.Release()
	}
}

// Aside does what needs no slot, such as a wait; meanwhile another site may work. It returns when
// the site may go on, or ctx has ended.
func (s *Slot) Aside(ctx context.Context, wait func()) {
	if s.pool.aside {
		s.standAside()
		defer s.resume(ctx)
	}
	wait()
}

// standAside lets another site work while this one waits; resume follows.
func (s *Slot) standAside() { s.slot.Release() }

// resume waits until the site may work again.
func (s *Slot) resume(ctx context.Context) { s.slot.Resume(ctx) }
