package audit

import (
	"context"
	"sync/atomic"
)

// places are those of the sites at work: a site holds one while it works, and
// leaves it to another while its server keeps it waiting. So servers that hang
// hold nobody up but themselves.
type places chan struct{}

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
	of   places
	held atomic.Bool
}

// take waits for a place. Once ctx is done nobody needs one any more.
func (ps places) take(ctx context.Context) *place {
	p := &place{of: ps}
	p.enter(ctx)
	return p
}

func (p *place) enter(ctx context.Context) {
	select {
	case p.of <- struct{}{}:
		p.held.Store(true)
	case <-ctx.Done():
	}
}

func (p *place) leave() {
	if p.held.Swap(false) {
		<-p.of
	}
}
