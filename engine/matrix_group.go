package engine

import (
	"slices"

	"robots-audit/engine/internal/match"
)

// RuleCount is one rule's part in the verdicts given so far.
type RuleCount struct {
	Rule    Rule
	Matched int64  // URLs whose path the rule matches
	Decided int64  // URLs whose verdict it gives
	Frees   int64  // URLs that would become allowed if this line were deleted
	Blocks  int64  // URLs that would become blocked if this line were deleted
	Join    Join   // what else the deletion does; Frees and Blocks include it
	Unknown string // why Frees and Blocks are not known, as part of a sentence; "" = they are known
}

// matrixGroup is a group within a Matrix: its state for the current URL, and the
// counts of its rules.
type matrixGroup struct {
	group    *Group
	encoding uint // one bit: its profile's encoding among those of the Matrix
	best     match.TopTwo
	outcomes []int32 // for each pattern
	tallies  []tally // for each rule; nil before the first URL
	watched  []bool  // for each rule: see Matrix.Watch; nil = none
	hits     []int32 // the watched rules that match the current URL
	decision Decision
	joins    []matrixJoin // for rules whose deletion adds other rules; in the order of the rules
	special  bool         // verdicts need more than the two strongest patterns
	hidden   bool         // not a group of the caller, only rules that a deletion would add to others
}

// matrixJoin is a join whose effect is counted.
type matrixJoin struct {
	rule int32
	next *matrixGroup // the rules that it adds
}

// tally counts what a rule did so far, as RuleCount reports it.
type tally struct {
	matched, decided, frees, blocks int64
	last                            int64 // number of the last URL that it matched
}

func newMatrixGroup(g *Group) *matrixGroup {
	// Without rules, this is the decision on every URL.
	return &matrixGroup{group: g, decision: g.Verdict("/")}
}

// prepare makes the counts of the rules, at the first URL.
func (g *matrixGroup) prepare() {
	g.tallies = make([]tally, len(g.group.Rules))
	g.outcomes = g.group.outcomes()
	g.special = g.joins != nil || g.group.profile.WildcardConflict
	g.best = match.NewTopTwo(g.outcomes)
}

// appendCounts appends a RuleCount for each rule.
func (g *matrixGroup) appendCounts(list []RuleCount) []RuleCount {
	for i := range g.group.Rules {
		c := RuleCount{Rule: g.group.Rules[i]}
		if g.tallies != nil {
			t := &g.tallies[i]
			c.Matched, c.Decided, c.Frees, c.Blocks = t.matched, t.decided, t.frees, t.blocks
		}
		if c.Unknown = g.group.whyNotCounted(int32(i)); c.Unknown != "" {
			c.Frees, c.Blocks = 0, 0
		} else if join := g.group.joinOf(int32(i)); join >= 0 {
			c.Join = g.group.joinAt(join)
		}
		list = append(list, c)
	}
	return list
}

// SameAs reports whether a Matrix tests two groups together: they give the same verdicts,
// by the same lines, on every URL. This must also be true with any of these lines deleted.
func (g *Group) SameAs(other *Group) bool {
	g.rank()
	other.rank()
	return g.sameAs(other)
}

// sameAs is SameAs for groups that are already ranked.
func (g *Group) sameAs(other *Group) bool {
	return g.ruledAs(other) && g.deletesAs(other)
}

// PlainlyAs reports whether two groups of one response give the same verdicts, by the
// same lines, on all URLs for which PlainURL is true.
func (g *Group) PlainlyAs(other *Group) bool {
	g.rank()
	other.rank()
	return g.access == other.access && slices.Equal(g.Rules, other.Rules) && slices.EqualFunc(g.ranked, other.ranked, ranked.sameAs) &&
		!g.profile.WildcardConflict && !other.profile.WildcardConflict && !g.profile.FirstMatch && !other.profile.FirstMatch
}

// PlainURL reports whether all profiles read the path of a URL the same way. false =
// perhaps not.
func PlainURL(url string) bool {
	path := plainPath(url)
	return path != "" && path != robotsTxt
}

// ruledAs reports whether two groups give the same verdicts, by the same rules
// on the same lines, on every URL.
func (g *Group) ruledAs(other *Group) bool {
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

// sameAs reports whether two patterns of the same rank in two groups are
// equivalent.
func (r ranked) sameAs(other ranked) bool {
	return r.Pattern == other.Pattern && r.rule == other.rule && r.allow == other.allow && r.wild == other.wild
}

// begin clears the matches of the last path.
func (g *matrixGroup) begin() {
	g.best.Reset()
	g.hits = g.hits[:0]
}

// match records that the pattern of a rank matches the path of the url-th URL.
func (g *matrixGroup) match(rank int32, url int64) {
	g.best.Add(rank)
	rule := ruleOf(g.outcomes[rank])
	if t := &g.tallies[rule]; t.last != url {
		t.last = url
		t.matched++
		if g.watched != nil && g.watched[rule] {
			g.hits = append(g.hits, rule)
		}
	}
}

// conclude sets the verdict and counts the rule that decided.
func (g *matrixGroup) conclude(path string) {
	best, second := g.best.Ranks()
	if !g.special {
		g.concludeSimply(path, best, second)
		return
	}
	g.decision = g.group.decide(path, best)
	joined := g.joins != nil && g.countJoins(path, best, second)
	if g.decision.Rule == nil {
		return
	}
	if g.decision.Verdict == Undefined {
		g.countConflict(path, best)
	}
	t := &g.tallies[ruleOf(g.outcomes[best])]
	t.decided++
	if !joined {
		t.count(g.decision.Verdict, g.group.verdictWithout(path, best, second))
	}
}

// concludeSimply is conclude for groups where the strongest pattern always decides,
// and the deletion of a line removes its rule and does nothing else.
func (g *matrixGroup) concludeSimply(path string, best, second int32) {
	g.decision = Decision{Verdict: Allow}
	if best < 0 || g.group.exempt(path) {
		return
	}
	outcome, without := g.outcomes[best], Allow
	g.decision = Decision{verdictOf(outcome), &g.group.Rules[ruleOf(outcome)]}
	if second >= 0 {
		without = verdictOf(g.outcomes[second])
	}
	t := &g.tallies[ruleOf(outcome)]
	t.decided++
	t.count(g.decision.Verdict, without)
}

// countJoins counts the effect of deleting each rule with a join. It reports
// whether the deciding rule is one of them.
func (g *matrixGroup) countJoins(path string, best, second int32) (decides bool) {
	if g.group.exempt(path) {
		return false
	}
	for i := range g.joins {
		j := &g.joins[i]
		left, other := best, int32(-1)
		if other, _ = j.next.best.Ranks(); best >= 0 && ruleOf(g.outcomes[best]) == j.rule {
			left, decides = second, true
		} else if other < 0 && g.decision.Verdict != Undefined {
			continue // neither the rule nor the rules that its deletion adds would decide
		}
		g.tallies[j.rule].count(g.decision.Verdict, g.group.verdictJoined(path, j.rule, left, j.next.group, other))
	}
	return decides
}

// countConflict counts the effect of deleting an allow rule that is the only cause of
// an undefined verdict.
func (g *matrixGroup) countConflict(path string, best int32) {
	rule := g.group.onlyConflict(path, best)
	if rule >= 0 && !slices.ContainsFunc(g.joins, func(j matrixJoin) bool { return j.rule == rule }) {
		g.tallies[rule].count(Undefined, Disallow)
	}
}

// count counts a URL by its verdict and its verdict without the rule.
func (t *tally) count(verdict, without Verdict) {
	switch {
	case without == verdict:
	case without == Allow:
		t.frees++
	case without == Disallow:
		t.blocks++
	}
}
