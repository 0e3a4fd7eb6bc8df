package crawl

import "time"

// The waiting budget of a site: twenty timeouts for the sum of all waits. Its
// answers give time back, up to the full budget. So a site may take hours if it
// delivers, but only minutes if it is slow or hangs on each of ten thousand
// sitemaps.
const (
	budgetTimeouts = 20
	answerCredit   = 5 * time.Second // for an answer with any status; lateRate bytes of a body give back a second
)

// OnStall sets end, which is called once, when the site has spent its waiting budget: 20
// timeouts, plus credit for its answers. Time that we delay it ourselves does not count. It is
// called from the site's own goroutine.
func (s *Site) OnStall(end func()) {
	full := budgetTimeouts * s.client.timeout()
	s.waitBudget = &waitBudget{left: full, full: full, end: end}
}

// waitBudget is how long a site may still keep us waiting; nil = no limit.
type waitBudget struct {
	left, full time.Duration
	end        func()
}

// spend subtracts a wait from the budget, and adds the credit for its result.
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
