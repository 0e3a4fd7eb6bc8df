package audit

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// peers are the crawlers of a kind for which just what is blocked that is blocked for
// the i-th, itself among them.
func (c *conclusion) peers(i int, kind func(int) bool) (list []int) {
	own := &c.origins[0].reads[i]
	for _, j := range c.blockedAlike.with(i) {
		if r := &c.origins[0].reads[j]; kind(j) && r.BlocksRoot == own.BlocksRoot && r.BlocksAll == own.BlocksAll {
			list = append(list, j)
		}
	}
	return list
}

// mostNames bounds the crawlers that a sentence names side by side.
const mostNames = 5

// names are the labels of crawlers, as a sentence has them.
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

// blockedWords say what most crawlers of a kind may not crawl, how much it is for
// those of whom the reader may want to know beside them, and by which line; "" =
// there is nothing that crawlers of the kind may not crawl.
func (c *conclusion) blockedWords(kind, beside func(int) bool) string {
	i := c.mostBlocked(kind)
	if i < 0 {
		return ""
	}
	peers := c.peers(i, kind)
	words := c.names(peers) + " may not crawl " + c.extentWords(i)
	if others := c.othersWords(peers, beside); others != "" {
		words += "; " + others
	}
	if line := c.blockerWords(i, peers); line != "" {
		words += ". " + line
	}
	return words
}

// extentWords say what is blocked for the i-th crawler, the home page first.
func (c *conclusion) extentWords(i int) string {
	n, all, home := c.done.Blocked[i], c.done.URLs, c.blocksHome(i)
	part := fmt.Sprintf("%s of %s (%s)", wording.Thousands(n), wording.Known(all), c.shares(i))
	if n == all {
		part = "all " + wording.Known(all)
	}
	switch {
	case c.origins[0].reads[i].BlocksAll && all == 0:
		return "anything on this site (no URL of it is known)"
	case c.origins[0].reads[i].BlocksAll && n == all:
		return "anything on this site (" + wording.Known(all) + ")"
	case c.origins[0].reads[i].BlocksAll:
		return "anything on " + c.origins[0].name + ": " + part
	case home && all == 0:
		return "the home page (no other URL is known)"
	case home && n == 0:
		none := wording.NoneKnown(all)
		return "the home page (" + strings.ToLower(none[:1]) + none[1:] + " blocked)"
	case home && c.homeKnown && all == 1:
		return "the home page, the one known URL"
	case home && c.homeKnown && n == 1:
		return "the home page: " + part
	case home && c.homeKnown:
		return "the home page and more: " + part
	case home && all == 1:
		return "the home page and the one known URL"
	case home:
		return "the home page and " + part
	case all == 1:
		return "the one known URL"
	case n == all:
		return "any of the " + wording.Known(all)
	}
	return part
}

// shares are the parts of URLs and clicks that are blocked for the i-th crawler: "87 %, 21 % of clicks".
func (c *conclusion) shares(i int) string {
	words := wording.Percent(c.done.Blocked[i], c.done.URLs)
	if c.done.Clicks > 0 {
		words += ", " + wording.Percent(c.blockedClicks(i), c.done.Clicks) + " of clicks"
	}
	return words
}

// mostOthers bounds the groups of crawlers of which the lead tells beside those that it is about.
const mostOthers = 3

// othersWords say how much is blocked for the other crawlers, those for which most is
// first: "Bingbot 1,234, YandexBot none"; "" = there are none.
func (c *conclusion) othersWords(told []int, kind func(int) bool) string {
	told = slices.Clone(told)
	var parts []string
	for {
		kindLeft := func(i int) bool { return kind(i) && !slices.Contains(told, i) }
		i := c.mostBlocked(kindLeft)
		if i < 0 {
			i = slices.IndexFunc(c.indices(), kindLeft)
		}
		if i < 0 {
			return strings.Join(parts, ", ")
		}
		if len(parts) == mostOthers {
			n := 0
			for _, j := range c.indices() {
				if kindLeft(j) {
					n++
				}
			}
			return strings.Join(parts, ", ") + fmt.Sprintf(", %s no more than that", wording.Plural(n, "other"))
		}
		peers := c.peers(i, kindLeft)
		parts = append(parts, c.names(peers)+" "+c.amountWords(i))
		told = append(told, peers...)
	}
}

// amountWords say in a word how much is blocked for the i-th crawler.
func (c *conclusion) amountWords(i int) string {
	n, words := c.done.Blocked[i], "none"
	switch {
	case n > 0 && n == c.done.URLs:
		words = "all"
	case n > 0:
		words = wording.Thousands(n)
	}
	switch {
	case !c.blocksHome(i):
		return words
	case n == 0 || n == 1 && c.homeKnown:
		return "the home page"
	}
	return "the home page and " + words
}

// blockerWords say which line blocks most of what is blocked for the i-th crawler,
// and whether it does so for its peers as well.
func (c *conclusion) blockerWords(i int, peers []int) string {
	b, n := c.blocker(i), c.done.Blocked[i]
	own := c.origins[0]
	if c.blocksHome(i) && !c.homeKnown {
		n++ // the home page is a page, too
	}
	if own.reads[i].BlocksAll && own.rootRules[i].Line > 0 && c.done.Blocked[i] == c.done.URLs {
		b = blocker{origin: own, rule: own.rootRules[i], pages: n, lines: 1, all: n}
	}
	rest, most := n-b.all, b.pages
	if b.clicks > 0 {
		rest, most = c.blockedClicks(i)-c.clicksOfLines(i), b.clicks
	}
	if rest > 0 && rest >= most {
		return c.answerWords(i, b.all == 0)
	}
	line := fmt.Sprintf("line %d `%s`", b.rule.Line, ruleWords(b.rule))
	if b.origin.index > 0 {
		line += " of the robots.txt of " + b.origin.name
	}
	words := ""
	switch {
	case b.pages == n && n == 1:
		words = capitalised(line) + " does it"
	case b.pages == n:
		words = capitalised(line) + " does all of it"
	case b.clicks > 0:
		words = fmt.Sprintf("%s does %s of it, %s of its clicks", capitalised(line), wording.Percent(b.pages, n), wording.Percent(b.clicks, c.blockedClicks(i)))
	case 2*b.pages >= n:
		words = fmt.Sprintf("%s does %s of it", capitalised(line), wording.Percent(b.pages, n))
	default:
		words = fmt.Sprintf("%s do it, none of them more than %s (%s)", wording.Plural(b.lines, "line"), line, wording.Percent(b.pages, n))
	}
	if !c.linesAlike.all(peers) {
		words += " for " + c.crawlers[i].Label
	}
	return words + ". Is that meant?"
}

// clicksOfLines are the clicks of the pages that lines block for the i-th crawler, and no answer.
func (c *conclusion) clicksOfLines(i int) (n int64) {
	for at, of := range c.lineClicks {
		if at.line > 0 {
			n += of[i]
		}
	}
	return n
}

// ruleWords write a rule as people do: "Disallow: /post*".
func ruleWords(r engine.Rule) string {
	text := r.String()
	return escape.Cut(escape.Printable(strings.ToUpper(text[:1])+text[1:]), 80)
}

// answerWords say which answer, and no line, keeps the i-th crawler out of all or most
// of what is blocked for it.
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
	where, what := "", "it"
	if most.index > 0 {
		where = " of " + most.name
	}
	if !all {
		what = "most of it"
	}
	return fmt.Sprintf("What does %s is no line but the answer to robots.txt%s: %s", what, where, most.reads[i].Why)
}
