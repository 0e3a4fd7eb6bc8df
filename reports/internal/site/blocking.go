package site

import (
	"cmp"
	"slices"

	"robots-audit/audit"
	"robots-audit/engine"
)

// countBlocking counts a blocked page once for each line that blocks it for one of
// the crawlers.
func (s *Site) countBlocking(u *URL) {
	for i, v := range u.Verdicts[:min(len(u.Verdicts), len(u.Lines))] {
		line := u.Lines[i]
		if v != engine.Disallow || line == 0 || blocksBefore(u, i) {
			continue
		}
		at := originLine{u.Origin, int(line)}
		n := s.blocking[at]
		if n == nil {
			n = new(int64)
			s.blocking[at] = n
		}
		*n++
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
		case *count > n:
			most, n, tied = at, *count, false
		case *count == n:
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
