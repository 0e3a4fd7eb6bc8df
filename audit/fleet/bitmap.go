package fleet

import (
	"slices"
)

// bitmap is a set of ordinals, one bit each: a hundred million sites take 12.5 MB. The zero value is empty.
// It grows to the largest ordinal in the set.
type bitmap struct {
	words []uint64
	count int
}

// has reports whether an ordinal is in the set.
func (b *bitmap) has(n int) bool {
	return n >= 0 && n/64 < len(b.words) && b.words[n/64]&(1<<(n%64)) != 0
}

// set adds an ordinal of 0 or more, and reports whether it is new.
func (b *bitmap) set(n int) bool {
	if b.has(n) {
		return false
	}
	if missing := n/64 + 1 - len(b.words); missing > 0 {
		b.words = append(b.words, make([]uint64, missing)...)
	}
	b.words[n/64] |= 1 << (n % 64)
	b.count++
	return true
}

// clear removes an ordinal from the set.
func (b *bitmap) clear(n int) {
	if b.has(n) {
		b.words[n/64] &^= 1 << (n % 64)
		b.count--
	}
}

// clone returns an independent copy.
func (b *bitmap) clone() *bitmap { return &bitmap{words: slices.Clone(b.words), count: b.count} }
