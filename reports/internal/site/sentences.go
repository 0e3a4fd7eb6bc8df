package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// Sentences are the three with which the reports of a site begin: its state, how
// much is blocked, and what decides it.
func (s *Site) Sentences(d *audit.Done) [3]string {
	var list [3]string
	list[0] = StateName(d.State) + ": " + d.Why + "."
	switch {
	case d.URLs == 0:
		list[1] = "No known URL was tested, so nothing can be said about single URLs."
	case d.BlockedAny == 0 && d.Unknown == d.URLs:
		list[1] = fmt.Sprintf("Whether any of the %s is blocked from crawling is not known.", wording.Known(d.URLs))
	case d.BlockedAny == 0:
		list[1] = fmt.Sprintf("%s blocked from crawling for %s.", wording.NoneKnown(d.URLs), s.anyOf())
	default:
		list[1] = fmt.Sprintf("%s of %s (%s) %s blocked from crawling for %s; a blocked URL can still be indexed.",
			wording.Thousands(d.BlockedAny), wording.Known(d.URLs), wording.Percent(d.BlockedAny, d.URLs), wording.Verb(d.BlockedAny, "is", "are"), s.byCrawler(d))
	}
	if d.Unknown > 0 {
		list[1] += fmt.Sprintf(" For %s the verdict is unknown or undefined; these are not counted as allowed.", wording.Known(d.Unknown))
	}
	list[2] = s.describeBlocking(d)
	return list
}

// describeBlocking says which line blocks most of the URLs that are blocked for
// at least one crawler.
func (s *Site) describeBlocking(d *audit.Done) string {
	at, n, tied := s.mostBlocking()
	switch {
	case d.URLs == 0:
		return "Which line decides most cannot be said without known URLs."
	case d.BlockedAny == 0:
		return "No disallow line blocks a known URL."
	case n == 0:
		return "No single line decides it: " + Read(s.Robots(0), 0).Why + "."
	}
	part := "more of it than any other"
	switch {
	case n == d.BlockedAny:
		part = "all of it"
	case 2*n > d.BlockedAny:
		part = "most of it"
	case tied:
		part = "as much of it as any other"
	}
	line := fmt.Sprintf("Line %d", at.line)
	if rule := s.ruleText(at); rule != "" {
		line += " (" + rule + ")"
	}
	if at.origin > 0 {
		line += " of the robots.txt of " + s.Robots(at.origin).Origin
	}
	return fmt.Sprintf("%s decides %s, %s of %s (%s)%s.", line, part, wording.Thousands(n), wording.Plural(d.BlockedAny, "blocked URL"), wording.Percent(n, d.BlockedAny), s.describeEffect(at, d.URLs))
}

// describeEffect says what would be without a line, for the crawlers for which it
// decides most, as a sentence goes on; "" = not known.
func (s *Site) describeEffect(at originLine, urls int64) string {
	rows := s.rowsOfLine(at, urls)
	if len(rows) == 0 {
		return ""
	}
	top := slices.MaxFunc(rows, func(a, b RuleRow) int { return cmp.Compare(a.Decided, b.Decided) })
	effect := top.Effect
	if top.Frees+top.Blocks == 0 && top.Unknown == "" && top.Join.Line == 0 {
		effect = "without it the verdicts would be the same"
	}
	if len(rows) > 1 {
		effect = "for " + top.Names + " " + effect
	}
	return "; " + effect
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
