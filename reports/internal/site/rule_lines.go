package site

import (
	"slices"

	"robots-audit/audit"
)

// ruleLines are the rows of a file's rules by line, for a number of URLs found. They are cached,
// since workbook and page read those of each file one after the other.
type ruleLines struct {
	robots *audit.Robots
	urls   int64
	rows   map[int][]RuleRow
}

// RuleLinesOf returns the rules of a file by line; crawlers for which a rule had the same effect
// share a row. urls is the number of URLs found. Do not change the result.
func (s *Site) RuleLinesOf(robots *audit.Robots, urls int64) map[int][]RuleRow {
	if s.ruleLines.robots != robots || s.ruleLines.urls != urls {
		s.ruleLines = ruleLines{robots, urls, s.joinRules(robots, urls, 0)}
	}
	return s.ruleLines.rows
}

// rowsOfLine returns the rows of a line, as in RuleLinesOf. For the first file it makes the rows of
// all lines at once, since workbook and page will need them.
func (s *Site) rowsOfLine(at originLine, urls int64) []RuleRow {
	robots := s.Robots(at.origin)
	if kept := &s.ruleLines; kept.robots == nil || kept.robots == robots && kept.urls == urls {
		return s.RuleLinesOf(robots, urls)[at.line]
	}
	return s.joinRules(robots, urls, at.line)[at.line]
}

// joinRules joins the effects of a file's rules for each group: crawlers for which a rule had the
// same effect share its row. line is the line to return; 0 = all.
func (s *Site) joinRules(robots *audit.Robots, urls int64, line int) map[int][]RuleRow {
	j := ruleJoiner{site: s, robots: robots, tested: s.TestedOn(robots.Index)}
	j.urls = min(urls, j.tested)
	for _, group := range s.rules {
		if group.Origin == robots.Index && j.begin(group, line) {
			for i := range group.Counts {
				if c := &group.Counts[i]; line == 0 || c.Line == line {
					j.add(c, line == 0)
				}
			}
		}
	}
	for _, of := range j.rows {
		for i := range of {
			of[i].Names = j.namesOf(of[i].Crawlers)
		}
	}
	return j.rows
}

// ruleJoiner joins the rows of one file. Of hundreds of rules most match nothing, for the same
// crawlers: shared results are computed once.
type ruleJoiner struct {
	site         *Site
	robots       *audit.Robots
	urls, tested int64
	rows         map[int][]RuleRow
	first        []RuleRow // memory for the first row of each line
	crawlers     []int     // crawlers of the current group
	group        string    // its product tokens
	idle         string    // the effect of a rule that matches no URL
	before, both []int     // crawlers of the last row that this group has joined, before and after
	named        []int     // crawlers of names
	names        string    // names of the crawlers in named
}

// begin begins with the rules of a group; line is the wanted line, 0 = all. false = no tested
// crawler obeys the group.
func (j *ruleJoiner) begin(group *audit.Rules, line int) bool {
	j.crawlers, j.before = nil, nil
	for _, i := range group.Crawlers {
		if i >= 0 && i < len(j.site.Crawlers) {
			j.crawlers = append(j.crawlers, i)
		}
	}
	if len(j.crawlers) == 0 {
		return false
	}
	j.crawlers = slices.Clip(j.crawlers) // rows share it, and append to copies
	j.group = Read(j.robots, j.crawlers[0]).GroupTokens
	if j.rows == nil {
		lines := len(group.Counts)
		if line > 0 {
			lines = 1
		}
		j.rows = make(map[int][]RuleRow, lines)
	}
	return true
}

// add adds the effect of a rule for the current group to the rows of its line. more = further lines
// will follow.
func (j *ruleJoiner) add(c *audit.RuleCount, more bool) {
	rows := j.rows[c.Line]
	for i := range rows {
		if rows[i].RuleCount == *c {
			rows[i].Crawlers = j.joined(rows[i].Crawlers)
			return
		}
	}
	row := RuleRow{
		RuleCount: *c, Index: j.robots.Index, Origin: j.robots.Origin, Crawlers: j.crawlers, Group: j.group, Tested: j.tested > 0,
		Effect: j.effect(c),
	}
	if rows != nil || !more {
		j.rows[c.Line] = append(rows, row)
		return
	}
	if len(j.first) == cap(j.first) {
		j.first = make([]RuleRow, 0, 64)
	}
	j.first = append(j.first, row)
	j.rows[c.Line] = slices.Clip(j.first[len(j.first)-1:])
}

// joined returns the crawlers of a row plus those of the current group, usually the same as for the
// row before.
func (j *ruleJoiner) joined(crawlers []int) []int {
	if !slices.Equal(crawlers, j.before) {
		j.before, j.both = crawlers, slices.Concat(crawlers, j.crawlers)
	}
	return j.both
}

// effect is a cached RuleEffect.
func (j *ruleJoiner) effect(c *audit.RuleCount) string {
	if *c != (audit.RuleCount{Line: c.Line, Rule: c.Rule}) {
		return RuleEffect(*c, j.urls)
	}
	if j.idle == "" {
		j.idle = RuleEffect(*c, j.urls)
	}
	return j.idle
}

// namesOf is Site.names, cached for the row before.
func (j *ruleJoiner) namesOf(crawlers []int) string {
	if len(crawlers) != len(j.named) || &crawlers[0] != &j.named[0] {
		j.named, j.names = crawlers, j.site.names(crawlers)
	}
	return j.names
}
