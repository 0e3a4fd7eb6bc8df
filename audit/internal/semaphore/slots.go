package semaphore

import (
	"container/heap"
	"context"
	"sync"
	"time"
)

// Bounds are those of Slots. Working and Starting are 1 or more.
type Bounds struct {
	Working  int           // sites at work at a time
	Starting int           // sites that start, at a time
	Ready    int           // none is started while so many are at work or wait to go on
	Pace     time.Duration // from one start to the next, those left aside that are in the place of one that came back; less where many never do; 0 = none
}

const (
	burst = 16                     // sites that may start at once where none has for a while
	hangs = 500 * time.Millisecond // after which nobody counts on an answer
	never = 2 * time.Second        // after which a site is taken for one of those that never come back
	learn = 64                     // sites by which it is reckoned how many do
)

// Slots are those of the sites at work and of those that start; [NewSlots]
// makes them.
type Slots struct {
	Bounds
	starting Semaphore

	mu     sync.Mutex
	free   int       // slots at work that nobody has
	queue  queue     // sites that wait to go on
	active int       // sites that hold a slot at work or wait for one
	begun  uint64    // sites so far
	next   time.Time // when the next site may start
	out    []*Slot   // that were started within never, in order
	roomed int       // of out, those at its beginning in whose place another may start
	silent float64   // the share of the last sites that have not come back within never

	fewer chan struct{} // filled when active has become smaller
}

// NewSlots returns slots within some bounds.
func NewSlots(b Bounds) *Slots {
	return &Slots{Bounds: b, starting: make(Semaphore, b.Starting), free: b.Working, fewer: make(chan struct{}, 1)}
}

// Slot is one site's. Its methods may be called from several goroutines; the
// site acquires it by one at a time.
type Slot struct {
	of      *Slots
	number  uint64        // in the order in which sites were started
	started time.Time     // 0 where there is no pace
	pace    time.Duration // the time that its start takes of those after it
	granted chan struct{} // filled when it has come to be held; nil = it never had to wait

	// What follows is guarded by Slots.mu.
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

// Start waits for a slot to start a site in: until fewer are at work or wait to go on
// than Bounds.Ready, and the one before was started Bounds.Pace ago, or one that was started
// has come back since, or has not for so long that it is in nobody's way. Once ctx is done
// it returns a slot that holds nothing.
func (s *Slots) Start(ctx context.Context) *Slot {
	for s.crowded() {
		select {
		case <-s.fewer:
		case <-ctx.Done():
			return s.slot(nothing)
		}
		if !s.crowded() {
			s.tell() // another may be waiting, and what has filled fewer is taken
		}
	}
	select {
	case s.starting <- struct{}{}:
	case <-ctx.Done():
		return s.slot(nothing)
	}
	slot := s.slot(starting)
	if !sleep(ctx, slot.due()) {
		slot.Release()
	}
	return slot
}

// TryStart is Start without the wait; nil = there is no slot now. So several may be
// started at once, for which Start waits the longer afterwards.
func (s *Slots) TryStart() *Slot {
	if s.crowded() {
		return nil
	}
	select {
	case s.starting <- struct{}{}:
	default:
		return nil
	}
	slot := s.slot(starting)
	slot.due()
	return slot
}

// slot returns that of a further site.
func (s *Slots) slot(held holding) *Slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun++
	return &Slot{of: s, number: s.begun, held: held, place: -1}
}

// due returns how long a start has to wait for its time, which is nobody else's then. There is
// a pace because those that were started are to be worked on. Where nine of ten never come back
// a start takes a tenth of it: nobody knows before which of them will.
func (s *Slot) due() time.Duration {
	of := s.of
	if of.Pace <= 0 {
		return 0
	}
	of.mu.Lock()
	defer of.mu.Unlock()
	now := time.Now()
	for of.roomed < len(of.out) && (of.out[of.roomed].back || now.Sub(of.out[of.roomed].started) >= hangs) {
		of.out[of.roomed].makeRoom()
		of.roomed++
	}
	for of.roomed > 0 && (of.out[0].back || now.Sub(of.out[0].started) >= never) {
		of.silent -= of.silent / learn
		if !of.out[0].back {
			of.silent += 1. / learn
		}
		of.out[0] = nil
		of.out = of.out[1:]
		of.roomed--
	}
	if earliest := now.Add(-burst * of.Pace); of.next.Before(earliest) {
		of.next = earliest
	}
	s.started, s.pace = now, time.Duration((1-of.silent)*float64(of.Pace))
	of.next = of.next.Add(s.pace)
	of.out = append(of.out, s)
	return of.next.Sub(now)
}

// makeRoom lets another start in the place of one that has come back, or is not expected to.
func (s *Slot) makeRoom() {
	if !s.room {
		s.room = true
		s.of.next = s.of.next.Add(-s.pace)
	}
}

// crowded says whether so many sites are at work, or wait to be, that none is started.
func (s *Slots) crowded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active >= s.Ready
}

// Resume waits for a slot at work, for a site that has released the one it had. Of those
// that wait the one that was started first has the next. Once ctx is done the slot stays
// released.
func (s *Slot) Resume(ctx context.Context) {
	of := s.of
	of.mu.Lock()
	of.active++
	s.back = true
	s.makeRoom()
	if of.free > 0 {
		of.free--
		s.held = working
		of.mu.Unlock()
		return
	}
	if s.granted == nil {
		s.granted = make(chan struct{}, 1)
	}
	heap.Push(&of.queue, s)
	of.mu.Unlock()
	select {
	case <-s.granted:
	case <-ctx.Done():
		of.mu.Lock()
		defer of.mu.Unlock()
		if s.place < 0 {
			<-s.granted // at the same time: it is held until it is released
			return
		}
		heap.Remove(&of.queue, s.place)
		of.deactivate()
	}
}

// Release lets another site have the slot. Where none is held it does nothing.
func (s *Slot) Release() {
	of := s.of
	of.mu.Lock()
	defer of.mu.Unlock()
	held := s.held
	s.held = nothing
	switch {
	case held == starting:
		of.starting.Release()
	case held == working && len(of.queue) > 0:
		next := heap.Pop(&of.queue).(*Slot)
		next.held = working
		next.granted <- struct{}{}
		of.deactivate()
	case held == working:
		of.free++
		of.deactivate()
	}
}

// deactivate counts a site that is neither at work nor waiting to be.
func (s *Slots) deactivate() {
	if s.active--; s.active < s.Ready {
		s.tell()
	}
}

// tell wakes one that waits in Start.
func (s *Slots) tell() {
	select {
	case s.fewer <- struct{}{}:
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
