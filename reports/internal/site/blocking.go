package site

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// lineBlocks is what a line of robots.txt blocks for at least one crawler.
type lineBlocks struct {
	pages, clicks int64
	segments      []int64       // pages by segment; nil = they are not counted
	examples      []examplePage // those with most clicks, else the first ones
}

type examplePage struct {
	loc    string
	clicks int64
}

// maxExamples is the number of pages that are shown of what a line blocks.
const maxExamples = 5

// add counts a page.
func (l *lineBlocks) add(u *URL) {
	l.pages++
	l.clicks += u.Clicks
	at := len(l.examples)
	for at > 0 && l.examples[at-1].clicks < u.Clicks {
		at--
	}
	if at >= maxExamples {
		return
	}
	if len(l.examples) == maxExamples {
		l.examples = l.examples[:maxExamples-1]
	}
	l.examples = slices.Insert(l.examples, at, examplePage{strings.Clone(u.Loc), u.Clicks})
}

// countBlocking counts a blocked page of a template and a segment (-1 = none are counted)
// once for each line that blocks it for one of the crawlers.
func (s *Site) countBlocking(u *URL, of *Template, segment int) {
	for i, v := range u.Verdicts[:min(len(u.Verdicts), len(u.Lines))] {
		line := u.Lines[i]
		if v != engine.Disallow || line == 0 || blocksBefore(u, i) {
			continue
		}
		at := originLine{u.Origin, int(line)}
		n := s.blocking[at]
		if n == nil {
			n = new(lineBlocks)
			s.blocking[at] = n
		}
		n.add(u)
		if segment >= 0 {
			n.addSegment(segment, len(s.segments.tallies))
		}
		of.addLine(at.origin, at.line, 1, u.Clicks)
	}
}

// blocksBefore reports whether the line that blocks a URL for the i-th crawler
// blocks it for an earlier one.
func blocksBefore(u *URL, i int) bool {
	for j, v := range u.Verdicts[:i] {
		if v == engine.Disallow && u.Lines[j] == u.Lines[i] {
			return true
		}
	}
	return false
}

// mostBlocking returns the line that blocks most pages for at least one crawler,
// and how many; 0 = no line blocks any. tied says that another line blocks as many.
func (s *Site) mostBlocking() (most originLine, n int64, tied bool) {
	for at, count := range s.blocking {
		first := cmp.Or(cmp.Compare(at.origin, most.origin), cmp.Compare(at.line, most.line)) < 0
		switch {
		case count.pages > n:
			most, n, tied = at, count.pages, false
		case count.pages == n:
			tied = true
			if first {
				most = at
			}
		}
	}
	return most, n, tied
}

// rowsOfLine are the rows of a line, as RuleLinesOf has them.
func (s *Site) rowsOfLine(at originLine, urls int64) (rows []RuleRow) {
	for _, group := range s.rules {
		if group.Origin != at.origin {
			continue
		}
		for _, c := range group.Counts {
			if c.Line == at.line {
				rows = s.joinRule(rows, s.Robots(at.origin), group, c, urls)
			}
		}
	}
	for i := range rows {
		rows[i].Names = s.names(rows[i].Crawlers)
	}
	return rows
}

// ruleText is the rule of a line; "" = not known.
func (s *Site) ruleText(at originLine) string {
	rules := s.Robots(at.origin).Rules
	if i := slices.IndexFunc(rules, func(r audit.RuleLine) bool { return r.Line == at.line }); i >= 0 {
		return rules[i].Rule
	}
	return ""
}

// LineCounts says in words how many pages lines block: "line 17 disallow: /post* (21,884)".
func (s *Site) LineCounts(list []LineCount) string {
	var parts []string
	for _, l := range list {
		words := "line " + strconv.Itoa(l.Line)
		if rule := s.ruleText(originLine{l.Origin, l.Line}); rule != "" {
			words += " " + escape.Cut(rule, 120)
		}
		if l.Origin != 0 {
			words += " of " + s.Robots(l.Origin).Origin + "/robots.txt"
		}
		words += " (" + wording.Thousands(l.URLs) + ")"
		parts = append(parts, words)
	}
	return strings.Join(parts, "; ")
}
