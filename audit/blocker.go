package audit

import (
	"cmp"
	"slices"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// blockingLines are the lines of a robots.txt that block pages for some crawlers, with the number
// of pages that each decides.
type blockingLines struct {
	origin   *origin // the first that serves this same file
	crawlers []int
	lines    []blockingLine
}

type blockingLine struct {
	rule  engine.Rule
	pages int64
}

// addBlockers notes the pages that each blocking line decided on an origin.
func (c *conclusion) addBlockers(o *origin, crawlers []int, counts []engine.RuleCount) {
	b := blockingLines{origin: c.fileOrigin(o), crawlers: crawlers}
	for i := range counts {
		if c := &counts[i]; !c.Rule.Allow && c.Decided > 0 {
			b.lines = append(b.lines, blockingLine{c.Rule, c.Decided})
		}
	}
	if b.lines != nil {
		c.blocking = append(c.blocking, b)
	}
}

// sameFile reports whether two origins served the same bytes.
func sameFile(a, b *origin) bool {
	return a.file.SHA256 != "" && a.file.SHA256 == b.file.SHA256 && a.file.Status == b.file.Status
}

// fileOrigin returns the first origin that serves the same file as o; o itself if there is no
// earlier one. http and https mostly serve the same file.
func (c *conclusion) fileOrigin(o *origin) *origin {
	for _, other := range c.origins[:o.index] {
		if sameFile(other, o) {
			return other
		}
	}
	return o
}

// linePlace is a line in the robots.txt of an origin, given by its index.
type linePlace struct{ origin, line int }

// blocker is the line that blocks the most pages for a crawler.
type blocker struct {
	origin *origin
	rule   engine.Rule
	pages  int64
	clicks int64 // of these pages
	lines  int   // number of lines that block pages
	all    int64 // pages blocked by lines
}

// blocker returns the line that blocks most for the i-th crawler, by clicks, then by pages. The
// home page counts even if it is not a known URL. The same line on several origins counts as one.
func (c *conclusion) blocker(i int) (b blocker) {
	pages := map[linePlace]int64{}
	add := func(o *origin, rule engine.Rule, n int64) {
		at := linePlace{o.index, rule.Line}
		pages[at] += n
		clicks := int64(0)
		if of := c.lineClicks[at]; of != nil {
			clicks = of[i]
		}
		if b.all += n; cmp.Or(cmp.Compare(clicks, b.clicks), cmp.Compare(pages[at], b.pages)) > 0 {
			b.origin, b.rule, b.pages, b.clicks = o, rule, pages[at], clicks
		}
	}
	if own := c.origins[0]; c.blocksHome(i) && !c.homeKnown && own.rootRules[i].Line > 0 {
		add(own, own.rootRules[i], 1)
	}
	for _, list := range c.blocking {
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
func (c *conclusion) leads(i int) bool { return slices.Contains(c.leading, i) }

// blocksHome reports whether the home page is blocked for the i-th crawler.
func (c *conclusion) blocksHome(i int) bool { return c.origins[0].reads[i].BlocksRoot }

// blocksMuch reports whether enough is blocked for the i-th crawler to make the site critical, if
// the crawler leads. URLs named only as a canonical do not count: perhaps no crawler is intended to
// fetch them.
func (c *conclusion) blocksMuch(i int) bool {
	part := func(n, of int64) bool { return n > 0 && float64(n) >= c.criticalShare*float64(of) }
	return part(c.done.Blocked[i]-c.canonicals[i], c.done.URLs) || part(c.blockedClicks(i), c.done.Clicks)
}

// mostBlocked returns the index of the crawler of a kind with the most blocked: first by a blocked
// home page or large share, then by clicks, then by URLs. -1 = nothing is blocked for any of them.
func (c *conclusion) mostBlocked(kind func(int) bool) int {
	effect := func(i int) [4]int64 {
		e := [4]int64{0, c.blockedClicks(i), c.done.Blocked[i], 0}
		if c.blocksHome(i) {
			e[3] = 1
		}
		if c.blocksHome(i) || c.blocksMuch(i) {
			e[0] = 1
		}
		return e
	}
	most, greatest := -1, [4]int64{}
	for i := range c.crawlers {
		if e := effect(i); kind(i) && slices.Compare(e[:], greatest[:]) > 0 {
			most, greatest = i, e
		}
	}
	return most
}

// blockedClicks are the clicks of the pages that are blocked for the i-th crawler.
func (c *conclusion) blockedClicks(i int) int64 {
	if c.done.ClicksBlocked == nil {
		return 0
	}
	return c.done.ClicksBlocked[i]
}

// indices returns the indices of all crawlers.
func (c *conclusion) indices() []int {
	list := make([]int, len(c.crawlers))
	for i := range list {
		list[i] = i
	}
	return list
}

// noteBlocked notes what the lead needs to know about a blocked page.
func (c *conclusion) noteBlocked(o *origin, u *URL) {
	blocked := func(i int) bool { return u.Verdicts[i] == engine.Disallow }
	c.blockedAlike.split(func(i, j int) bool { return blocked(i) == blocked(j) })
	c.linesAlike.split(func(i, j int) bool { return blocked(i) == blocked(j) && (!blocked(i) || u.Lines[i] == u.Lines[j]) })
	if u.Kind != crawl.KindLink && u.Kind != crawl.KindCanonical {
		for i := range c.asked {
			c.asked[i] = c.asked[i] || blocked(i)
		}
	}
	c.homeKnown = c.homeKnown || o.index == 0 && isHome(u.Loc)
}

// countBlockedClicks counts the clicks of a blocked page, in total and for the blocking line.
func (c *conclusion) countBlockedClicks(o *origin, u *URL) {
	if u.Clicks == 0 {
		return
	}
	c.done.BlockedClicks += u.Clicks
	if c.done.ClicksBlocked == nil {
		c.done.ClicksBlocked = make([]int64, len(c.crawlers))
		c.lineClicks = map[linePlace][]int64{}
	}
	file := c.fileOrigin(o).index
	for i, v := range u.Verdicts {
		if v == engine.Disallow {
			c.done.ClicksBlocked[i] += u.Clicks
			at := linePlace{file, int(u.Lines[i])}
			if c.lineClicks[at] == nil {
				c.lineClicks[at] = make([]int64, len(c.crawlers))
			}
			c.lineClicks[at][i] += u.Clicks
		}
	}
}
