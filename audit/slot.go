package audit

import (
	"container/heap"
	"context"
	"sync/atomic"
	"time"
)

const (
	burst = 16                     // sites that may start at once after a pause
	hangs = 500 * time.Millisecond // after this time an answer is no longer expected
	never = 2 * time.Second        // after this time a site counts as one that never comes back
	learn = 64                     // number of sites from which the share of silent ones is estimated
)

// Slot is the place of one site in a [Pool]. Its methods may be called from several goroutines;
// only one at a time may resume the site.
type Slot struct {
	pool    *Pool
	number  uint64        // in the order of starts
	started time.Time     // 0 where there is no pace
	pace    time.Duration // the time until the next start that this start reserved
	granted chan struct{} // filled when the slot is granted; nil = it never had to wait
	ended   atomic.Bool
	inLoop  bool // the loop of Auditor.Site is running

	// The following fields are guarded by Pool.mu.
	held  holding
	place int  // in the queue; -1 = not waiting
	room  bool // another may start in its place: it came back, or is not expected to
	back  bool // it came back
}

// holding is what a site occupies in its pool.
type holding int

const (
	nothing holding = iota
	starting
	working
)

// Start waits until one more site may begin. The error is the cause of ctx's end. Give the slot to
// one [Auditor.Site], and release it afterwards.
func (p *Pool) Start(ctx context.Context) (*Slot, error) {
	if !p.begun.acquire(ctx) {
		return nil, context.Cause(ctx)
	}
	for p.crowded() {
		select {
		case <-p.fewer:
		case <-ctx.Done():
			p.begun.release()
			return nil, context.Cause(ctx)
		}
		if !p.crowded() {
			p.wake() // another may be waiting, and this one took the signal of fewer
		}
	}
	if !p.starting.acquire(ctx) {
		p.begun.release()
		return nil, context.Cause(ctx)
	}
	s := p.slot(starting)
	if !sleep(ctx, s.due()) {
		s.Release()
		return nil, context.Cause(ctx)
	}
	return s, nil
}

// TryStart is Start without the wait; nil = no site may begin now. Callers use it to take no site
// from a queue that would have to wait. It may start several at once; then the next Start waits
// longer.
func (p *Pool) TryStart() *Slot {
	if p.crowded() || !p.begun.tryAcquire() {
		return nil
	}
	if !p.starting.tryAcquire() {
		p.begun.release()
		return nil
	}
	s := p.slot(starting)
	s.due()
	return s
}

// slot returns the slot of the next site.
func (p *Pool) slot(held holding) *Slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.started++
	return &Slot{pool: p, number: p.started, held: held, place: -1}
}

// due returns how long a start has to wait, and reserves that time. The pace leaves time to work on
// the sites that were started. If 90 % of the sites hang, new ones start Pace/10 apart, since it is
// unknown which of them will answer.
func (s *Slot) due() time.Duration {
	p := s.pool
	if p.pace <= 0 {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	for p.roomed < len(p.out) && (p.out[p.roomed].back || now.Sub(p.out[p.roomed].started) >= hangs) {
		p.out[p.roomed].makeRoom()
		p.roomed++
	}
	for p.roomed > 0 && (p.out[0].back || now.Sub(p.out[0].started) >= never) {
		p.silent -= p.silent / learn
		if !p.out[0].back {
			p.silent += 1. / learn
		}
		p.out[0] = nil
		p.out = p.out[1:]
		p.roomed--
	}
	if earliest := now.Add(-burst * p.pace); p.next.Before(earliest) {
		p.next = earliest
	}
	s.started, s.pace = now, time.Duration((1-p.silent)*float64(p.pace))
	p.next = p.next.Add(s.pace)
	p.out = append(p.out, s)
	return p.next.Sub(now)
}

// makeRoom lets another site start in the place of this one, which came back or is not expected to.
func (s *Slot) makeRoom() {
	if !s.room {
		s.room = true
		s.pool.next = s.pool.next.Add(-s.pace)
	}
}

// crowded reports whether too many sites work, or wait to, to start another.
func (p *Pool) crowded() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.active >= p.ready
}

// resume waits until a site that stepped aside may work. Of the waiting sites, the one started
// first comes next. If ctx ends first, the site stays aside.
func (s *Slot) resume(ctx context.Context) {
	p := s.pool
	p.mu.Lock()
	p.active++
	s.back = true
	s.makeRoom()
	if p.free > 0 {
		p.free--
		s.held = working
		p.mu.Unlock()
		return
	}
	if s.granted == nil {
		s.granted = make(chan struct{}, 1)
	}
	heap.Push(&p.queue, s)
	p.mu.Unlock()
	select {
	case <-s.granted:
	case <-ctx.Done():
		p.mu.Lock()
		defer p.mu.Unlock()
		if s.place < 0 {
			<-s.granted // granted at the same time: it stays so until it is released
			return
		}
		heap.Remove(&p.queue, s.place)
		p.deactivate()
	}
}

// Release lets another site begin. Further calls do nothing.
func (s *Slot) Release() {
	if !s.ended.Swap(true) {
		s.standAside()
		s.pool.begun.release()
	}
}

// Aside calls wait, which needs no slot; meanwhile another site may work. It returns when the site
// may resume, or ctx has ended.
func (s *Slot) Aside(ctx context.Context, wait func()) {
	if s.pool.aside {
		s.standAside()
		defer s.resume(ctx)
	}
	wait()
}

// standAside lets another site work while this one waits; resume follows. It does nothing for a
// site that is already aside.
func (s *Slot) standAside() {
	p := s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	held := s.held
	s.held = nothing
	switch {
	case held == starting:
		p.starting.release()
	case held == working && len(p.queue) > 0:
		next := heap.Pop(&p.queue).(*Slot)
		next.held = working
		next.granted <- struct{}{}
		p.deactivate()
	case held == working:
		p.free++
		p.deactivate()
	}
}

// deactivate counts a site that no longer works or waits to.
func (p *Pool) deactivate() {
	if p.active--; p.active < p.ready {
		p.wake()
	}
}

// wake wakes one waiting Start.
func (p *Pool) wake() {
	select {
	case p.fewer <- struct{}{}:
	default:
	}
}

// sleep waits for a time; false = ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// slotQueue is a heap of slots in the order of their starts, for package container/heap. Each slot
// knows its position.
type slotQueue []*Slot

func (q slotQueue) Len() int           { return len(q) }
func (q slotQueue) Less(i, j int) bool { return q[i].number < q[j].number }

func (q slotQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

func (q *slotQueue) Push(x any) {
	s := x.(*Slot)
	s.place = len(*q)
	*q = append(*q, s)
}

func (q *slotQueue) Pop() any {
	last := len(*q) - 1
	s := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	s.place = -1
	return s
}
