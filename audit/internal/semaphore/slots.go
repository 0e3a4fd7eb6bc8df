package semaphore

import (
	"context"
	"sync/atomic"
)

// Slots are those of the sites at work and of those that start; [NewSlots]
// makes them.
type Slots struct {
	starting, working Semaphore
	active            atomic.Int32  // sites that hold a working slot or wait for one
	fewer             chan struct{} // filled when active has become smaller
}

// NewSlots returns n slots for sites at work, and n for sites that start.
func NewSlots(n int) *Slots {
	return &Slots{starting: make(Semaphore, n), working: make(Semaphore, n), fewer: make(chan struct{}, 1)}
}

// Slot is one site's. Its methods may be called from several goroutines; the
// site acquires it by one at a time.
type Slot struct {
	of   *Slots
	held atomic.Pointer[Semaphore] // nil = none
}

// Start waits for a slot to start a site in. None is started while twice as many
// sites are at work or wait to go on as can be at work. Once ctx is done it
// returns a slot that holds nothing.
func (s *Slots) Start(ctx context.Context) *Slot {
	slot := &Slot{of: s}
	for s.crowded() {
		select {
		case <-s.fewer:
		case <-ctx.Done():
			return slot
		}
		if !s.crowded() {
			s.tell() // another may be waiting, and what has filled fewer is taken
		}
	}
	select {
	case s.starting <- struct{}{}:
		slot.held.Store(&s.starting)
	case <-ctx.Done():
	}
	return slot
}

// TryStart is Start without the wait; nil = there is no slot now.
func (s *Slots) TryStart() *Slot {
	if s.crowded() {
		return nil
	}
	select {
	case s.starting <- struct{}{}:
	default:
		return nil
	}
	slot := &Slot{of: s}
	slot.held.Store(&s.starting)
	return slot
}

// crowded says whether so many sites are at work, or wait to be, that none is started.
func (s *Slots) crowded() bool { return int(s.active.Load()) >= 2*cap(s.working) }

// Resume waits for a slot at work, for a site that has released the one it had.
// Once ctx is done the slot stays released.
func (s *Slot) Resume(ctx context.Context) {
	s.of.active.Add(1)
	select {
	case s.of.working <- struct{}{}:
		s.held.Store(&s.of.working)
	case <-ctx.Done():
		s.of.deactivate()
	}
}

// Release lets another site have the slot. Where none is held it does nothing.
func (s *Slot) Release() {
	held := s.held.Swap(nil)
	if held == nil {
		return
	}
	held.Release()
	if held == &s.of.working {
		s.of.deactivate()
	}
}

// deactivate counts a site that is neither at work nor waiting to be.
func (s *Slots) deactivate() {
	s.active.Add(-1)
	s.tell()
}

// tell wakes one that waits in Start.
func (s *Slots) tell() {
	select {
	case s.fewer <- struct{}{}:
	default:
	}
}
