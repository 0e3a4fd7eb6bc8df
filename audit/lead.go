package audit

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// peers are the crawlers of a kind with the same blocked URLs as the i-th, including the i-th.
func (c *conclusion) peers(i int, kind func(int) bool) (list []int) {
	own := &c.origins[0].reads[i]
	for _, j := range c.blockedAlike.with(i) {
		if r := &c.origins[0].reads[j]; kind(j) && r.BlocksRoot == own.BlocksRoot && r.BlocksAll == own.BlocksAll {
			list = append(list, j)
		}
	}
	return list
}

// mostNames limits the crawlers that a sentence names.
const mostNames = 5

// names are the labels of crawlers as a list in a sentence.
func (c *conclusion) names(crawlers []int) string {
	var labels []string
	for k, i := range crawlers {
		if k == mostNames-1 && len(crawlers) > mostNames {
			labels = append(labels, wording.Thousands(len(crawlers)-k)+" more")
			break
		}
		labels = append(labels, c.crawlers[i].Label)
	}
	return wording.And(labels)
}

// intended is the question that ends a lead about lines of robots.txt.
const intended = " Is this intended?"

// blockedWords say how much is blocked for which crawlers of a kind, how much for further crawlers
// (others), and which line blocks most of it; "" = nothing is blocked for the kind.
func (c *conclusion) blockedWords(kind, others func(int) bool) string {
	i := c.mostBlocked(kind)
	if i < 0 {
		return ""
	}
	peers := c.peers(i, kind)
	what, more := c.extentWords(i)
	further, open := c.othersWords(peers, others)
	parts := []string{what + " for " + c.names(peers) + more + further}
	line, byLine := c.blockerWords(i, peers)
	if line != "" {
		parts = append(parts, line)
	}
	if len(open) > 0 {
		parts = append(parts, "nothing is blocked for "+c.names(open))
	}
	if byLine {
		parts = append(parts, strings.TrimSpace(intended))
	}
	return paragraph(parts)
}

// extentWords say how much is blocked for the i-th crawler, up to the word "blocked", and the text
// after the names of the crawlers.
func (c *conclusion) extentWords(i int) (what, more string) {
	n, all, home := c.done.Blocked[i], c.done.URLs, c.blocksHome(i)
	found := wording.Plural(all, "URL")
	part := fmt.Sprintf("%s of %s (%s)", wording.Thousands(n), found, c.shares(i))
	switch {
	case c.origins[0].reads[i].BlocksAll && all == 0:
		return "everything on this site is blocked", " (no URL was found)"
	case c.origins[0].reads[i].BlocksAll && n == all:
		return "everything on this site is blocked", " (" + found + " found)"
	case c.origins[0].reads[i].BlocksAll:
		return "everything on " + c.origins[0].name + " is blocked", ": " + part
	case home && all == 0:
		return "the home page is blocked", " (no other URL was found)"
	case home && n == 0 && all == 1:
		return "the home page, but not the only URL found, is blocked", ""
	case home && n == 0:
		return "the home page, but none of the " + found + " found, is blocked", ""
	case home && c.homeKnown && all == 1:
		return "the home page, the only URL found, is blocked", ""
	case home && c.homeKnown && n == 1:
		return "the home page is blocked", ": " + part
	case home && c.homeKnown && n == all:
		return "all " + found + " are blocked, the home page among them,", ""
	case home && c.homeKnown:
		return part + " are blocked, the home page among them,", ""
	case home && all == 1:
		return "the home page and the only URL found are blocked", ""
	case home && n == all:
		return "the home page and all " + found + " found are blocked", ""
	case home:
		return "the home page and " + part + " are blocked", ""
	case all == 1:
		return "the only URL found is blocked", ""
	case n == all:
		return "all " + found + " are blocked", ""
	}
	return part + wording.Verb(n, " is blocked", " are blocked"), ""
}

// shares are the shares of URLs, clicks and hits that are blocked for the i-th crawler: "87 %, 21 %
// of clicks, 41 % of Googlebot's requests".
func (c *conclusion) shares(i int) string {
	words := wording.Percent(c.done.Blocked[i], c.done.URLs)
	if c.done.Clicks > 0 {
		words += ", " + wording.Percent(c.blockedClicks(i), c.done.Clicks) + " of clicks"
	}
	if c.done.Hits != nil && c.done.Hits[i] > 0 {
		words += ", " + wording.Percent(c.done.HitsBlocked[i], c.done.Hits[i]) + " of " + c.crawlers[i].Label + "'s requests"
	}
	return words
}

// mostOthers limits the further groups of crawlers in the lead.
const mostOthers = 3

// othersWords say how much is blocked for further crawlers of a kind, most first: ", 1,234 for
// Bingbot"; "" = there are none. open are the crawlers with nothing blocked.
func (c *conclusion) othersWords(named []int, kind func(int) bool) (words string, open []int) {
	named = slices.Clone(named)
	for groups := 0; ; groups++ {
		kindLeft := func(i int) bool { return kind(i) && !slices.Contains(named, i) }
		i := c.mostBlocked(kindLeft)
		if i < 0 {
			return words, slices.DeleteFunc(c.indices(), func(i int) bool { return !kindLeft(i) })
		}
		if groups == mostOthers {
			n := 0
			for _, j := range c.indices() {
				if kindLeft(j) {
					n++
				}
			}
			return words + fmt.Sprintf(", as many or fewer for %s", wording.Plural(n, "other")), nil
		}
		peers := c.peers(i, kindLeft)
		words += ", " + c.amountWords(i) + " for " + c.names(peers)
		named = append(named, peers...)
	}
}

// amountWords say briefly how much is blocked for the i-th crawler.
func (c *conclusion) amountWords(i int) string {
	n := c.done.Blocked[i]
	words := wording.Thousands(n)
	if n == c.done.URLs {
		words = "all"
	}
	switch {
	case !c.blocksHome(i):
		return words
	case n == 0 || n == 1 && c.homeKnown:
		return "the home page"
	}
	return "the home page and " + words
}

// mainBlocker is the line that blocks most for the i-th crawler. n is the number of its blocked
// pages.
func (c *conclusion) mainBlocker(i int) (b blocker, n int64) {
	b, n = c.blocker(i), c.done.Blocked[i]
	own := c.origins[0]
	if c.blocksHome(i) && !c.homeKnown {
		n++ // the home page is a page, too
	}
	if own.reads[i].BlocksAll && own.rootRules[i].Line > 0 && c.done.Blocked[i] == c.done.URLs {
		b = blocker{origin: own, rule: own.rootRules[i], pages: n, lines: 1, all: n}
	}
	return b, n
}

// sameRule returns the lines if the same rule blocks all n pages for each of the peers, in the
// groups that they obey. nil = other rules do, or too many lines.
func (c *conclusion) sameRule(b blocker, n int64, peers []int) (lines []string) {
	seen := map[int]bool{}
	for _, j := range peers {
		other, _ := c.mainBlocker(j)
		if other.pages != n || other.origin != b.origin || ruleWords(other.rule) != ruleWords(b.rule) {
			return nil
		}
		seen[other.rule.Line] = true
	}
	if len(seen) > mostNames {
		return nil
	}
	for _, line := range slices.Sorted(maps.Keys(seen)) {
		lines = append(lines, strconv.Itoa(line))
	}
	return lines
}

// blockerWords say which line blocks most for the i-th crawler, and whether also for its peers.
// byLine = it is a line, not an answer.
func (c *conclusion) blockerWords(i int, peers []int) (words string, byLine bool) {
	b, n := c.mainBlocker(i)
	rest, most := n-b.all, b.pages
	if b.clicks > 0 {
		rest, most = c.blockedClicks(i)-c.clicksOfLines(i), b.clicks
	}
	if rest > 0 && rest >= most {
		return c.answerWords(i, b.all == 0), false
	}
	alike := c.linesAlike.all(peers)
	line, verb := fmt.Sprintf("line %d", b.rule.Line), " blocks "
	if lines := c.sameRule(b, n, peers); !alike && len(lines) > 1 {
		line, verb, alike = "lines "+wording.And(lines), " block ", true
	}
	line += " `" + ruleWords(b.rule) + "`"
	if b.origin.index > 0 {
		line += " of the robots.txt of " + b.origin.name
	}
	words = capitalised(line) + verb
	switch {
	case b.pages == n && c.origins[0].reads[i].BlocksAll:
		words += "it"
	case b.pages == n:
		words += wording.Verb(n, "it", "all of them")
	case b.clicks > 0:
		words += fmt.Sprintf("%s of them, with %s of their clicks", wording.Thousands(b.pages), wording.Percent(b.clicks, c.blockedClicks(i)))
	case 2*b.pages > n:
		words += fmt.Sprintf("most of them (%s)", wording.Thousands(b.pages))
	case 2*b.pages == n && b.lines == 2:
		words += wording.Thousands(b.pages) + " of them"
	case int64(b.lines)*b.pages == n && verb == " blocks ":
		words = fmt.Sprintf("%s block them, %s each. The first is %s", wording.Plural(b.lines, "line"), wording.Thousands(b.pages), line)
	default:
		words = fmt.Sprintf("%s block them. %s blocks the most (%s)", wording.Plural(b.lines, "line"), capitalised(line), wording.Thousands(b.pages))
	}
	if !alike {
		words += " for " + c.crawlers[i].Label
	}
	return words, true
}

// clicksOfLines are the clicks of the pages that lines, not answers, block for the i-th crawler.
func (c *conclusion) clicksOfLines(i int) (n int64) {
	for at, of := range c.lineClicks {
		if at.line > 0 {
			n += of[i]
		}
	}
	return n
}

// ruleWords write a rule in the usual form: "Disallow: /post*".
func ruleWords(r engine.Rule) string {
	text := r.String()
	return escape.Cut(escape.Printable(strings.ToUpper(text[:1])+text[1:]), 80)
}

// answerWords say which answer (not a line) blocks all or most URLs for the i-th crawler.
func (c *conclusion) answerWords(i int, all bool) string {
	var most *origin
	for _, o := range c.origins {
		if i < len(o.reads) && o.reads[i].Access == engine.DisallowAll && (most == nil || o.pages > most.pages) {
			most = o
		}
	}
	if most == nil {
		return ""
	}
	where, what := "", "They"
	if most.index > 0 {
		where = " of " + most.name
	}
	if !all {
		what = "Most of them"
	}
	return fmt.Sprintf("%s are blocked by the answer to the request for robots.txt%s: %s", what, where, most.reads[i].Why)
}
