package engine

import (
	"fmt"
	"slices"
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
		if slices.ContainsFunc(groups, func(g *Group) bool {
			return slices.ContainsFunc(g.Rules, func(r Rule) bool { return !r.Allow && strings.Contains(r.Value, robotsTxt) })
		}) {
			if f := l.reportDifference(groups, robotsTxt, 0, reported); f != nil {
				f.Severity = Info
				f.Why = "RFC 9309 always allows /robots.txt (2.2.2). Google and Yandex treat it like any other path. All crawlers fetch it before they obey it."
				f.Fix = "Remove the rule: no crawler stops fetching robots.txt because of it."
			}
		}
		allows, denies := rulesOf(groups[0], true), rulesOf(groups[0], false)
		if rankedAlike(groups) {
			if n := len(allows) * len(denies); n > 0 {
				if pairs -= n; pairs < 0 || meets < 0 {
					return
				}
			}
			continue
		}
		readers := readingsOf(groups)
		for _, a := range allows {
			for _, d := range denies {
				if pairs--; pairs < 0 || meets < 0 {
					return
				}
				if reported[d.line] || !outcomeDiffers(readers, a.line, d.line) {
					continue
				}
				meets--
				path, ok := meet(a.Pattern, d.Pattern)
				if !ok {
					continue
				}
				if f := l.reportDifference(groups, path, a.line, reported); f != nil && len(c.Tokens) == 0 && len(l.distinct) > 1 {
					f.What += ". This is for crawlers of the * group"
				}
			}
		}
	}
}

// rankedAlike reports whether groups rank all rules alike, and none calls an outcome
// undefined, so that no two rules can make their verdicts differ.
func rankedAlike(groups []*Group) bool {
	return !slices.ContainsFunc(groups, func(g *Group) bool {
		return g.profile.WildcardConflict || !slices.Equal(g.ranked, groups[0].ranked) || !slices.Equal(g.Rules, groups[0].Rules)
	})
}

// distinctCrawlers are the crawlers that obey different groups of this file: the
// zero Crawler for all without a group of their own, and those of the list that
// the file names. For a name of several crawlers, such as Yandex, that is no crawler's
// own, there is one of them.
func (l *linter) distinctCrawlers() []Crawler {
	if l.distinct != nil {
		return l.distinct
	}
	list := []Crawler{{}}
	var token []byte
	named, shown := map[string]bool{}, map[string]bool{}
	for n := range l.agents {
		named[groupToken(n.value)] = true
	}
	for _, c := range l.Crawlers {
		if len(c.Tokens) == 0 {
			continue
		}
		for _, name := range c.Tokens {
			if token = appendLower(token[:0], name); named[string(token)] && (name == c.Tokens[0] || !shown[c.Profile+name]) {
				list, shown[c.Profile+name] = append(list, c), true
			}
			if named[string(token)] {
				break
			}
		}
	}
	l.distinct = list
	return list
}

// groupsFor are the groups that a crawler obeys by the chosen profiles of its own
// family, or by all of them if it has no name.
func (l *linter) groupsFor(c Crawler) []*Group {
	var groups []*Group
	for _, p := range l.Profiles {
		if len(c.Tokens) > 0 && p.family() != operatorOf(c.Profile) {
			continue
		}
		r := l.readingFor(p, c)
		if r.Access != Parsed || p.NoAllow {
			continue
		}
		if g := l.group(r, c); g.Line > 0 && (len(c.Tokens) > 0 || l.readsRuns(p, g.runs)) {
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
	for i := range readers {
		g := &readers[i]
		a, d := g.onLine(allow), g.onLine(disallow)
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
	ranks []int32 // by line: the rank of its first pattern, from 1; 0 = none
}

func readingsOf(groups []*Group) []reading {
	list := make([]reading, len(groups))
	for i, g := range groups {
		list[i] = reading{Group: g}
		if n := len(g.Rules); n > 0 {
			list[i].ranks = make([]int32, g.Rules[n-1].Line+1)
		}
		for j := len(g.ranked) - 1; j >= 0; j-- {
			list[i].ranks[g.Rules[g.ranked[j].rule].Line] = int32(j + 1)
		}
	}
	return list
}

// onLine is the first pattern of a line, nil = none.
func (r *reading) onLine(line int) *ranked {
	if line >= len(r.ranks) || r.ranks[line] == 0 {
		return nil
	}
	return &r.ranked[r.ranks[line]-1]
}

// reportDifference reports that the groups, one for each profile, judge a path
// differently, if they do; nil = they do not, or it is reported. allow is the line of the allow rule that matches the
// path, 0 = none. reported has the lines that a difference was reported for.
func (l *linter) reportDifference(groups []*Group, path string, allow int, reported map[int]bool) *Finding {
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
		return nil
	}
	reported[line] = true
	f := l.reportValue("RUL007", l.lineAt(line), profiles...)
	if f == nil {
		return nil
	}
	var parts []string
	for _, v := range [...]Verdict{Disallow, Allow, Undefined} {
		if by[v] != nil {
			parts = append(parts, fmt.Sprintf("%s for %s", v.Word(), strings.Join(by[v], ", ")))
		}
	}
	f.What = fmt.Sprintf("%s is %s", escape.Prefix(path, 120), strings.Join(parts, ", "))
	if allow > 0 { // the path is made up
		f.What = "a URL such as " + f.What
	}
	if allow > 0 && allow != line {
		f.What += fmt.Sprintf(" (line %d: %s)", allow, l.ruleText(allow))
		f.Related = []int{allow}
		if path := l.common(groups, path, l.lineAt(allow).value, l.lineAt(line).value); path != "" {
			f.Fix = fmt.Sprintf("Decide if such URLs should be blocked. Below line %d, add %s to block them, or %s to allow them.", line, quote("Disallow: "+path, 120), quote("Allow: "+path, 120))
		}
	}
	return f
}

// common is the path of a rule for URLs that an allow and a disallow rule both match. Added to each of
// groups, it decides about path. "" = it does not, or there is no simple one.
func (l *linter) common(groups []*Group, path, allow, disallow string) string {
	both := strings.TrimRight(allow, "*") + "*" + strings.TrimLeft(disallow, "/*")
	for _, g := range groups {
		if strings.Contains(allow, "$") || !g.wouldWin(Rule{Value: both}, path) || !g.wouldWin(Rule{Allow: true, Value: both}, path) {
			return ""
		}
	}
	return both
}
