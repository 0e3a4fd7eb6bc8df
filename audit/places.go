package audit

import (
	"context"
	"sync/atomic"
)

// places are those of the sites at work: a site holds one while it works, and
// leaves it to another while its server keeps it waiting. So servers that hang
// hold nobody up but themselves. Sites that begin have places of their own, as
// many: what it takes to begin those that hang is not taken from those that answer.
type places struct {
	begin, work chan struct{} // an element for each place held
	near        atomic.Int32  // sites at work, and those that wait to be
	fewer       chan struct{} // filled when near has become fewer
}

func newPlaces(n int) *places {
	return &places{begin: make(chan struct{}, n), work: make(chan struct{}, n), fewer: make(chan struct{}, 1)}
}

// turns bounds the sites that do something at a time; nil = no bound.
type turns chan struct{}

func (t turns) take() {
	if t != nil {
		t <- struct{}{}
	}
}

func (t turns) leave() {
	if t != nil {
		<-t
	}
}

// place is one site's.
type place struct {
	of   *places
	held atomic.Pointer[chan struct{}] // nil = none
}

// take waits for a place to begin a site at. None is begun while as many wait to
// go on as can be at work. Once ctx is done nobody needs one any more. One goroutine calls it.
func (ps *places) take(ctx context.Context) *place {
	p := &place{of: ps}
	for int(ps.near.Load()) >= 2*cap(ps.work) {
		select {
		case <-ps.fewer:
		case <-ctx.Done():
			return p
		}
	}
	select {
	case ps.begin <- struct{}{}:
		p.held.Store(&ps.begin)
	case <-ctx.Done():
	}
	return p
}

// enter waits for a place at work.
func (p *place) enter(ctx context.Context) {
	p.of.near.Add(1)
	select {
	case p.of.work <- struct{}{}:
		p.held.Store(&p.of.work)
	case <-ctx.Done():
		p.of.gone()
	}
}

func (p *place) leave() {
	held := p.held.Swap(nil)
	if held == nil {
		return
	}
	<-*held
	if held == &p.of.work {
		p.of.gone()
	}
}

// gone takes note that a site is neither at work nor waiting to be.
func (ps *places) gone() {
	ps.near.Add(-1)
	select {
	case ps.fewer <- struct{}{}:
	default:
	}
}
