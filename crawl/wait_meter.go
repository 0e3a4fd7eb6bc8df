package crawl

import (
	"sync"
	"time"
)

// OnWait reports when the site waits: for an answer or a part of it, for a host that
// another site is asking, or for delays. It does not report waits for Client.Rate, which
// delay every other site too. So a caller can limit how many sites compute at a time,
// without counting those that wait.
//
// begin is called when a wait begins. It is called from any goroutine and must not
// block. end is called when that wait is over. It is called from the site's own
// goroutine and may block: the site continues when it returns.
//
// The first request of a site is different, since it needs a name lookup, and the number
// of lookups is limited. So a caller may want to start no more sites. Its wait begins
// with the first connection, or after half a second, so that a name server that hangs
// delays no other site.
func (s *Site) OnWait(begin, end func()) {
	s.pace.meter.begin, s.pace.meter.end = begin, end
}

// slowLookup is how long a name lookup counts towards the limit of concurrent lookups.
const slowLookup = 500 * time.Millisecond

// waitMeter calls OnWait's functions.
type waitMeter struct {
	begin, end func() // may be nil

	mu      sync.Mutex
	timer   *time.Timer // of the first wait
	waiting bool
	known   bool // its first request has finished
	aside   bool // begin was called, and end was not yet
}

// beginWait is called before something slow; endWait must follow.
func (m *waitMeter) beginWait() {
	if m.begin == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waiting = true
	m.waitOn()
}

// waitOn begins the wait, or sets the timer for the first one.
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

// stand calls begin, once per wait.
func (m *waitMeter) stand() {
	if !m.aside {
		m.aside = true
		m.begin()
	}
}

// report begins the first wait, unless it is already over.
func (m *waitMeter) report() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.waiting {
		m.stand()
	}
}

// connecting is called when the address to connect to is known. Before that, the
// name of the site is being looked up.
func (m *waitMeter) connecting() {
	if m.begin != nil {
		m.report()
	}
}

// pause is called within a wait, before a wait that is common to all sites; resume must
// follow. In between, the site does not count as waiting.
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

// endWait ends the wait. If begin was called, it calls end, which may block.
func (m *waitMeter) endWait() { m.back(true) }

// back is the common part of endWait and pause; after the first endWait the
// site is known.
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
