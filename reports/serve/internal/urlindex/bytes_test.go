package urlindex

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// What looks at eight bytes at a time does as the plain way does.
func TestBytes(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 63} {
		for c := range 256 {
			text := bytes.Repeat([]byte{byte(c), byte(c + 1), 'Q'}, n)
			var want []byte
			for _, c := range text {
				if 'A' <= c && c <= 'Z' {
					c += 'a' - 'A'
				}
				want = append(want, c)
			}
			toLower(text)
			if !bytes.Equal(text, want) {
				t.Fatalf("%q, want %q", text, want)
			}
		}
	}
	a := bytes.Repeat([]byte("abc"), 10)
	for differs := range a {
		for length := range len(a) + 1 {
			b := bytes.Clone(a)
			b[differs] ^= 0x80
			if got := sharedBytes(a, b[:length]); got != min(differs, length) {
				t.Fatalf("differs at %d of %d: %d", differs, length, got)
			}
		}
	}
}

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
			got, want := cmp.Compare(sortKey(a, 0), sortKey(b, 0)), bytes.Compare(a, b)
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
		a := arena{limit: 16 << 20}
		for i := range urls {
			a.add(&urls[i], metaOfURL(&urls[i]))
		}
		a.sort()
		slices.SortFunc(urls, compareURLs)
		for i, u := range urls {
			if got := a.meta(a.items[i]).url(a.loc(a.items[i])); compareURLs(got, u) != 0 {
				t.Fatalf("seed %d: %d is %+v, want %+v", seed, i, got, u)
			}
		}
	}
}
