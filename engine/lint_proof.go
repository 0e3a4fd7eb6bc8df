package engine

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/internal/match"
)

// maxProofRules bounds the rules that are compared for one profile. Rules that
// belong to several groups count for each of them.
const maxProofRules = 200_000

// maxProofWork bounds the cost of the comparisons for one profile to about a
// second. Only files come near it whose patterns are so alike that the search
// cannot tell them apart.
const maxProofWork = 200_000_000

// maxBetween bounds the rules of the other verdict that are compared to prove that
// a rule adds nothing.
const maxBetween = 64

// proof is what was proved of a rule in one group.
type proof struct {
	id    string
	other int  // line of the rule that beats it or does the same
	same  bool // both give the same verdict
}

// lintProofs tells which rules never decide, or could go without a change.
// Within a group each rule is looked up as a path (lint_cover.go) in the
// compiled group itself (match.Set): one search a rule, whatever their number. A rule that
// stands in several groups, as those of a run shared by crawlers, must prove
// idle in all of them.
func lintProofs(l *linter) {
	type key struct {
		line int
		proof
	}
	var order []key
	holds := map[key][]*Profile{}
	for _, p := range l.Profiles {
		found := l.robots[p].idleRules()
		lines := make([]int, 0, len(found))
		for line := range found {
			lines = append(lines, line)
		}
		slices.Sort(lines)
		for _, line := range lines {
			k := key{line, found[line]}
			if holds[k] == nil {
				order = append(order, k)
			}
			holds[k] = append(holds[k], p)
		}
	}
	for _, k := range order {
		n := l.lineAt(k.line)
		f := l.reportValue(k.id, n, holds[k]...)
		if f == nil {
			continue
		}
		f.Related = []int{k.other}
		other := l.ruleText(k.other)
		switch {
		case k.id == "RUL006":
			f.What = fmt.Sprintf("line %d (%s) is for the same paths and wins", k.other, other)
		case k.id == "RUL009":
			f.What = fmt.Sprintf("line %d (%s) is stronger on every path that this rule matches", k.other, other)
			if k.same {
				f.Severity = Info
			}
		default:
			f.What = fmt.Sprintf("line %d (%s) does the same on every path that this rule matches", k.other, other)
		}
	}
}

// ruleText writes the rule of a line for use in a sentence.
func (l *linter) ruleText(line int) string {
	n := l.lineAt(line)
	return escape.Prefix(strings.ToLower(n.field)+": "+n.value, 80)
}

// idleRules are the rules of a file that are proved idle, by their lines: those
// that never decide, or without which every verdict would be the same.
func (r *Robots) idleRules() map[int]proof {
	found, idle := map[int]proof{}, map[int]int{} // groups in which a line is idle
	groups := map[int]int{}                       // groups that a line belongs to
	budget, work := maxProofRules, maxProofWork
	for _, g := range r.mergedGroups() {
		if budget -= len(g.Rules); budget < 0 {
			return nil // too many rules to prove anything
		}
		for i := range g.Rules {
			groups[g.Rules[i].Line]++
		}
		work = g.proveIdleRules(work, func(line int, p proof) {
			if idle[line]++; idle[line] == 1 {
				found[line] = p
			}
		})
		if work < 0 {
			return nil
		}
	}
	for line := range found {
		if idle[line] != groups[line] {
			delete(found, line)
		}
	}
	return found
}

// mergedGroups are the different groups that the crawlers named in a file obey.
func (r *Robots) mergedGroups() []*Group {
	runs := map[string][]int{}
	var order []string
	for i, run := range r.runs {
		for _, agent := range r.agents[run.agents:run.agentsEnd] {
			token := groupToken(agent.value)
			if r.Profile.Agents == AgentPrefix || r.Profile.Agents == AgentPart {
				token = strings.ToLower(agent.value)
			}
			list := runs[token]
			if len(list) == 0 {
				order = append(order, token)
			}
			if len(list) == 0 || list[len(list)-1] != i && !r.Profile.FirstGroup {
				runs[token] = append(list, i)
			}
		}
	}
	var groups []*Group
	seen := map[string]bool{}
	for _, token := range order {
		key := fmt.Sprint(runs[token])
		if !seen[key] {
			seen[key] = true
			groups = append(groups, r.group(runs[token]))
		}
	}
	return groups
}

// prover proves rules of one group idle.
type prover struct {
	*Group
	rs     *match.Set
	allows []int32 // of ranked, in order
	denies []int32
	work   int // what the comparisons may still cost
}

// proveIdleRules calls found for each rule that is idle in a group. It returns
// what is left of work, the cost that is allowed; less than 0: it gave up.
func (g *Group) proveIdleRules(work int, found func(line int, p proof)) int {
	p := prover{Group: g, work: work}
	patterns, wild := make([]int, len(g.Rules)), false // patterns of each rule
	for i := range g.ranked {
		r := &g.ranked[i]
		patterns[r.rule]++
		wild = wild || r.wild
		if r.allow {
			p.allows = append(p.allows, int32(i))
		} else {
			p.denies = append(p.denies, int32(i))
		}
	}
	if wild && g.profile.WildcardConflict && len(p.allows) > 0 && len(p.denies) > 0 {
		return work // a beaten allow still makes the outcome undefined
	}
	other := unused(g.ranked)
	if other == 0 {
		return work
	}
	list, owners := make([]match.Pattern, len(g.ranked)), make([]int32, len(g.ranked))
	for i := range g.ranked {
		list[i], owners[i] = g.ranked[i].Pattern, g.ranked[i].rule
	}
	p.rs = match.Compile(list, owners)
	for i := range g.ranked {
		r := &g.ranked[i]
		rule := &g.Rules[r.rule]
		if patterns[r.rule] != 1 || rule.Value == "" {
			continue // an index page with its directory, or a rule that RUL003 speaks of
		}
		if proof, ok := p.proveIdle(int32(i), samples(r.Pattern, other)); ok {
			found(rule.Line, proof)
		}
		if p.work < 0 {
			break
		}
	}
	return p.work
}

// proveIdle tries to prove that pattern i never decides, or that every verdict
// would be the same without it. The latter holds if a weaker rule gives the same
// verdict on all its paths and no rule of the other verdict ranks between the two.
func (p *prover) proveIdle(i int32, samples []string) (proof, bool) {
	if len(samples) == 0 {
		return proof{}, false
	}
	r := &p.ranked[i]
	best, second, work := p.rs.BestTwoCost(samples[0])
	p.work -= work
	by := best
	if best == i {
		by = second
	}
	if by < 0 || p.Rules[p.ranked[by].rule].Value == "" {
		return proof{}, false
	}
	o := &p.ranked[by]
	for _, path := range samples[1:] {
		if !o.Match(path) {
			return proof{}, false
		}
	}
	found := proof{id: "RUL005", other: p.Rules[o.rule].Line, same: o.allow == r.allow}
	equal := within(o.Pattern, r.Pattern)
	switch {
	case by < i && found.same && equal:
	case by < i && equal && o.octets == r.octets:
		found.id = "RUL006"
	case by < i:
		found.id = "RUL009"
	case equal || !found.same || p.decidesBetween(i, by): // of equal ones the weaker is idle
		return proof{}, false
	}
	return found, true
}

// decidesBetween reports whether a rule of the other verdict, weaker than i and
// stronger than j, may share a path with i: without i it would decide there.
func (p *prover) decidesBetween(i, j int32) bool {
	others := p.allows
	if p.ranked[i].allow {
		others = p.denies
	}
	from, _ := slices.BinarySearch(others, i)
	to, _ := slices.BinarySearch(others, j)
	if to-from > maxBetween {
		return true // too many to be sure
	}
	for _, k := range others[from:to] {
		p.work -= meetWork(p.ranked[i].Pattern, p.ranked[k].Pattern)
		if mayMeet(p.ranked[i].Pattern, p.ranked[k].Pattern) {
			return true
		}
	}
	return false
}

// mayMeet reports whether two patterns may match a common path. false is certain,
// true is not.
func mayMeet(a, b match.Pattern) bool {
	if a.Literal || b.Literal {
		return true
	}
	if apart(a, b) {
		return false
	}
	if (len(a.Text)+2)*(len(b.Text)+2) > maxMeet {
		return true
	}
	if _, meets := meet(a, b); meets {
		return true
	}
	return a.Text == "" || b.Text == "" || a.Text[0] != '/' || b.Text[0] != '/'
}

// meetWork is the cost of mayMeet: the size of the table of meet if that is needed,
// else 1.
func meetWork(a, b match.Pattern) int {
	size := (len(a.Text) + 2) * (len(b.Text) + 2)
	if a.Literal || b.Literal || size > maxMeet || apart(a, b) {
		return 1
	}
	return size
}

// apart reports whether two patterns begin with different texts.
func apart(a, b match.Pattern) bool {
	x, y := prefix(a), prefix(b)
	return !strings.HasPrefix(x, y) && !strings.HasPrefix(y, x)
}

// prefix is the text before the first wildcard.
func prefix(p match.Pattern) string {
	before, _, _ := strings.Cut(p.Text, "*")
	return before
}
