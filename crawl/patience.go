package crawl

import (
	"sync"
	"time"
)

// patienceTime is how long a site may wait before it counts as waiting. Most
// servers answer sooner; a thousand that do not would hold up every other site.
const patienceTime = 500 * time.Millisecond

// OnWait tells when the site waits: for an answer, for its turn at a host,
// for a delay to pass. begin is called once it has waited for half a second,
// from another goroutine, and must not block; end is called before the site goes on,
// from the site's own, and may block until there is room for it again. So
// sites that hang can stand aside, and need not count among those at work.
func (s *Site) OnWait(begin, end func()) {
	s.pace.patience.begin, s.pace.patience.end = begin, end
}

// patience calls OnWait's functions.
type patience struct {
	begin, end func() // nil = nobody wants to know

	mu      sync.Mutex
	timer   *time.Timer
	waiting bool
	aside   bool // begin was called, and end was not yet
}

// wait is called before something that may take long; resume must follow.
func (p *patience) wait() {
	if p.begin == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = true
	if p.timer == nil {
		p.timer = time.AfterFunc(patienceTime, p.over)
	} else {
		p.timer.Reset(patienceTime)
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

// resume ends the wait, and blocks until there is room again if it was long.
func (p *patience) resume() {
	p.mu.Lock()
	p.timer.Stop()
	aside := p.aside
	p.waiting, p.aside = false, false
	p.mu.Unlock()
	if aside && p.end != nil {
		p.end()
	}
}
