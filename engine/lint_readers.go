package engine

import (
	"fmt"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/internal/match"
)

// Bounds of the search for paths on which readers differ.
const (
	maxPairs = 50_000 // pairs of an allow and a disallow rule that are compared
	maxMeets = 500    // pairs for which a common path is sought
)

// lintReaders looks for paths on which the chosen profiles differ, or which one of
// them calls undefined. Such a path is matched by both an allow and a disallow rule
// that the profiles rank differently. It is judged by every profile before a
// difference is reported.
func lintReaders(l *linter) {
	reported := map[int]bool{}
	pairs, meets := maxPairs, maxMeets
	for _, c := range l.distinctCrawlers() {
		groups := l.groupsFor(c)
		if len(groups) == 0 {
			continue
		}
		if len(c.Tokens) == 0 {
			l.reportDifference(groups, "/", 0, reported)
		}
		readers := readingsOf(groups)
		for _, a := range rulesOf(groups[0], true) {
			for _, d := range rulesOf(groups[0], false) {
				if pairs--; pairs < 0 || meets < 0 {
					return
				}
				if reported[d.line] || !outcomeDiffers(readers, a.line, d.line) {
					continue
				}
				meets--
				if path, ok := meet(a.Pattern, d.Pattern); ok {
					l.reportDifference(groups, path, a.line, reported)
				}
			}
		}
	}
}

// distinctCrawlers are the crawlers that obey different groups of this file: the
// zero Crawler for all without a group of their own, and those of the list that
// the file names.
func (l *linter) distinctCrawlers() []Crawler {
	list := []Crawler{{}}
	named := map[string]bool{}
	for i := range l.groups {
		for _, n := range l.groups[i].agents {
			named[groupToken(n.value)] = true
		}
	}
	for _, c := range l.Crawlers {
		if len(c.Tokens) > 0 && named[strings.ToLower(c.Tokens[0])] {
			list = append(list, c)
		}
	}
	return list
}

// groupsFor are the groups that a crawler obeys by the chosen profiles of its own
// family, or by all of them if it has no name.
func (l *linter) groupsFor(c Crawler) []*Group {
	var groups []*Group
	for _, p := range l.Profiles {
		if len(c.Tokens) > 0 && p.family() != c.Profile {
			continue
		}
		r := l.readingFor(p, c)
		if r.Access != Parsed || p.NoAllow {
			continue
		}
		if g := l.group(r, c); g.Line > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// patternOnLine is a pattern with the line of its rule.
type patternOnLine struct {
	match.Pattern
	line int
}

// rulesOf are the allow or the disallow rules of a group that have a path.
func rulesOf(g *Group, allow bool) []patternOnLine {
	var list []patternOnLine
	for i := range g.ranked {
		r := &g.ranked[i]
		if rule := g.Rules[r.rule]; r.allow == allow && rule.Allow == allow && rule.Value != "" {
			list = append(list, patternOnLine{r.Pattern, rule.Line})
		}
	}
	return list
}

// outcomeDiffers reports whether the readers rank an allow and a disallow
// rule differently, or one of them calls the outcome undefined.
func outcomeDiffers(readers []reading, allow, disallow int) bool {
	var first byte
	for i, g := range readers {
		a, d := g.byLine[allow], g.byLine[disallow]
		outcome := byte('n')
		switch {
		case a == nil || d == nil:
		case a.octets >= d.octets:
			outcome = 'a'
		case g.profile.WildcardConflict && (a.wild || d.wild):
			return true
		default:
			outcome = 'd'
		}
		if i == 0 {
			first = outcome
		} else if outcome != first {
			return true
		}
	}
	return false
}

// reading is a group as one profile reads it, with its patterns by the lines of
// their rules.
type reading struct {
	*Group
	byLine map[int]*ranked
}

func readingsOf(groups []*Group) []reading {
	list := make([]reading, len(groups))
	for i, g := range groups {
		list[i] = reading{g, make(map[int]*ranked, len(g.ranked))}
		for j := range g.ranked {
			r := &g.ranked[j]
			if line := g.Rules[r.rule].Line; list[i].byLine[line] == nil {
				list[i].byLine[line] = r
			}
		}
	}
	return list
}

// reportDifference reports that the groups, one for each profile, judge a path
// differently, if they do. allow is the line of the allow rule that matches the
// path, 0 = none. reported has the lines that a difference was reported for.
func (l *linter) reportDifference(groups []*Group, path string, allow int, reported map[int]bool) {
	by := map[Verdict][]string{}
	line := 0
	var profiles []*Profile
	for _, g := range groups {
		d := g.Verdict(path)
		by[d.Verdict] = append(by[d.Verdict], g.profile.Name)
		profiles = append(profiles, g.profile)
		if d.Rule != nil && (line == 0 || d.Verdict == Disallow || d.Verdict == Undefined) {
			line = d.Rule.Line
		}
	}
	if line == 0 || reported[line] || len(by) < 2 && by[Undefined] == nil {
		return
	}
	reported[line] = true
	f := l.reportValue("RUL007", l.lineAt(line), profiles...)
	if f == nil {
		return
	}
	var parts []string
	for _, v := range [...]Verdict{Disallow, Allow, Undefined} {
		if by[v] != nil {
			parts = append(parts, fmt.Sprintf("%s by %s", verdictWords[v], strings.Join(by[v], ", ")))
		}
	}
	f.What = fmt.Sprintf("%s is %s", escape.Prefix(path, 120), strings.Join(parts, ", "))
	if allow > 0 && allow != line {
		f.What += fmt.Sprintf(" (line %d: %s)", allow, l.ruleText(allow))
		f.Related = []int{allow}
	}
}

var verdictWords = map[Verdict]string{Allow: "allowed", Disallow: "blocked", Undefined: "undefined"}
