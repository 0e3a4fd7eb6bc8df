package match

import "math"

// none means "no pattern" in the search for the best two: it is weaker than any
// pattern.
const none = math.MaxInt32

// TopTwo finds the best two of the patterns that are added to it, from
// different rules: the deciding one, and the one that decides without that
// rule. Make one with NewTopTwo. Only one goroutine may use it at a time.
type TopTwo struct {
	owner        []int32 // as for Compile
	best, second int32
}

// NewTopTwo makes an empty TopTwo. owner is the same as for Compile.
func NewTopTwo(owner []int32) TopTwo { return TopTwo{owner: owner, best: none, second: none} }

// Reset removes all patterns.
func (t *TopTwo) Reset() { t.best, t.second = none, none }

// Add adds the pattern of a rank, in any order.
func (t *TopTwo) Add(rank int32) {
	switch {
	case rank < t.best:
		if t.best != none && !t.sameRule(rank, t.best) {
			t.second = t.best
		}
		t.best = rank
	case rank < t.second && rank != t.best && !t.sameRule(rank, t.best):
		t.second = rank
	}
}

func (t *TopTwo) sameRule(a, b int32) bool { return t.owner != nil && t.owner[a] == t.owner[b] }

// Ranks returns the smallest rank that was added and the smallest one of another
// rule; -1 = there is none.
func (t *TopTwo) Ranks() (best, second int32) {
	best, second = t.best, t.second
	if best == none {
		best = -1
	}
	if second == none {
		second = -1
	}
	return best, second
}
