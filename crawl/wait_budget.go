package crawl

import "time"

// The budget of waiting that a site has: twenty timeouts, all waits added. What
// it answers gives time back, up to the full budget. So a site may take hours if
// it delivers, and minutes if it drips or hangs on each of ten thousand sitemaps.
const (
	budgetTimeouts = 20
	answerCredit   = 5 * time.Second // for an answer, whatever its status; lateRate bytes of a body give back a second
)

// OnStall has end called, once, when the site has spent its budget of waiting: 20
// timeouts, to which its answers add. Time that we hold it back ourselves does not count. It is
// called from the site's own goroutine.
func (s *Site) OnStall(end func()) {
	full := budgetTimeouts * s.client.timeout()
	s.waitBudget = &waitBudget{left: full, full: full, end: end}
}

// waitBudget is how long a site may still keep us waiting; nil = as long as it likes.
type waitBudget struct {
	left, full time.Duration
	end        func()
}

// spend takes a wait off the budget, and gives back what came of it.
func (b *waitBudget) spend(d, credit time.Duration) {
	if b == nil || b.left < 0 {
		return
	}
	if b.left -= d; b.left < 0 {
		b.end()
		return
	}
	b.left = min(b.full, b.left+credit)
}
