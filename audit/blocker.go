package audit

import (
	"cmp"
	"slices"

	"robots-audit/engine"
)

// blockingLines are the lines of a robots.txt that block pages for some crawlers,
// and how many pages each decides.
type blockingLines struct {
	origin   *origin // the first that serves this very file
	crawlers []int
	lines    []blockingLine
}

type blockingLine struct {
	rule  engine.Rule
	pages int64
}

// addBlockers notes what the lines that block did on an origin.
func (s *site) addBlockers(o *origin, crawlers []int, counts []engine.RuleCount) {
	b := blockingLines{origin: s.fileOrigin(o), crawlers: crawlers}
	for i := range counts {
		if c := &counts[i]; !c.Rule.Allow && c.Decided > 0 {
			b.lines = append(b.lines, blockingLine{c.Rule, c.Decided})
		}
	}
	if b.lines != nil {
		s.blocking = append(s.blocking, b)
	}
}

// sameFile reports whether two origins have served the very same bytes.
func sameFile(a, b *origin) bool {
	return a.file.SHA256 != "" && a.file.SHA256 == b.file.SHA256 && a.file.Status == b.file.Status
}

// fileOrigin returns the first origin that serves the very file that o does, which is
// o itself where none before it does: http and https mostly serve the same.
func (s *site) fileOrigin(o *origin) *origin {
	for _, other := range s.origins[:o.index] {
		if sameFile(other, o) {
			return other
		}
	}
	return o
}

// linePlace is a line of the robots.txt of the origin with an index.
type linePlace struct{ origin, line int }

// blocker is the line that blocks most of what is blocked for a crawler.
type blocker struct {
	origin *origin
	rule   engine.Rule
	pages  int64
	clicks int64 // of them
	lines  int   // that block any
	all    int64 // pages that lines block
}

// blocker finds the line that blocks most for the i-th crawler, by clicks and then by pages, be
// it pages that are known or the home page that is not. The very same line on several origins is one.
func (s *site) blocker(i int) (b blocker) {
	pages := map[linePlace]int64{}
	add := func(o *origin, rule engine.Rule, n int64) {
		at := linePlace{o.index, rule.Line}
		pages[at] += n
		clicks := int64(0)
		if of := s.lineClicks[at]; of != nil {
			clicks = of[i]
		}
		if b.all += n; cmp.Or(cmp.Compare(clicks, b.clicks), cmp.Compare(pages[at], b.pages)) > 0 {
			b.origin, b.rule, b.pages, b.clicks = o, rule, pages[at], clicks
		}
	}
	if own := s.origins[0]; s.blocksHome(i) && !s.homeKnown && own.rootRules[i].Line > 0 {
		add(own, own.rootRules[i], 1)
	}
	for _, list := range s.blocking {
		if slices.Contains(list.crawlers, i) {
			for _, l := range list.lines {
				add(list.origin, l.rule, l.pages)
			}
		}
	}
	b.lines = len(pages)
	return b
}

// leads reports whether the i-th crawler is one of Leading.
func (s *site) leads(i int) bool { return slices.Contains(s.leading, i) }

// blocksHome reports whether the home page is blocked for the i-th crawler.
func (s *site) blocksHome(i int) bool { return s.origins[0].reads[i].BlocksRoot }

// blocksMuch reports whether so much is blocked for the i-th crawler that the site
// is critical where the crawler leads. What nothing but a page's canonical names may be meant
// for no crawler, and does not count.
func (s *site) blocksMuch(i int) bool {
	share := s.auditor.CriticalShare
	if share == 0 {
		share = 0.5
	}
	part := func(n, of int64) bool { return n > 0 && float64(n) >= share*float64(of) }
	return part(s.done.Blocked[i]-s.canonicals[i], s.done.URLs) || part(s.blockedClicks(i), s.done.Clicks)
}

// mostBlocked returns the index of the crawler of a kind for which most is blocked:
// the home page or a large part before all else, then by clicks, then by URLs;
// -1 = nothing is blocked for any.
func (s *site) mostBlocked(kind func(int) bool) int {
	effect := func(i int) [4]int64 {
		e := [4]int64{0, s.blockedClicks(i), s.done.Blocked[i], 0}
		if s.blocksHome(i) {
			e[3] = 1
		}
		if s.blocksHome(i) || s.blocksMuch(i) {
			e[0] = 1
		}
		return e
	}
	most, greatest := -1, [4]int64{}
	for i := range s.auditor.Crawlers {
		if e := effect(i); kind(i) && slices.Compare(e[:], greatest[:]) > 0 {
			most, greatest = i, e
		}
	}
	return most
}

// blockedClicks are the clicks of the pages that are blocked for the i-th crawler.
func (s *site) blockedClicks(i int) int64 {
	if s.done.ClicksBlocked == nil {
		return 0
	}
	return s.done.ClicksBlocked[i]
}

// indices are those of the crawlers.
func (s *site) indices() []int {
	list := make([]int, len(s.auditor.Crawlers))
	for i := range list {
		list[i] = i
	}
	return list
}
