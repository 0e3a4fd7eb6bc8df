package audit

import (
	"context"
	"runtime"
	"sync/atomic"

	"robots-audit/audit/internal/semaphore"
)

// Pool bounds how many sites are at work at a time, how many more may be waiting for
// their servers, and how many judge URLs. All has one of its own. Who has sites one by
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

// NewPool returns a pool for so many sites at work, and so many more that may be waiting;
// 0, and -1 for waiting, mean what they mean in Auditor.Workers and Auditor.Waiting.
func NewPool(workers, waiting int) *Pool {
	atWork := orDefault(workers, 16)
	return &Pool{
		slots: semaphore.NewSlots(atWork), begun: make(semaphore.Semaphore, atWork+max(0, orDefault(waiting, 10_000))),
		judging: make(semaphore.Semaphore, 2*runtime.GOMAXPROCS(0)), aside: waiting >= 0,
	}
}

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

// standAside lets another site work while this one waits; resume follows.
func (s *Slot) standAside() { s.slot.Release() }

// resume waits until the site may work again.
func (s *Slot) resume(ctx context.Context) { s.slot.Resume(ctx) }
