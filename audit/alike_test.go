package audit

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAlike compares the classes of crawlers with the decisions for each pair.
func TestAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		const crawlers = 8
		a := newAlike(crawlers)
		var pages [][]int
		for range r.IntN(6) {
			page := make([]int, crawlers)
			for i := range page {
				page[i] = max(0, r.IntN(5)-2)
			}
			pages = append(pages, page)
			a.split(func(i, j int) bool { return page[i] == page[j] })
		}
		for i := range crawlers {
			var want []int
			for j := range crawlers {
				if !slices.ContainsFunc(pages, func(page []int) bool { return page[i] != page[j] }) {
					want = append(want, j)
				}
			}
			if got := a.with(i); !slices.Equal(got, want) || !a.all(got) || a[i] != want[0] {
				t.Fatalf("%v: %d is treated as %v, want %v", pages, i, got, want)
			}
		}
	}
}
