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

// judge is a group within a Matrix: its part of the search for one path, and
// the counts of its rules.
type judge struct {
	group    *Group
	encoding uint // a bit: which path it looks at
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

func newJudge(g *Group) *judge {
	// What holds for every URL where there are no rules to be looked at.
	return &judge{group: g, decision: g.Verdict("/")}
}

// prepare makes room for what the rules do.
func (j *judge) prepare() {
	j.tallies = make([]tally, len(j.group.Rules))
	j.owner = j.group.owners()
	j.best = match.NewTopTwo(j.owner)
}

// count returns what the rules did.
func (j *judge) count() []RuleCount {
	list := make([]RuleCount, len(j.group.Rules))
	for i := range list {
		list[i].Rule = j.group.Rules[i]
		if j.tallies != nil {
			t := &j.tallies[i]
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
	return a == b || a.Encoding.key() == b.Encoding.key() &&
		a.RobotsTxtJudged == b.RobotsTxtJudged && a.WildcardConflict == b.WildcardConflict
}

// sameAs reports whether two patterns at one place in the order of precedence
// do the same.
func (r ranked) sameAs(other ranked) bool {
	return r.Pattern == other.Pattern && r.rule == other.rule && r.allow == other.allow && r.wild == other.wild
}

// begin forgets the last path.
func (j *judge) begin() { j.best.Reset() }

// match takes note that the pattern of a rank matches the path of the url-th URL.
func (j *judge) match(rank int32, url int64) {
	j.best.Add(rank)
	if t := &j.tallies[j.owner[rank]]; t.last != url {
		t.last = url
		t.matched++
	}
}

// conclude gives the verdict and counts the part of the rule that gave it.
func (j *judge) conclude(path string) {
	best, second := j.best.Ranks()
	j.decision = j.group.decide(path, best)
	if j.decision.Rule == nil {
		return
	}
	t := &j.tallies[j.owner[best]]
	t.decided++
	switch without := j.group.without(path, best, second); {
	case without == j.decision.Verdict:
	case without == Allow:
		t.frees++
	case without == Disallow:
		t.blocks++
	}
}
