package crawl

import "time"

// What a site's answers are worth: who gives nothing for twenty timeouts, all
// waits added, is not waited for any longer, and what comes buys further time,
// to no more than that. So a site may take hours if it delivers, and
// minutes if it drips or hangs on every one of ten thousand sitemaps.
const (
	stallTimeouts = 20
	answerWorth   = 5 * time.Second // an answer, whatever its status
	// A body is worth a second for every lateRate bytes.
)

// OnStall has end called, once, when the site has kept us waiting for too long
// for what it gives. Time that we hold it back ourselves does not count. It is
// called from the site's own goroutine.
func (s *Site) OnStall(end func()) {
	most := stallTimeouts * s.client.timeout()
	s.stall = &stall{left: most, most: most, end: end}
}

// stall is the waiting that a site may still cost; nil = any.
type stall struct {
	left, most time.Duration
	end        func()
}

// waited takes note of a wait and of what came of it.
func (s *stall) waited(d, worth time.Duration) {
	if s == nil || s.left < 0 {
		return
	}
	if s.left -= d; s.left < 0 {
		s.end()
		return
	}
	s.left = min(s.most, s.left+worth)
}
