package audit

import (
	"container/heap"
	"context"
	"sync/atomic"
	"time"
)

const (
	burst = 16                     // sites that may start at once where none has for a while
	hangs = 500 * time.Millisecond // after which no one counts on an answer
	never = 2 * time.Second        // after which a site is taken for one of those that never come back
	learn = 64                     // sites by which it is reckoned how many do
)

// Slot is the place of one site in a [Pool]. Its methods may be called from several
// goroutines; the site resumes by one at a time.
type Slot struct {
	pool    *Pool
	number  uint64        // in the order in which sites were started
	started time.Time     // 0 where there is no pace
	pace    time.Duration // the time that its start takes of those after it
	granted chan struct{} // filled when it is held; nil = it never had to wait
	ended   atomic.Bool
	inLoop  bool // the loop of Auditor.Site is at work

	// What follows is guarded by Pool.mu.
	held  holding
	place int  // in the queue; -1 = it does not wait
	room  bool // another may start in its place: it has come back, or is not expected to
	back  bool // it has come back
}

// holding is what a site holds.
type holding int

const (
	nothing holding = iota
	starting
	working
)

// Start waits until one more site may begin. The error is the cause of ctx's end. What
// it returns may be given to one [Auditor.Site], and is to be released.
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
			p.wake() // another may be waiting, and what has filled fewer is taken
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

// TryStart is Start without the wait; nil = no further site may begin now. So sites
// are taken from a queue some at a time, and none that would have to wait. Several may be
// started at once, for which Start waits the longer afterwards.
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

// slot returns that of a further site.
func (p *Pool) slot(held holding) *Slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.started++
	return &Slot{pool: p, number: p.started, held: held, place: -1}
}

// due returns how long a start has to wait, and reserves that time for it. The pace leaves
// time to work on the sites that were started. If 90 % of the sites hang, new ones start
// Pace/10 apart, since it is unknown which of them will answer.
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

// makeRoom lets another start in the place of one that has come back, or is not expected to.
func (s *Slot) makeRoom() {
	if !s.room {
		s.room = true
		s.pool.next = s.pool.next.Add(-s.pace)
	}
}

// crowded says whether so many sites are at work, or wait to be, that none is started.
func (p *Pool) crowded() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.active >= p.ready
}

// resume waits until a site that stood aside may be at work. Of those that wait the one that
// was started first comes next. Once ctx is done the site stays aside.
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
			<-s.granted // at the same time: it is held until it is released
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

// Aside does what needs no slot, such as a wait; meanwhile another site may work. It returns when
// the site may go on, or ctx has ended.
func (s *Slot) Aside(ctx context.Context, wait func()) {
	if s.pool.aside {
		s.standAside()
		defer s.resume(ctx)
	}
	wait()
}

// standAside lets another site work while this one waits; resume follows. A site that holds
// nothing stands aside already.
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

// deactivate counts a site that is neither at work nor waiting to be.
func (p *Pool) deactivate() {
	if p.active--; p.active < p.ready {
		p.wake()
	}
}

// wake wakes one that waits in Start.
func (p *Pool) wake() {
	select {
	case p.fewer <- struct{}{}:
	default:
	}
}

// sleep waits for a time, unless ctx ends before: then it answers false.
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

// slotQueue is a heap of slots by the order in which their sites were started, for package
// container/heap. Each knows its place.
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
