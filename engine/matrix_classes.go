package engine

import "slices"

// newAlike finds the classes, of a Matrix whose patterns are compiled.
func (m *Matrix) newAlike() *alike {
	a := &alike{matrix: m, nothing: make([]Decision, len(m.groups)), patterns: make([]alikePattern, len(m.first)-1),
		classes: make([]alikeClass, 1), runs: make([]alikeRun, len(m.runs))}
	for i, g := range m.groups {
		if a.nothing[i] = g.decision; slices.Contains(m.distinct, g) {
			a.nothing[i] = Decision{Verdict: Allow}
		}
	}
	if len(m.distinct) > 64 {
		return a
	}
	sets := a.findClasses()
	a.ranks = make([]int32, 0, len(m.uses))
	for i := range a.patterns {
		p := &a.patterns[i]
		if p.class = int32(1 + slices.IndexFunc(a.classes[1:], func(c alikeClass) bool { return c.set == sets[i] })); p.class > 0 {
			p.ranks = int32(len(a.ranks))
			for _, u := range m.uses[m.first[i]:m.first[i+1]] { // in the order of Matrix.distinct, as the groups of the class
				a.ranks = append(a.ranks, u.rank)
			}
		}
	}
	for i, run := range m.runs {
		a.runs[i].to = run.to
		for k, c := range a.classes {
			if at := slices.IndexFunc(c.groups, func(g alikeGroup) bool { return g.group == run.group }); at >= 0 {
				a.runs[i] = alikeRun{run.to, int32(k), int32(at)}
			}
		}
	}
	return a
}

// findClasses returns the groups of each pattern, 0 where it does not do the same to all of
// them, and makes classes of those sets of groups that most patterns have.
func (a *alike) findClasses() []uint64 {
	m := a.matrix
	for i, g := range m.distinct {
		g.bit = 1 << i
	}
	for _, g := range m.distinct {
		if g.special {
			g.bit = 0
		}
		for i := range g.joins {
			g.joins[i].next.bit = 0
		}
	}
	sets, count := make([]uint64, len(a.patterns)), map[uint64]int{}
	var known []uint64 // the sets, each once
	for i := range a.patterns {
		p, uses := &a.patterns[i], m.uses[m.first[i]:m.first[i+1]]
		p.decision = uses[0].group.decisionOf(uses[0].rank)
		for _, u := range uses {
			g := u.group
			if g.bit == 0 || g.group.profile.hasTwin(p.decision.Rule) || g.watched != nil && g.watched[ruleOf(g.outcomes[u.rank])] || g.decisionOf(u.rank) != p.decision {
				sets[i] = 0
				break
			}
			sets[i] |= g.bit
		}
		if count[sets[i]]++; count[sets[i]] == 1 && sets[i] != 0 {
			known = append(known, sets[i])
		}
	}
	slices.SortStableFunc(known, func(a, b uint64) int { return count[b] - count[a] })
	taken := uint64(0)
	for _, set := range known {
		if set&taken != 0 {
			continue
		}
		taken |= set
		c := alikeClass{set: set}
		for _, g := range m.distinct {
			if set&g.bit != 0 {
				c.groups = append(c.groups, alikeGroup{group: g})
			}
		}
		a.classes = append(a.classes, c)
	}
	return sets
}
