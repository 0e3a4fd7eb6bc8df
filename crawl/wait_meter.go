package crawl

import (
	"sync"
	"time"
)

// OnWait tells when the site waits: for an answer or a piece of one, for a host that
// another site is asking, for delays to pass; but not for Client.Rate, which holds up
// whoever comes next as well. So a caller can bound how many sites compute at a time,
// and not count those that wait, however short or long.
//
// begin is called when a wait begins. It is called from any goroutine and must not
// block. end is called when that wait is over. It is called from the site's own
// goroutine, and the site goes on when it returns: it may block.
//
// The first request of a site is another matter, since the site's name is looked up for
// it, and only so many are at a time: a caller may want to have no more sites begun. Its
// wait begins with the first connection, or after half a second, so that a name server
// which hangs holds nobody up.
func (s *Site) OnWait(begin, end func()) {
	s.pace.meter.begin, s.pace.meter.end = begin, end
}

// slowLookup is how long the lookup of a name counts as one of those that may be under way.
const slowLookup = 500 * time.Millisecond

// waitMeter calls OnWait's functions.
type waitMeter struct {
	begin, end func() // nil = nobody wants to know

	mu      sync.Mutex
	timer   *time.Timer // of the first wait
	waiting bool
	known   bool // its first request has come back
	aside   bool // begin was called, and end was not yet
}

// beginWait is called before something that may take long; endWait must follow.
func (m *waitMeter) beginWait() {
	if m.begin == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waiting = true
	m.waitOn()
}

// waitOn begins the wait, or sees to it that the first one begins in time.
func (m *waitMeter) waitOn() {
	switch {
	case m.known:
		m.stand()
	case m.timer == nil:
		m.timer = time.AfterFunc(slowLookup, m.report)
	default:
		m.timer.Reset(slowLookup)
	}
}

// stand calls begin, once a wait.
func (m *waitMeter) stand() {
	if !m.aside {
		m.aside = true
		m.begin()
	}
}

// report begins the first wait, unless it is over by now.
func (m *waitMeter) report() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.waiting {
		m.stand()
	}
}

// connecting is called when the address to connect to is known. Until then the name
// of the site is being looked up.
func (m *waitMeter) connecting() {
	if m.begin != nil {
		m.report()
	}
}

// pause is called within a wait, before something that all sites wait for alike; resume must
// follow. The wait is over until then.
func (m *waitMeter) pause() {
	if m.begin != nil {
		m.back(false)
	}
}

func (m *waitMeter) resume() {
	if m.begin == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waiting = true
	m.waitOn()
}

// endWait ends the wait. Where begin was called, it calls end, which may block.
func (m *waitMeter) endWait() { m.back(true) }

// back is endWait and pause; after the first of the former the site is known.
func (m *waitMeter) back(known bool) {
	m.mu.Lock()
	if m.timer != nil {
		m.timer.Stop()
	}
	aside := m.aside
	m.waiting, m.aside, m.known = false, false, m.known || known
	m.mu.Unlock()
	if aside && m.end != nil {
		m.end()
	}
}
