package model

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit/compare"
	"robots-audit/engine"
)

// TestOutcomes: crawlers are together only if verdicts, rules and changed lines are the same.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	blocked := compare.Verdicts{Class: compare.NewlyBlocked, Was: engine.Allow, Is: engine.Disallow, New: engine.Rule{Line: 2, Value: "/a"}, Lines: []int{1}}
	change := func(edit func(v *compare.Verdicts)) compare.Verdicts {
		v := blocked
		edit(&v)
		return v
	}
	same := compare.Verdicts{Class: compare.Same, Was: engine.Disallow, Is: engine.Disallow}
	allowed := compare.Verdicts{Class: compare.Same, Was: engine.Allow, Is: engine.Allow}
	for name, c := range map[string]struct {
		flip compare.Flip
		want [][]int
	}{
		"alike":              {compare.Flip{Verdicts: []compare.Verdicts{blocked, same, blocked}}, [][]int{{0, 2}}},
		"another rule":       {compare.Flip{Verdicts: []compare.Verdicts{blocked, change(func(v *compare.Verdicts) { v.New.Line = 3 })}}, [][]int{{0}, {1}}},
		"other lines":        {compare.Flip{Verdicts: []compare.Verdicts{same, blocked, change(func(v *compare.Verdicts) { v.Lines = []int{4} }), blocked}}, [][]int{{1, 3}, {2}}},
		"lines together":     {compare.Flip{Verdicts: []compare.Verdicts{blocked, change(func(v *compare.Verdicts) { v.Together = true })}}, [][]int{{0}, {1}}},
		"appeared":           {compare.Flip{Appeared: true, Verdicts: []compare.Verdicts{allowed, same, allowed}}, [][]int{{1}}},
		"nothing became new": {compare.Flip{Verdicts: []compare.Verdicts{same, allowed}}, nil},
	} {
		var got [][]int
		for alike := range Outcomes(&c.flip) {
			got = append(got, slices.Clone(alike))
		}
		if !cmp.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
