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
	rules   []Rule
	runs    []int    // of the file
	joins   []join   // rules whose deletion does more than take them away
	robots  *Robots  // only where there are joins: a reading may be large
	twin    *ranking // of the same runs by another reading of the file, which may be in the same order; nil = none

	ordering sync.Once
	ordered  atomic.Bool // what follows is there
	ranked   []ranked    // strongest first
	allows   []int32     // of ranked, those that allow; only where a wildcard makes a conflict

	asked atomic.Int32 // verdicts given without set
	once  sync.Once
	set   atomic.Pointer[match.Set]
}

func newRanking(p *Profile, rules []Rule) *ranking { return &ranking{profile: p, rules: rules} }

// rank puts the rules in order, if they are not yet. Whatever asks for ranked or
// allows calls it first.
func (r *ranking) rank() { r.ordering.Do(r.order) }

func (r *ranking) order() {
	r.ranked = r.profile.precedence(r.rules)
	if r.profile.WildcardConflict {
		for i := range r.ranked {
			if r.ranked[i].allow {
				r.allows = append(r.allows, int32(i))
			}
		}
	}
	if r.twin != nil && r.twin.ordered.Load() && slices.Equal(r.ranked, r.twin.ranked) {
		r.ranked = r.twin.ranked // held in memory once
	}
	r.twin = nil
	r.ordered.Store(true)
}

// owners returns the rule of each pattern.
func (r *ranking) owners() []int32 {
	list := make([]int32, len(r.ranked))
	for i := range r.ranked {
		list[i] = r.ranked[i].rule
	}
	return list
}

// compileAfter is the number of verdicts after which a group's rules are compiled.
// To compile them takes as long as 30 to 100 verdicts without, the more the more
// rules there are.
const compileAfter = 32

// compiled returns the compiled patterns, nil while too few verdicts were asked
// for to make that worth while.
func (r *ranking) compiled() *match.Set {
	if set := r.set.Load(); set != nil || r.asked.Add(1) <= compileAfter {
		return set
	}
	r.once.Do(func() {
		patterns := make([]match.Pattern, len(r.ranked))
		for i := range r.ranked {
			patterns[i] = r.ranked[i].Pattern
		}
		r.set.Store(match.Compile(patterns, r.owners()))
	})
	return r.set.Load()
}
