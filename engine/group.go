package engine

import (
	"iter"
	"slices"
	"strings"
)

// GroupReason says why a group was chosen.
type GroupReason string

const (
	Exact    GroupReason = "exact"    // a group names the crawler's first product token
	Fallback GroupReason = "fallback" // a group names another token of the crawler
	Global   GroupReason = "global"   // the group of "*"
	None     GroupReason = "none"     // no group applies: everything is allowed
	Exempt   GroupReason = "exempt"   // only "*" would apply, which this crawler does not obey
)

// Group is the rules that one crawler obeys in one file. It is never nil,
// whatever the access result. To its users it is immutable: internally it
// compiles its rules after many verdicts. Several goroutines may use it.
type Group struct {
	Reason     GroupReason
	Line       int      // first user-agent line; 0 = none
	Tokens     []string // values of its user-agent lines as written
	Rules      []Rule   // in the order of the file
	CrawlDelay float64  // seconds, if the profile or the crawler obeys it; 0 = none

	access Access
	reread *reread // nil = deleting a line never changes how other lines are read
	*ranking
}

// Group chooses the group that a crawler obeys.
func (r *Robots) Group(c Crawler) *Group {
	if r.Access != Parsed {
		return &Group{Reason: None, access: r.Access, ranking: newRanking(r.Profile, nil)}
	}
	reason, runs, global := r.choose(&c)
	g := *r.groupOf(runs) // its ranking is shared by all crawlers that obey these runs
	g.Reason, g.CrawlDelay = reason, r.delay(&c, runs, global)
	if r.Unread > 0 || len(r.rereads) > 0 {
		g.reread = &reread{robots: r, crawler: c}
	}
	return &g
}

// groupOf returns the group of runs. It makes each group once.
func (r *Robots) groupOf(runs []int) *Group {
	known := r.askedBefore(runs)
	if known == nil {
		known = r.group(runs)
		if r.sharedWith != nil {
			known.lookLike(r.sharedWith.askedBefore(runs))
		}
		r.keep(known)
	}
	return known
}

// lookLike lets a group use the ranked patterns of another group if they are
// equal, to save memory.
func (g *Group) lookLike(other *Group) {
	if other != nil {
		g.unordered.twin = other.ranking
	}
}

// group makes one group of runs.
func (r *Robots) group(runs []int) *Group {
	g := &Group{access: r.Access}
	r.fill(g, runs)
	g.ranking = newRanking(r.Profile, g.Rules)
	g.runs = runs
	if g.joins = r.joinsOf(runs); g.joins != nil {
		g.robots = r
	}
	return g
}

// choose finds the runs that make up the crawler's group, and says why. global
// are the runs of "*".
func (r *Robots) choose(c *Crawler) (reason GroupReason, runs, global []int) {
	p := r.Profile
	var own []int
	best := 0
	for i, run := range r.runs {
		rank := 0
		for _, agent := range r.agents[run.agents:run.agentsEnd] {
			rank = max(rank, p.agentRank(agent.value, c))
			if p.isGlobal(agent.value) && (len(global) == 0 || global[len(global)-1] != i) {
				global = append(global, i)
			}
		}
		if rank == 0 || rank < best && !p.Unite {
			continue
		}
		if rank > best && !p.Unite {
			own = own[:0]
		}
		best = max(best, rank)
		own = append(own, i)
	}
	if p.FirstGroup {
		own, global = own[:min(1, len(own))], global[:min(1, len(global))]
	}
	switch {
	case len(own) > 0 && best >= p.exactRank(c):
		return Exact, own, global
	case len(own) > 0:
		return Fallback, own, global
	case len(global) > 0 && p.Exemptions && c.IgnoresGlobal:
		return Exempt, nil, global
	case len(global) > 0:
		return Global, global, global
	}
	return None, nil, global
}

// fill puts the user-agent lines and rules of runs into the group.
func (r *Robots) fill(g *Group, runs []int) {
	size := 0
	for _, i := range runs {
		size += r.runs[i].rulesEnd - r.runs[i].rules
	}
	for n, i := range runs {
		run := r.runs[i]
		for _, agent := range r.agents[run.agents:run.agentsEnd] {
			if g.Line == 0 {
				g.Line = agent.line
			}
			g.Tokens = append(g.Tokens, agent.value)
		}
		if rules := r.rules[run.rules:run.rulesEnd:run.rulesEnd]; n == 0 {
			g.Rules = rules
		} else {
			g.Rules = append(slices.Grow(g.Rules, size-len(g.Rules)), rules...)
		}
	}
}

// Groups returns the groups in the order of the file, as written: groups with
// the same product token are not merged. They have no Reason, since no crawler
// chose them. They give verdicts like any other group.
func (r *Robots) Groups() []*Group {
	list := make([]*Group, len(r.runs))
	for i := range r.runs {
		list[i] = r.group([]int{i})
	}
	return list
}

// GroupRules yields the user-agent values and the rules of each group in Groups.
// It is cheaper, since it prepares no verdicts.
func (r *Robots) GroupRules() iter.Seq2[[]string, []Rule] {
	return func(yield func(tokens []string, rules []Rule) bool) {
		for i := range r.runs {
			var g Group
			if r.fill(&g, []int{i}); !yield(g.Tokens, g.Rules) {
				return
			}
		}
	}
}

// Exception returns the value of an allow rule for a URL alone, such as "/a?b$". If the rule
// is added to the group, the URL is allowed. "" = it would not be, or this is not known.
func (g *Group) Exception(url string) string {
	path, slash := pathOf(url)
	rule := Rule{Allow: true, Value: path + "$"}
	if slash || strings.ContainsAny(path, "*$`") || strings.ContainsFunc(path, func(c rune) bool { return c <= ' ' }) || !g.wouldWin(rule, url) {
		return ""
	}
	return rule.Value
}

// wouldWin reports whether a rule would decide about a URL if it were added to
// the group.
func (g *Group) wouldWin(rule Rule, url string) bool {
	list := g.profile.appendRanked(nil, 0, &rule)
	if g.access != Parsed || g.profile.FirstMatch || g.profile.WildcardConflict || len(list) == 0 {
		return false
	}
	g.rank()
	path, _ := g.profile.Encoding.path(url, nil)
	x, best := &list[0], g.best(path)
	return x.Match(path) && (best < 0 || x.octets > g.ranked[best].octets || x.octets == g.ranked[best].octets && x.allow)
}
