package engine

import (
	"fmt"
	"strings"

	"robots-audit/engine/internal/match"
)

// Bounds of the search for paths on which readers differ.
const (
	maxPairs = 50_000 // pairs of an allow and a disallow rule that are compared
	maxMeets = 500    // pairs for which a common path is sought
)

// lintReaders looks for paths on which the chosen readers differ, or one of
// them says itself that the outcome is undefined: paths that an allow and a
// disallow rule share, where the readers do not agree which of them is the
// stronger. Each path is put to every reader before anything is said.
func lintReaders(l *linter) {
	said := map[int]bool{}
	pairs, meets := maxPairs, maxMeets
	for _, c := range l.distinctCrawlers() {
		groups := l.groupsFor(c)
		if len(groups) == 0 {
			continue
		}
		if len(c.Tokens) == 0 {
			l.reportDifference(groups, "/", 0, said)
		}
		readers := readingsOf(groups)
		for _, a := range rulesOf(groups[0], true) {
			for _, d := range rulesOf(groups[0], false) {
				if pairs--; pairs < 0 || meets < 0 {
					return
				}
				if said[d.line] || !outcomeDiffers(readers, a.line, d.line) {
					continue
				}
				meets--
				if path, ok := meet(a.Pattern, d.Pattern); ok {
					l.reportDifference(groups, path, a.line, said)
				}
			}
		}
	}
}

// distinctCrawlers are the crawlers that differ in what they read of this file: any
// crawler without a group of its own, and those of the list that have one.
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

// patternOnLine is a pattern with its line.
type patternOnLine struct {
	match.Pattern
	line int
}

// rulesOf are the rules of a group with a path that give one verdict.
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

// reading is a group with its patterns by the lines of their rules.
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

// reportDifference reports that the readers of a path differ, if they do. allow is the
// line of the allow rule that took part.
func (l *linter) reportDifference(groups []*Group, path string, allow int, said map[int]bool) {
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
	if line == 0 || said[line] || len(by) < 2 && by[Undefined] == nil {
		return
	}
	said[line] = true
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
	f.What = fmt.Sprintf("%s is %s", clip(path, 120), strings.Join(parts, ", "))
	if allow > 0 && allow != line {
		f.What += fmt.Sprintf(" (line %d: %s)", allow, l.ruleText(allow))
		f.Related = []int{allow}
	}
}

var verdictWords = map[Verdict]string{Allow: "allowed", Disallow: "blocked", Undefined: "undefined"}
