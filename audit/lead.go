package audit

import (
	"fmt"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// blocker is the line that blocks most pages for a crawler.
type blocker struct {
	origin *origin
	rule   engine.Rule
	pages  int64
	lines  int // that block any
}

// findBlockers finds the lines of a robots.txt that block most.
func (s *site) findBlockers(o *origin) {
	for i := range o.groups {
		b := &s.blockers[i]
		for _, c := range o.matrix.Counts(o.matrix.Same(i)) {
			if c.Rule.Allow || c.Decided == 0 {
				continue
			}
			if b.lines++; c.Decided > b.pages {
				b.origin, b.rule, b.pages = o, c.Rule, c.Decided
			}
		}
	}
}

// leader is the index of the first crawler that leads, and of the first one where
// none does.
func leader(crawlers []Crawler) int {
	for i := range crawlers {
		if crawlers[i].Leads() {
			return i
		}
	}
	return 0
}

// leads reports whether the i-th crawler leads: where the user asks about none of
// these, all that are there to find pages do.
func (s *site) leads(i int) bool {
	crawlers := s.auditor.Crawlers
	if crawlers[s.leader].Leads() {
		return crawlers[i].Leads()
	}
	return findsPages(crawlers[i])
}

// mostBlocked returns the index of the crawler of a kind for which most is blocked,
// by clicks, then by URLs; -1 = nothing is blocked for any.
func (s *site) mostBlocked(kind func(int) bool) int {
	most := -1
	for i := range s.auditor.Crawlers {
		if !kind(i) || s.done.Blocked[i] == 0 {
			continue
		}
		if most < 0 || s.blockedClicks(i) > s.blockedClicks(most) || s.blockedClicks(i) == s.blockedClicks(most) && s.done.Blocked[i] > s.done.Blocked[most] {
			most = i
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

// peers names the crawlers of a kind that are blocked just as the i-th is, and by the
// same lines, itself among them.
func (s *site) peers(i int, kind func(int) bool) string {
	var names []string
	for j, c := range s.auditor.Crawlers {
		if j == i || kind(j) && !s.parted[i] && !s.parted[j] {
			names = append(names, c.Label)
		}
	}
	return wording.And(names)
}

// blockedWords say what most crawlers of a kind may not crawl, and by which line;
// "" = there is nothing that they may not crawl.
func (s *site) blockedWords(kind func(int) bool) string {
	i := s.mostBlocked(kind)
	if i < 0 {
		return ""
	}
	n, all := s.done.Blocked[i], s.done.URLs
	what := fmt.Sprintf("%s of %s (%s)", wording.Thousands(n), wording.Known(all), s.shares(i))
	switch {
	case all == 1:
		what = "the one known URL"
	case n == all:
		what = "any of the " + wording.Known(all)
	}
	if s.origins[0].reads[i].BlocksRoot {
		if n == all {
			what = "the home page, nor " + what
		} else {
			what = "the home page and " + what
		}
	}
	return s.peers(i, kind) + " may not crawl " + what + ". " + s.blockerWords(i)
}

// shares are the parts of URLs and clicks that are blocked for the i-th crawler: "87 %, 21 % of clicks".
func (s *site) shares(i int) string {
	words := wording.Percent(s.done.Blocked[i], s.done.URLs)
	if s.done.Clicks > 0 {
		words += ", " + wording.Percent(s.blockedClicks(i), s.done.Clicks) + " of clicks"
	}
	return words
}

// blockerWords say which line blocks most of what is blocked for the i-th crawler.
func (s *site) blockerWords(i int) string {
	b, n := &s.blockers[i], s.done.Blocked[i]
	if b.pages == 0 {
		return s.answerWords(i)
	}
	line := fmt.Sprintf("Line %d `%s`", b.rule.Line, ruleWords(b.rule))
	if b.origin.index > 0 {
		line += " of the robots.txt of " + b.origin.name
	}
	switch {
	case b.pages == n && n == 1:
		line += " does it"
	case b.pages == n:
		line += " does all of it"
	case 2*b.pages > n:
		line += fmt.Sprintf(" does %s of it", wording.Percent(b.pages, n))
	default:
		line = fmt.Sprintf("Of the %d lines that do it, line%s does most: %s", b.lines, line[len("Line"):], wording.Percent(b.pages, n))
	}
	return line + ". Is that meant?"
}

// ruleWords write a rule as people do: "Disallow: /post*".
func ruleWords(r engine.Rule) string {
	text := r.String()
	return escape.Cut(escape.Printable(strings.ToUpper(text[:1])+text[1:]), 80)
}

// answerWords say why an answer, and no line, keeps the i-th crawler out.
func (s *site) answerWords(i int) string {
	for _, o := range s.origins {
		if i < len(o.reads) && o.reads[i].Access == engine.DisallowAll {
			where := ""
			if o.index > 0 {
				where = " of " + o.name
			}
			return fmt.Sprintf("No line does that but the answer to robots.txt%s: %s.", where, o.reads[i].Why)
		}
	}
	return ""
}
