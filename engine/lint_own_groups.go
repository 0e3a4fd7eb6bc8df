package engine

import (
	"fmt"
	"slices"
	"strings"
)

// lintOwnGroups looks for known crawlers with a group of their own, so that rules
// of "*" do not apply to them.
func lintOwnGroups(l *linter) {
	type key struct{ line, rule int }
	type entry struct {
		agent    string
		hidden   int
		profiles []*Profile
	}
	found := map[key]*entry{}
	var order []key
	for _, p := range l.Profiles {
		r := l.robots[p]
		if r.Access != Parsed {
			continue
		}
		star, seen := l.group(r, Crawler{}), map[int]bool{}
		for _, c := range l.namedCrawlers(p) {
			g := l.group(l.readingFor(p, c), c)
			if seen[g.Line] || g.Reason != Exact || !hasPath(g) {
				continue // a group that opens or blocks the whole site does so on purpose
			}
			seen[g.Line] = true
			n, first := rulesNotRepeated(star, g)
			if n == 0 {
				continue
			}
			k := key{g.Line, first}
			if found[k] == nil {
				found[k] = &entry{agent: c.Tokens[0], hidden: n}
				order = append(order, k)
			}
			found[k].profiles = append(found[k].profiles, p)
		}
	}
	for _, k := range order {
		e := found[k]
		slices.SortFunc(e.profiles, func(a, b *Profile) int { return slices.Index(l.Profiles, a) - slices.Index(l.Profiles, b) })
		if f := l.reportValue("GRP005", l.lineAt(k.line), slices.Compact(e.profiles)...); f != nil {
			f.What = fmt.Sprintf("%s has its own group, so %s, such as line %d (%s)", e.agent, notBound(e.hidden), k.rule, l.ruleText(k.rule))
			f.Related = []int{k.rule}
		}
	}
}

func notBound(n int) string {
	if n == 1 {
		return "a rule of * does not bind it"
	}
	return fmt.Sprintf("%d rules of * do not bind it", n)
}

// namedCrawlers are the crawlers of the list that the file names and that read
// it by a profile's family.
func (l *linter) namedCrawlers(p *Profile) []Crawler {
	family := p.family()
	return slices.DeleteFunc(l.distinctCrawlers()[1:], func(c Crawler) bool {
		return c.IgnoresGlobal || family != c.Profile && (family == "google" || family == "yandex")
	})
}

// hasPath reports whether a group blocks some paths and not all.
func hasPath(g *Group) bool {
	some := false
	for i := range g.ranked {
		r := &g.ranked[i]
		if r.allow {
			continue
		}
		if text := strings.TrimLeft(r.Text, "*/"); text == "" && !r.End {
			return false
		}
		some = true
	}
	return some
}

// maxOwnGroupRules bounds the rules of a group that are compared with those of "*",
// and the rules of "*".
const maxOwnGroupRules = 500

// rulesNotRepeated counts the disallow rules of "*" with whose paths no rule of
// another group has to do, and returns the line of the first one. If the group
// blocks the same paths by another rule, or allows some of them, its author knows
// of them.
func rulesNotRepeated(star, own *Group) (n, first int) {
	if len(own.ranked) > maxOwnGroupRules {
		return 0, 0
	}
	wild := unused(append(slices.Clone(star.ranked), own.ranked...))
	for i := range star.ranked[:min(len(star.ranked), maxOwnGroupRules)] {
		r := &star.ranked[i]
		if r.allow || r.Literal || wild == 0 {
			continue
		}
		paths := samples(r.Pattern, wild)
		if len(paths) == 0 || slices.ContainsFunc(own.ranked, func(o ranked) bool { return o.Match(paths[0]) || mayMeet(o.Pattern, r.Pattern) }) {
			continue
		}
		if line := star.Rules[r.rule].Line; n == 0 || line < first {
			first = line
		}
		n++
	}
	return n, first
}
