package site

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// lineBlocks counts what a line of robots.txt blocks for at least one crawler.
type lineBlocks struct {
	pages, clicks, hits   int64         // hits are those of the leading crawler, if the line blocks the page for it
	crawlers              []int64       // pages that it blocks for each crawler
	crawlerClicks         []int64       // clicks of these pages; nil = none
	leadPages, leadClicks int64         // pages that it blocks for a leading crawler, and their clicks
	listed, linked, own   int64         // pages in a sitemap, or else linked from a page, or else only in the user's own list
	canonical             int64         // or else only in a page's canonical
	sitemaps              []int         // the first sitemaps with such pages
	moreSitemaps          bool          // there are more sitemaps
	segments              []int64       // pages by segment; nil = not counted
	examples              []examplePage // the pages with most clicks, otherwise the first ones
}

type examplePage struct {
	loc    string
	clicks int64
}

// maxExamples is the number of example pages for a blocking line.
const maxExamples = 5

// maxNamedSitemaps is the number of sitemaps named for a blocking line.
const maxNamedSitemaps = 3

// maxExampleBytes bounds the total length of the examples of all lines of a site.
const maxExampleBytes = 4 << 20

// add counts a page; leads = the line blocks it for a leading crawler.
func (l *lineBlocks) add(u *URL, leads bool) {
	l.pages++
	l.clicks += u.Clicks
	if leads {
		l.leadPages++
		l.leadClicks += u.Clicks
	}
	switch {
	case u.Sitemap >= 0:
		if l.listed++; slices.Contains(l.sitemaps, u.Sitemap) {
			break
		}
		if l.moreSitemaps = len(l.sitemaps) == maxNamedSitemaps; !l.moreSitemaps {
			l.sitemaps = append(l.sitemaps, u.Sitemap)
		}
	case u.Kind == audit.KindLink:
		l.linked++
	case u.Kind == audit.KindCanonical:
		l.canonical++
	default:
		l.own++
	}
}

// addExample keeps a page as an example if it is among those with most clicks, and returns by how
// many bytes the examples have grown.
func (l *lineBlocks) addExample(u *URL) (grown int) {
	at := len(l.examples)
	for at > 0 && l.examples[at-1].clicks < u.Clicks {
		at--
	}
	if at >= maxExamples {
		return 0
	}
	if len(l.examples) == maxExamples {
		grown -= len(l.examples[maxExamples-1].loc)
		l.examples = l.examples[:maxExamples-1]
	}
	l.examples = slices.Insert(l.examples, at, examplePage{strings.Clone(u.Loc), u.Clicks})
	return grown + len(u.Loc)
}

// noteRepeats notes lines whose rule is already on an earlier line of the robots.txt, usually in
// the group of another crawler: they are one cause.
func (s *Site) noteRepeats(r *audit.Robots) {
	first := make(map[string]int, len(r.Rules))
	for _, l := range r.Rules {
		if line, ok := first[l.Rule]; ok {
			s.repeats[originLine{r.Index, l.Line}] = line
		} else {
			first[l.Rule] = l.Line
		}
	}
}

// firstLine is the first line with the same rule.
func (s *Site) firstLine(at originLine) originLine {
	if line, ok := s.repeats[at]; ok {
		at.line = line
	}
	return at
}

// withRepeats returns all lines with the same rule; first is the first of them.
func (s *Site) withRepeats(first originLine) []int {
	all := []int{first.line}
	if len(s.repeats) == 0 {
		return all
	}
	for _, l := range s.Robots(first.origin).Rules {
		if s.repeats[originLine{first.origin, l.Line}] == first.line {
			all = append(all, l.Line)
		}
	}
	return all
}

// firstLines returns the deciding line of a URL for each crawler, replaced by the first line with
// the same rule. The result is valid until the next call.
func (s *Site) firstLines(u *URL, origin int) []int32 {
	if len(s.repeats) == 0 {
		return u.Lines
	}
	s.lines = append(s.lines[:0], u.Lines...)
	for i, line := range s.lines {
		s.lines[i] = int32(s.firstLine(originLine{origin, int(line)}).line)
	}
	return s.lines
}

// countBlocking counts a blocked page of a template and a segment (-1 = not counted) once for each
// rule that blocks it for one of the crawlers.
func (s *Site) countBlocking(u *URL, of *Template, segment int) {
	origin := s.FileOf(u.Origin).Index
	lines := s.firstLines(u, origin)
	for i, v := range u.Verdicts[:min(len(u.Verdicts), len(lines))] {
		if v != engine.Disallow || lines[i] == 0 || blocksBefore(u, lines, i) {
			continue
		}
		at := originLine{origin, int(lines[i])}
		n := s.blocking[at]
		if n == nil {
			n = &lineBlocks{crawlers: make([]int64, len(u.Verdicts))}
			s.blocking[at] = n
		}
		n.add(u, s.countCrawlers(u, lines, i, n))
		if s.exampleBytes < maxExampleBytes {
			s.exampleBytes += n.addExample(u)
		}
		if segment >= 0 {
			n.addSegment(segment, len(s.segments.tallies))
		}
		of.addLine(at.origin, at.line, 1, u.Clicks)
	}
}

// blocksBefore reports whether the line that blocks a URL for the i-th crawler
// blocks it for an earlier one.
func blocksBefore(u *URL, lines []int32, i int) bool {
	for j, v := range u.Verdicts[:i] {
		if v == engine.Disallow && lines[j] == lines[i] {
			return true
		}
	}
	return false
}

// countCrawlers counts a page for each crawler for which it is blocked by the line that blocks it
// for the i-th, the first of them. It reports whether one of them is a leading crawler.
func (s *Site) countCrawlers(u *URL, lines []int32, i int, of *lineBlocks) (leads bool) {
	if u.Clicks > 0 && of.crawlerClicks == nil {
		of.crawlerClicks = make([]int64, len(of.crawlers))
	}
	for j := i; j < min(len(u.Verdicts), len(lines), len(of.crawlers)); j++ {
		if u.Verdicts[j] == engine.Disallow && lines[j] == lines[i] {
			if of.crawlers[j]++; u.Clicks > 0 {
				of.crawlerClicks[j] += u.Clicks
			}
			if j == s.hitter {
				of.hits += u.HitsOf(j)
			}
			leads = leads || j < len(s.leads) && s.leads[j]
		}
	}
	return leads
}

// compare orders lines by origin and number.
func (at originLine) compare(other originLine) int {
	return cmp.Or(cmp.Compare(at.origin, other.origin), cmp.Compare(at.line, other.line))
}

// compare orders lineBlocks, the greatest effect first.
func (l *lineBlocks) compare(other *lineBlocks) int {
	return cmp.Or(cmp.Compare(other.leadClicks, l.leadClicks), cmp.Compare(other.hits, l.hits), cmp.Compare(other.leadPages, l.leadPages), cmp.Compare(other.clicks, l.clicks), cmp.Compare(other.pages, l.pages))
}

// ruleText is the rule of a line; "" = not known.
func (s *Site) ruleText(at originLine) string {
	rules := s.Robots(at.origin).Rules
	if i := slices.IndexFunc(rules, func(r audit.RuleLine) bool { return r.Line == at.line }); i >= 0 {
		return rules[i].Rule
	}
	return ""
}

// LineCounts lists how many pages lines block: "line 17 disallow: /post* (21,884)".
func (s *Site) LineCounts(list []LineCount) string {
	var parts []string
	for _, l := range list {
		at := originLine{l.Origin, l.Line}
		words := LineNames(s.withRepeats(at))
		if rule := s.ruleText(at); rule != "" {
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
