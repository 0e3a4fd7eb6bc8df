package urlindex

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// Sorting by eight bytes at a time gives a sorted list.
func TestArena(t *testing.T) {
	for seed := range uint64(20) {
		urls := someURLs(rand.New(rand.NewPCG(seed, 4)), 2000)
		if seed == 0 { // long, with long equal beginnings
			for i := range urls {
				urls[i].Loc = string(bytes.Repeat([]byte("long"), 500)) + urls[i].Loc[:len(urls[i].Loc)/2]
			}
		}
		a := arena{}
		for e := range each(NewDictionary(), urls) {
			if err := a.add(&e); err != nil {
				t.Fatal(err)
			}
		}
		a.sort(a.items, 0)
		slices.SortFunc(urls, compareURLs)
		for i, u := range urls {
			var got class
			got.read(a.text[a.items[i].to:])
			if loc := a.loc(&a.items[i]); string(loc) != u.Loc || got.site != uint32(u.Site) || got.kind != uint8(u.Kind)+1 {
				t.Fatalf("seed %d: %d is %q %+v, want %+v", seed, i, loc, got, u)
			}
		}
	}
}
