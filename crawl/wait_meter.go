package crawl

import (
	"sync"
	"time"
)

// waitThreshold is how much longer a site may wait than work before it counts
// as waiting. Twice as much is remembered: a site that waits most of the time
// has to work for half a second before it counts as working again.
const waitThreshold = 500 * time.Millisecond

// OnWait tells when the site waits most of its time: for answers, for a host that
// another site is asking, for delays to pass; but not for Client.Rate, which holds up
// whoever comes next as well. So a caller that bounds how many
// sites are at work need not count those that hang or drip.
//
// begin is called once the site has waited for half a second longer than it has
// worked lately, however short each wait was; and at the very first connection,
// since nobody knows yet whether anything answers there. It is called from any
// goroutine and must not block. end is called once the site works most of its
// time again, or its first answer has come soon. It is called from the site's own
// goroutine, and the site goes on when it returns: it may block.
func (s *Site) OnWait(begin, end func()) {
	s.pace.meter.begin, s.pace.meter.end = begin, end
}

// waitMeter compares the time that a site waits with the time that it works, and
// calls OnWait's functions.
type waitMeter struct {
	begin, end func() // nil = nobody wants to know

	mu       sync.Mutex
	timer    *time.Timer
	waiting  bool
	answered bool          // its first request has come back
	reported bool          // begin was called, and end was not yet
	balance  time.Duration // time waited less time worked; 0 to 2*waitThreshold
	since    time.Time     // when it last began to wait, or to work
}

// beginWait is called before something that may take long; endWait must follow.
func (m *waitMeter) beginWait() {
	if m.begin == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if !m.since.IsZero() {
		m.balance = max(0, m.balance-now.Sub(m.since))
	}
	m.since, m.waiting = now, true
	switch {
	case m.reported:
	case m.timer == nil:
		m.timer = time.AfterFunc(waitThreshold-m.balance, m.report)
	default:
		m.timer.Reset(waitThreshold - m.balance)
	}
}

// pause is called within a wait, before something that all sites wait for alike; resume must
// follow. That time counts neither as work nor as a wait.
func (m *waitMeter) pause() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.timer == nil {
		return
	}
	m.timer.Stop()
	now := time.Now()
	m.balance = min(2*waitThreshold, m.balance+now.Sub(m.since))
	m.since = now
}

func (m *waitMeter) resume() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.timer == nil {
		return
	}
	m.since = time.Now()
	if !m.reported {
		m.timer.Reset(max(0, waitThreshold-m.balance))
	}
}

// connecting is called when the address to connect to is known. Until then a name
// is being looked up, and a site counts as working: so no more names are looked
// up at once than sites may work, which is as many as name servers bear.
func (m *waitMeter) connecting() {
	m.mu.Lock()
	known := m.answered
	m.mu.Unlock()
	if !known && m.begin != nil {
		m.report()
	}
}

// report calls begin, unless the wait is over by now.
func (m *waitMeter) report() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.waiting && !m.reported {
		m.reported = true
		m.begin()
	}
}

// endWait ends the wait. Where begin was called and the site works most of its
// time by now, it calls end, which may block.
func (m *waitMeter) endWait() {
	m.mu.Lock()
	if m.timer != nil {
		m.timer.Stop()
	}
	now := time.Now()
	m.balance = min(2*waitThreshold, m.balance+now.Sub(m.since))
	m.since, m.waiting, m.answered = now, false, true
	back := m.reported && m.balance <= waitThreshold
	if back {
		m.reported = false
	}
	m.mu.Unlock()
	if back && m.end != nil {
		m.end()
		m.mu.Lock()
		m.since = time.Now()
		m.mu.Unlock()
	}
}
