package urlindex

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// Numbers are in the order of the texts.
func TestSortKey(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var texts [][]byte
	for range 300 {
		text := make([]byte, r.IntN(12))
		for i := range text {
			text[i] = []byte{0, 0, 1, 'a', 0xff}[r.IntN(5)]
		}
		texts = append(texts, text)
	}
	for _, a := range texts {
		for _, b := range texts {
			got, want := cmp.Compare(sortKey(a), sortKey(b)), bytes.Compare(a, b)
			if got != want && !(got == 0 && len(a) > 7 && len(b) > 7) {
				t.Fatalf("%q, %q: %d, want %d", a, b, got, want)
			}
		}
	}
}

// Sorting by seven bytes at a time is sorting.
func TestArena(t *testing.T) {
	for seed := range uint64(20) {
		urls := someURLs(rand.New(rand.NewPCG(seed, 4)), 2000)
		if seed == 0 { // long, and equal for long
			for i := range urls {
				urls[i].Loc = string(bytes.Repeat([]byte("long"), 500)) + urls[i].Loc[:len(urls[i].Loc)/2]
			}
		}
		a := arena{}
		for i := range urls {
			if err := a.add(&urls[i]); err != nil {
				t.Fatal(err)
			}
		}
		a.sort(a.items, 0)
		slices.SortFunc(urls, compareURLs)
		for i, u := range urls {
			m, _ := u.meta()
			if got := a.items[i]; string(a.loc(&got)) != u.Loc || got.meta.compare(m) != 0 {
				t.Fatalf("seed %d: %d is %q %+v, want %+v", seed, i, a.loc(&got), got.meta, u)
			}
		}
	}
}
