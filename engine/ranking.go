package engine

import (
	"slices"
	"sync"
	"sync/atomic"

	"robots-audit/engine/internal/match"
)

// ranking is the rules of a group in order of precedence. They are put in order when
// that is first needed, and compiled once many verdicts were asked for. All groups
// of the same lines share one.
type ranking struct {
	profile *Profile
	runs    []int   // of the file
	joins   []join  // rules whose deletion does more than take them away
	robots  *Robots // only where there are joins: a reading may be large

	ordering  sync.Once
	ordered   atomic.Bool // what follows but for unordered is there
	unordered *unordered  // nil = ordered
	ranked    []ranked    // strongest first
	allows    []int32     // of ranked, those that allow; only where a wildcard makes a conflict

	asked atomic.Int32 // verdicts given while nothing was in order
	tried atomic.Int64 // patterns tried without set
	once  sync.Once
	set   atomic.Pointer[match.Set]
}

// unordered is what the order is made of. It goes when there is one: sites wait in
// memory with theirs.
type unordered struct {
	rules []Rule
	twin  *ranking // of the same runs by another reading of the file, which may be in the same order; nil = none
}

func newRanking(p *Profile, rules []Rule) *ranking {
	return &ranking{profile: p, unordered: &unordered{rules: rules}}
}

// rank puts the rules in order, if they are not yet. Whatever asks for ranked or
// allows calls it first.
func (r *ranking) rank() { r.ordering.Do(r.order) }

func (r *ranking) order() {
	of := r.unordered
	r.ranked = r.profile.precedence(of.rules)
	if r.profile.WildcardConflict {
		for i := range r.ranked {
			if r.ranked[i].allow {
				r.allows = append(r.allows, int32(i))
			}
		}
	}
	if of.twin != nil && of.twin.ordered.Load() && slices.Equal(r.ranked, of.twin.ranked) {
		r.ranked = of.twin.ranked // held in memory once
	}
	r.unordered = nil
	r.ordered.Store(true)
}

// outcomes returns what each pattern says, in four bytes: of 10,000 patterns they stay
// in the processor's near cache, which the patterns themselves do not. Patterns of one
// rule have the same, which makes outcomes good for telling owners.
func (r *ranking) outcomes() []int32 {
	list := make([]int32, len(r.ranked))
	for i := range r.ranked {
		if list[i] = r.ranked[i].rule << 1; r.ranked[i].allow {
			list[i]++
		}
	}
	return list
}

// ruleOf returns the rule of an outcome.
func ruleOf(outcome int32) int32 { return outcome >> 1 }

// verdictOf returns the verdict of an outcome, if nothing but the pattern is asked.
func verdictOf(outcome int32) Verdict {
	if outcome&1 != 0 {
		return Allow
	}
	return Disallow
}

// compiled returns the compiled patterns, nil while too few were tried without to make
// that worth while.
func (r *ranking) compiled() *match.Set {
	if set := r.set.Load(); set != nil || r.tried.Load() < int64(match.CompileCost(len(r.ranked))) {
		return set
	}
	r.once.Do(func() {
		patterns := make([]match.Pattern, len(r.ranked))
		for i := range r.ranked {
			patterns[i] = r.ranked[i].Pattern
		}
		r.set.Store(match.Compile(patterns, r.outcomes()))
	})
	return r.set.Load()
}

// strongest returns the strongest pattern that matches path, -1 = none, by trying one after
// the other.
func (r *ranking) strongest(path string) int32 {
	for i := range r.ranked {
		if r.ranked[i].Match(path) {
			r.tried.Add(int64(i) + 1)
			return int32(i)
		}
	}
	r.tried.Add(int64(len(r.ranked)))
	return -1
}

// strongestTwo returns the strongest pattern that matches path and the strongest one of
// another rule, -1 = none, by trying one after the other.
func (r *ranking) strongestTwo(path string) (best, second int32) {
	best = -1
	for i := range r.ranked {
		switch {
		case !r.ranked[i].Match(path):
		case best < 0:
			best = int32(i)
		case r.ranked[i].rule != r.ranked[best].rule:
			r.tried.Add(int64(i) + 1)
			return best, int32(i)
		}
	}
	r.tried.Add(int64(len(r.ranked)))
	return best, -1
}
