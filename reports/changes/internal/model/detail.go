package model

import (
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
)

// detailWords describe a site with only small differences: a line that changes no verdict, or the
// subjects of the changes.
func (s *Site) detailWords() string {
	for i := range s.Changes {
		if c := &s.Changes[i]; c.Condition != "" && !slices.Contains(lineKinds, c.Kind) { // a problem that ended
			return "No verdict changed; " + Text(s.endWords(c), maxNews)
		}
	}
	lines := s.ruleLines()
	switch {
	case len(lines) == 1:
		return "No verdict changed. " + capitalised(LineWords(lines[0]))
	case len(lines) > maxNamedLines:
		return "No verdict changed; " + wording.Plural(len(lines), "line") + " of robots.txt differ"
	case len(lines) > 1:
		return "No verdict changed. These lines differ: " + namedLines(lines)
	}
	var of []string
	for _, detail := range details {
		if slices.ContainsFunc(s.Changes, func(c compare.Change) bool { return c.Kind == detail.kind }) {
			of = append(of, detail.words)
		}
	}
	if of == nil {
		return "No verdict changed; " + wording.Plural(len(s.Changes), "small change")
	}
	return "No verdict changed. Small changes: " + wording.And(of)
}

// lineKinds are the kinds of changes that the lines of robots.txt already show.
var lineKinds = []string{compare.KindRules, compare.KindGroups, compare.KindLines, compare.KindLint}

// details are the kinds of small changes, as words for a sentence.
var details = []struct{ kind, words string }{
	{compare.KindRules, "rules"}, {compare.KindGroups, "groups"}, {compare.KindLines, "lines"}, {compare.KindStatus, "the answer to robots.txt"},
	{compare.KindRedirect, "where robots.txt comes from"}, {compare.KindOrigin, "the origins of URLs"},
	{compare.KindSitemapLine, "Sitemap lines"}, {compare.KindSitemaps, "the list of sitemaps"}, {compare.KindSitemap, "sitemaps"}, {compare.KindSitemapURLs, "URLs in sitemaps"},
	{compare.KindSitemapNote, "notes on sitemaps"}, {compare.KindLint, "findings"}, {compare.KindComments, "comments"},
	{compare.KindEncoding, "encoding"}, {compare.KindLineEnds, "line ends"}, {compare.KindType, "Content-Type"},
}

// endWords say that a problem ended.
func (s *Site) endWords(c *compare.Change) string {
	if o := s.originOf(c.What); o != nil && (c.Kind == compare.KindStatus || c.Kind == compare.KindBody) {
		return s.answerWords(o)
	}
	words := ChangeWords(c)
	return strings.ToLower(words[:1]) + words[1:]
}

// ruleLines returns the changed lines that are more than comments, blank lines and white space.
func (s *Site) ruleLines() (lines []*compare.Line) {
	for o := range s.Origins {
		if s.Origins[o].SameAs != "" {
			continue
		}
		for l := range s.Origins[o].Diff {
			if line := &s.Origins[o].Diff[l]; isRuleText(line.Old) || isRuleText(line.New) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

func isRuleText(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && line[0] != '#'
}
