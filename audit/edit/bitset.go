package edit

import (
	"encoding/binary"
	"math/bits"
)

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }

// count returns the number of members.
func (b bitset) count() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// countOf returns the number of members that are also in other.
func (b bitset) countOf(other bitset) (n int) {
	for i, w := range b {
		n += bits.OnesCount64(w & other[i])
	}
	return n
}

// within reports whether all members are also in other.
func (b bitset) within(other bitset) bool {
	for i, w := range b {
		if w&^other[i] != 0 {
			return false
		}
	}
	return true
}

// and returns the members that are also in other.
func (b bitset) and(other bitset) bitset {
	c := make(bitset, len(b))
	for i, w := range b {
		c[i] = w & other[i]
	}
	return c
}

// without returns the members that are not in other.
func (b bitset) without(other bitset) bitset {
	c := make(bitset, len(b))
	for i, w := range b {
		c[i] = w &^ other[i]
	}
	return c
}

// or adds the members of other.
func (b bitset) or(other bitset) {
	for i, w := range other {
		b[i] |= w
	}
}

// bitsets makes bitsets; equal ones share memory.
type bitsets struct {
	by  map[string]bitset
	key []byte
}

func newBitsets(n int) *bitsets {
	return &bitsets{by: map[string]bitset{}, key: make([]byte, 0, (n+63)/64*8)}
}

// and returns the common members of two bitsets.
func (b *bitsets) and(one, other bitset) bitset {
	b.key = b.key[:0]
	for i, w := range one {
		b.key = binary.LittleEndian.AppendUint64(b.key, w&other[i])
	}
	set, known := b.by[string(b.key)]
	if !known {
		set = one.and(other)
		b.by[string(b.key)] = set
	}
	return set
}
