package engine

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// lintOwnGroups looks for known crawlers with a group of their own, so that rules
// of "*" do not apply to them.
func lintOwnGroups(l *linter) {
	type key struct{ line, rule int }
	type entry struct {
		agent    string
		open     bool // the group blocks nothing
		search   bool // the crawler reads pages for search
		hidden   int
		profiles []*Profile
	}
	found := map[key]*entry{}
	var order []key
	profiles := l.Profiles
	if !l.hasStandard() {
		profiles = append(slices.Clip(profiles), standard) // for the other crawlers
	}
	for _, p := range profiles {
		r := l.reading(p)
		if r.Access != Parsed {
			continue
		}
		star, seen := l.group(r, Crawler{}), map[int]bool{}
		for _, c := range l.namedCrawlers(p) {
			g := l.group(l.readingFor(p, c), c)
			open := blocksNothing(g)
			if seen[g.Line] || g.Reason != Exact && g.Reason != Fallback || !open && !hasPath(g) || open && star.siteBlockingRule() != nil {
				continue // a group that blocks the whole site, or excepts one crawler from that, does so on purpose
			}
			seen[g.Line] = true
			n, first := rulesNotRepeated(star, g)
			if n == 0 {
				continue
			}
			k := key{g.Line, first}
			if found[k] == nil {
				found[k] = &entry{agent: g.nameOf(&c), open: open, search: c.Purpose == "search", hidden: n}
				order = append(order, k)
			}
			found[k].profiles = append(found[k].profiles, p)
		}
	}
	for _, k := range order {
		e := found[k]
		slices.SortFunc(e.profiles, func(a, b *Profile) int { return slices.Index(l.Profiles, a) - slices.Index(l.Profiles, b) })
		if f := l.reportValue("GRP005", l.lineAt(k.line), slices.Compact(e.profiles)...); f != nil {
			which := ""
			if e.open {
				which = ", which blocks nothing"
			}
			f.What = fmt.Sprintf("%s has its own group%s. So it obeys no rule of the * group, and lacks %s", e.agent, which, lacking(e.hidden, fmt.Sprintf("line %d (%s)", k.rule, l.ruleText(k.rule))))
			f.Related = []int{k.rule}
			if e.search {
				f.Fix += " If you copy them, remove these URLs from the sitemap."
			}
		}
	}
}

func lacking(n int, first string) string {
	if n == 1 {
		return first
	}
	return wording.Thousands(n) + " of them, such as " + first
}

// nameOf is the token by which a group names a crawler.
func (g *Group) nameOf(c *Crawler) string {
	for _, token := range c.Tokens {
		if slices.ContainsFunc(g.Tokens, func(value string) bool { return g.profile.names(value, token) }) {
			return token
		}
	}
	return c.Tokens[0]
}

// namedCrawlers are the crawlers of the list that the file names and that read
// it by a profile's family.
func (l *linter) namedCrawlers(p *Profile) []Crawler {
	others := l.crawlersOf(p) == nil
	var list []Crawler
	for _, c := range l.distinctCrawlers()[1:] {
		if !c.IgnoresGlobal && (others || p.family() == operatorOf(c.Profile)) {
			list = append(list, c)
		}
	}
	return list
}

// hasPath reports whether a group blocks some paths and not all.
func hasPath(g *Group) bool {
	some := false
	for i := range g.ranked {
		r := &g.ranked[i]
		if r.allow {
			continue
		}
		if r.forAll() {
			return false
		}
		some = true
	}
	return some
}

// blocksNothing reports whether a group has rules, and none that blocks.
func blocksNothing(g *Group) bool {
	return len(g.Rules) > 0 && !slices.ContainsFunc(g.ranked, func(r ranked) bool { return !r.allow })
}

// forAll reports whether a rule is for the whole site: "Allow: /" names no path.
func (r *ranked) forAll() bool { return strings.TrimLeft(r.Text, "*/") == "" && !r.End }

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
	wild := unused(star.ranked, own.ranked)
	var written sampler
	for i := range star.ranked[:min(len(star.ranked), maxOwnGroupRules)] {
		r := &star.ranked[i]
		if r.allow || r.Literal || wild == 0 {
			continue
		}
		path, _ := written.samples(r.Pattern, wild)
		if path == "" || slices.ContainsFunc(own.ranked, func(o ranked) bool {
			return !(o.allow && o.forAll()) && (o.Match(path) || mayMeet(o.Pattern, r.Pattern))
		}) {
			continue
		}
		if line := star.Rules[r.rule].Line; n == 0 || line < first {
			first = line
		}
		n++
	}
	return n, first
}
