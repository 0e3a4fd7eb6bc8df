package engine

import (
	"slices"

	"robots-audit/engine/internal/match"
)

// RuleCount is one rule's part in the verdicts given so far.
type RuleCount struct {
	Rule    Rule
	Matched int64 // URLs whose path the rule matches
	Decided int64 // URLs whose verdict it gives
	Frees   int64 // decided URLs that would be allowed if this rule were deleted
	Blocks  int64 // decided URLs that would be blocked if this rule were deleted
}

// matrixGroup is a group within a Matrix: what was found for the URL at hand, and
// the counts of its rules.
type matrixGroup struct {
	group    *Group
	encoding uint // one bit: which of the Matrix's encodings its profile has
	best     match.TopTwo
	owner    []int32 // the rule of each pattern
	tallies  []tally // of each rule; nil before the first URL
	decision Decision
}

// tally is what a rule did so far, as RuleCount has it.
type tally struct {
	matched, decided, frees, blocks int64
	last                            int64 // number of the last URL that it matched
}

func newMatrixGroup(g *Group) *matrixGroup {
	// Where there are no rules, this is the decision on every URL.
	return &matrixGroup{group: g, decision: g.Verdict("/")}
}

// prepare makes the counts of the rules, at the first URL.
func (g *matrixGroup) prepare() {
	g.tallies = make([]tally, len(g.group.Rules))
	g.owner = g.group.owners()
	g.best = match.NewTopTwo(g.owner)
}

// count returns what the rules did.
func (g *matrixGroup) count() []RuleCount {
	list := make([]RuleCount, len(g.group.Rules))
	for i := range list {
		list[i].Rule = g.group.Rules[i]
		if g.tallies != nil {
			t := &g.tallies[i]
			list[i].Matched, list[i].Decided, list[i].Frees, list[i].Blocks = t.matched, t.decided, t.frees, t.blocks
		}
	}
	return list
}

// sameAs reports whether two groups give the same verdicts, by the same rules
// of the same lines, on every URL.
func (g *Group) sameAs(other *Group) bool {
	if g == other || g.ranking == other.ranking && g.access == other.access {
		return true
	}
	if g.access != other.access || !slices.Equal(g.Rules, other.Rules) ||
		!slices.EqualFunc(g.ranked, other.ranked, ranked.sameAs) {
		return false
	}
	if len(g.ranked) == 0 {
		return true
	}
	a, b := g.profile, other.profile
	return a == b || a.Encoding == b.Encoding &&
		a.RobotsTxtJudged == b.RobotsTxtJudged && a.WildcardConflict == b.WildcardConflict
}

// sameAs reports whether two patterns of the same rank in two groups do the same.
func (r ranked) sameAs(other ranked) bool {
	return r.Pattern == other.Pattern && r.rule == other.rule && r.allow == other.allow && r.wild == other.wild
}

// begin forgets what the last path matched.
func (g *matrixGroup) begin() { g.best.Reset() }

// match takes note that the pattern of a rank matches the path of the url-th URL.
func (g *matrixGroup) match(rank int32, url int64) {
	g.best.Add(rank)
	if t := &g.tallies[g.owner[rank]]; t.last != url {
		t.last = url
		t.matched++
	}
}

// conclude gives the verdict and counts the part of the rule that gave it.
func (g *matrixGroup) conclude(path string) {
	best, second := g.best.Ranks()
	g.decision = g.group.decide(path, best)
	if g.decision.Rule == nil {
		return
	}
	t := &g.tallies[g.owner[best]]
	t.decided++
	switch without := g.group.verdictWithout(path, best, second); {
	case without == g.decision.Verdict:
	case without == Allow:
		t.frees++
	case without == Disallow:
		t.blocks++
	}
}
