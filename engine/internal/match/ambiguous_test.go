package match

import (
	"math/rand/v2"
	"testing"

	"robots-audit/engine/internal/match/matchtest"
)

// TestAmbiguousSet compares compiled sets with ambiguous patterns, of all shapes, with each
// single pattern.
func TestAmbiguousSet(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var patterns []Pattern
	for _, text := range matchtest.Texts(5, "a", "*", "?", "=", "%3D", "%2F", "/") {
		if r.IntN(12) == 0 {
			p := Pattern{Text: "/" + text, End: r.IntN(3) == 0}
			p.Ambiguous = IsAmbiguous(p.Text)
			patterns = append(patterns, p)
		}
	}
	paths := matchtest.Texts(4, "/a", "?", "=", "%3D", "/", "%2F")
	ambiguous, matched := 0, 0
	for _, size := range []int{1, usual.list, 300} {
		var s Scratch
		for from := 0; from < min(len(patterns), 20*size); from += size {
			some := patterns[from:min(from+size, len(patterns))]
			sets := []*Set{Compile(some, nil), compile(some, nil, limits{})}
			for _, path := range paths {
				var want []int32
				for i, p := range some {
					if p.Match("/" + path) {
						want = append(want, int32(i))
						if p.Ambiguous {
							matched++
						}
					}
				}
				for _, set := range sets {
					check(t, set, "/"+path, want, &s)
				}
			}
			for _, p := range some {
				if p.Ambiguous {
					ambiguous++
				}
			}
		}
	}
	if ambiguous < 500 || matched < 10_000 {
		t.Errorf("%d ambiguous patterns, %d matches", ambiguous, matched)
	}
}
