package site

import (
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// Sentences are the three with which the reports of a site begin: its state, how
// much is blocked, and what decides it. rules are those of TopRules.
func (s *Site) Sentences(d *audit.Done, rules []RuleRow) [3]string {
	var list [3]string
	list[0] = StateName(d.State) + ": " + d.Why + "."
	switch {
	case d.URLs == 0:
		list[1] = "No known URL was tested, so nothing can be said about single URLs."
	case d.BlockedAny == 0 && d.Unknown == d.URLs:
		list[1] = fmt.Sprintf("Whether any of the %s is blocked from crawling is not known.", wording.Known(d.URLs))
	case d.BlockedAny == 0:
		list[1] = fmt.Sprintf("None of the %s is blocked from crawling for %s.", wording.Known(d.URLs), s.anyOf())
	default:
		list[1] = fmt.Sprintf("%s of %s (%s) %s blocked from crawling for %s; a blocked URL can still be indexed.",
			wording.Thousands(d.BlockedAny), wording.Known(d.URLs), wording.Percent(d.BlockedAny, d.URLs), wording.Verb(d.BlockedAny, "is", "are"), s.byCrawler(d))
	}
	if d.Unknown > 0 {
		list[1] += fmt.Sprintf(" For %s the verdict is unknown or undefined; these are not counted as allowed.", wording.Known(d.Unknown))
	}
	var top *RuleRow
	for i := range rules {
		if Blocks(rules[i].Rule) {
			top = &rules[i]
			break
		}
	}
	switch {
	case top != nil && top.Frees+top.Blocks == 0 && top.Unknown == "" && top.Join.Line == 0:
		list[2] = fmt.Sprintf("Line %d (%s) decides most of it, %s; without it the verdicts would be the same.", top.Line, top.Rule, wording.Known(top.Decided))
	case top != nil:
		list[2] = fmt.Sprintf("Line %d (%s) decides most of it, %s; %s.", top.Line, top.Rule, wording.Known(top.Decided), RuleEffect(top.RuleCount, d.URLs))
	case d.BlockedAny > 0:
		list[2] = "No single line decides it: " + Read(s.Robots(0), 0).Why + "."
	case d.URLs == 0:
		list[2] = "What the lines of robots.txt decide was not tested."
	default:
		list[2] = "No disallow line decides the verdict of any known URL."
	}
	return list
}

// StateName is the word, for people, for a site's state.
func StateName(s audit.State) string {
	switch s {
	case audit.OK:
		return "OK"
	case audit.Warn:
		return "Warning"
	case audit.Critical:
		return "Critical"
	}
	return "Unknown"
}

// byCrawler says how many URLs are blocked for each crawler, the first few by name.
func (s *Site) byCrawler(d *audit.Done) string {
	const most = 5
	var parts []string
	more := 0
	for i, c := range s.Crawlers {
		n := BlockedFor(d, i)
		switch {
		case n == 0:
		case len(parts) == most:
			more++
		default:
			parts = append(parts, fmt.Sprintf("%s (%s)", c.Label, wording.Thousands(n)))
		}
	}
	if more > 0 {
		parts = append(parts, wording.Plural(more, "further crawler"))
	}
	return strings.Join(parts, ", ")
}

// anyOf names the crawlers, the first few of many.
func (s *Site) anyOf() string {
	var names []string
	for _, c := range s.Crawlers {
		names = append(names, c.Label)
	}
	if len(names) > 6 {
		return fmt.Sprintf("%s and %d more crawlers", strings.Join(names[:5], ", "), len(names)-5)
	}
	return strings.Join(names, ", ")
}
