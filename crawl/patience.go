package crawl

import (
	"sync"
	"time"
)

// patienceTime is how much longer a site may wait than work before it counts
// as waiting. Twice as much is remembered: who waits most of the time has to work for half
// a second before it counts as working again.
const patienceTime = 500 * time.Millisecond

// OnWait tells when the site waits most of its time: for answers, for its turn at a host,
// for delays to pass. begin is called once it has waited for half a second longer
// than it has worked lately, however short each wait was; and at the very first
// connection, since nobody knows yet whether anything answers there. It is called
// from any goroutine and must not block. end is called once the site works most of its time, or its
// first answer has come soon, before it goes on; from the site's own goroutine, and
// it may block until there is room. So sites that hang or drip can stand
// aside, and need not count among those at work.
func (s *Site) OnWait(begin, end func()) {
	s.pace.patience.begin, s.pace.patience.end = begin, end
}

// patience calls OnWait's functions.
type patience struct {
	begin, end func() // nil = nobody wants to know

	mu      sync.Mutex
	timer   *time.Timer
	waiting bool
	known   bool          // its first request has come back
	aside   bool          // begin was called, and end was not yet
	balance time.Duration // time waited less time worked; 0 to 2*patienceTime
	since   time.Time     // when it last began to wait, or to work
}

// wait is called before something that may take long; resume must follow.
func (p *patience) wait() {
	if p.begin == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if !p.since.IsZero() {
		p.balance = max(0, p.balance-now.Sub(p.since))
	}
	p.since, p.waiting = now, true
	switch {
	case p.aside:
	case p.timer == nil:
		p.timer = time.AfterFunc(patienceTime-p.balance, p.over)
	default:
		p.timer.Reset(patienceTime - p.balance)
	}
}

// connecting is called when the address is known that is connected to. Until then,
// names are being looked up, which name servers bear of a few at a time only.
func (p *patience) connecting() {
	p.mu.Lock()
	known := p.known
	p.mu.Unlock()
	if !known && p.begin != nil {
		p.over()
	}
}

func (p *patience) over() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting && !p.aside {
		p.aside = true
		p.begin()
	}
}

// resume ends the wait. Where the site stood aside and works most of its time
// by now, it blocks until there is room again.
func (p *patience) resume() {
	p.mu.Lock()
	if p.timer != nil {
		p.timer.Stop()
	}
	now := time.Now()
	p.balance = min(2*patienceTime, p.balance+now.Sub(p.since))
	p.since, p.waiting, p.known = now, false, true
	back := p.aside && p.balance <= patienceTime
	if back {
		p.aside = false
	}
	p.mu.Unlock()
	if back && p.end != nil {
		p.end()
		p.mu.Lock()
		p.since = time.Now()
		p.mu.Unlock()
	}
}
