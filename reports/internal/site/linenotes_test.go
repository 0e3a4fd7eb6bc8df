package site

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// LineNotes have the same content as a map by line, in any order of adding and reading.
func TestLineNotes(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 0))
		var notes LineNotes
		want := map[originLine][]string{}
		for i := range random.IntN(100) {
			at := originLine{random.IntN(3), random.IntN(20)}
			if random.IntN(2) == 0 {
				at = originLine{1, i} // in the order of findings: line by line
			}
			notes.Add(at.origin, at.line, strconv.Itoa(i))
			want[at] = append(want[at], strconv.Itoa(i))
			at = originLine{random.IntN(3), random.IntN(20)}
			var got []string
			for _, note := range notes.Of(at.origin, at.line) {
				got = append(got, note.Text)
			}
			if !slices.Equal(got, want[at]) {
				t.Fatalf("%v: %q, want %q", at, got, want[at])
			}
		}
	}
}
