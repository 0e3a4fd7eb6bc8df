package engine

import (
	"reflect"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestShare compares readings that share their rules with readings that do not,
// while several goroutines ask both for groups.
func TestShare(t *testing.T) {
	t.Parallel()
	shared := 0
	for _, f := range readCases(t, "google_matcher.jsonl.gz")[:200] {
		var readings []*Robots
		for _, p := range Profiles() {
			readings = append(readings, p.Parse(f.body()))
		}
		readings = append(readings, readings[0]) // of a second crawler
		Share(readings...)
		var all sync.WaitGroup
		for _, r := range readings {
			all.Go(func() {
				alone := r.Profile.Parse(f.body())
				for _, ask := range f.Asks {
					c := token(ask.Agents...)
					got, want := r.Group(c), alone.Group(c)
					if is, should := got.Explain(ask.URL), want.Explain(ask.URL); !reflect.DeepEqual(is, should) || got.Reason != want.Reason || got.Line != want.Line {
						t.Errorf("%s %s %s %s: %s", r.Profile.Name, f.ID, ask.Agents, ask.URL, cmp.Diff(should, is))
					}
				}
			})
		}
		all.Wait()
		for _, r := range readings {
			if r.sharedWith != nil && len(r.rules) > 0 && &r.rules[0] == &r.sharedWith.rules[0] {
				shared++
			}
		}
	}
	if shared == 0 {
		t.Error("nothing was shared")
	}
}
