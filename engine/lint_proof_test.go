package engine

import (
	"math/rand"
	"slices"
	"strings"
	"testing"

	"robots-audit/engine/internal/match"
)

// plainSamples is sampler.samples by its words.
func plainSamples(p match.Pattern, wild byte) []string {
	any := string([]byte{wild})
	text := p.Text
	if p.Literal {
		if strings.HasPrefix(text, "/") {
			return []string{text + any} // a literal pattern is a prefix
		}
		return nil
	}
	if !p.End {
		text += "*"
	}
	filled := strings.ReplaceAll(text, "*", any)
	switch {
	case strings.HasPrefix(text, "/"):
		return []string{filled}
	case strings.HasPrefix(text, "*/"):
		return []string{filled[1:], "/" + filled}
	case strings.HasPrefix(text, "*"):
		return []string{"/" + filled}
	}
	return nil
}

// TestSamples writes all small patterns as paths, one after the other with the same memory.
func TestSamples(t *testing.T) {
	patterns := append(smallPatterns(5, "/", "a", "*"), match.Pattern{}, match.Pattern{End: true}, match.Pattern{Text: "a"}, match.Pattern{Text: "a*b", End: true})
	var s sampler
	for _, p := range patterns {
		for _, p.Literal = range []bool{false, true} {
			var got []string
			first, second := s.samples(p, '?')
			for _, path := range []string{first, second} {
				if path != "" {
					got = append(got, path)
				}
			}
			if want := plainSamples(p, '?'); !slices.Equal(got, want) {
				t.Errorf("%+v: %q, want %q", p, got, want)
			}
		}
	}
}

// TestProver holds what is proved of a group by trying each pattern to what is proved once
// they are compiled, and to what is taken over from another reader.
func TestProver(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	idle := 0
	for range 300 {
		body := []byte(smallFile(random))
		var known proofs
		for _, p := range Profiles() {
			for _, g := range p.Parse(body).Groups() {
				tried, compiled, taken := newProver(g, maxProofWork), newProver(g, maxProofWork), newProver(g, maxProofWork)
				compiled.compile()
				wild := unused(g.ranked)
				var s sampler
				for i := range g.ranked {
					path, _ := s.samples(g.ranked[i].Pattern, wild)
					a, b := tried.bestTwo(path)
					if c, d := compiled.bestTwo(path); a != c || b != d {
						t.Errorf("%s %q on %q: %d and %d, compiled %d and %d", p.Name, body, path, a, b, c, d)
					}
				}
				want := tried.proveIdleRules()
				if got := known.of(taken); !slices.Equal(got, want) {
					t.Errorf("%s %q: %v taken over, want %v", p.Name, body, got, want)
				}
				idle += len(want)
			}
		}
	}
	if idle == 0 {
		t.Error("no rule is idle")
	}
}
