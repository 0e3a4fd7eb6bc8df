package audit

import (
	"hash/maphash"
	"iter"
)

// HashSet remembers strings, at 10 to 16 bytes each, whatever their length. NewHashSet makes one.
// It is not safe for concurrent use.
//
// It stores a 64-bit hash instead of the string, because a site may have millions of URLs and only
// repetition matters. The chance of a collision is n²/2⁶⁵: one in 370,000 sites of ten million
// URLs. Each set has a random seed, so no site can provoke collisions. A hash is valid only in its
// own set and run.
//
// A set of more than a few thousand members is split into shards that grow one at a time. So
// growing never has more than about a hundredth of the set in memory twice.
type HashSet struct {
	seed   maphash.Seed
	small  hashShard
	shards *[256]hashShard // nil = all are in small
}

// maxSmallSet is the number of members above which a set is split.
const maxSmallSet = 4096

type hashShard struct {
	slots []uint64 // open addressing, 0 = free
	used  int
}

// NewHashSet returns an empty set with a seed of its own.
func NewHashSet() *HashSet { return &HashSet{seed: maphash.MakeSeed()} }

// Add adds a string, as one of class 0, and reports whether it is new.
func (t *HashSet) Add(s string) bool { return t.AddHash(maphash.String(t.seed, s)) }

// AddBytes adds a string of a class as bytes, and reports whether it is new. Equal bytes of
// different classes are different members.
func (t *HashSet) AddBytes(class int, b []byte) bool { return t.AddHash(t.Hash(class, b)) }

// Hash returns the hash by which the set knows a member.
func (t *HashSet) Hash(class int, b []byte) uint64 {
	return t.OfClass(maphash.Bytes(t.seed, b), class)
}

// OfClass returns the hash of a member with n added to its class. Equal bytes of different classes have
// the same low bits, and so are beside each other in memory.
func (t *HashSet) OfClass(hash uint64, n int) uint64 { return hash + uint64(n)<<32 }

// AddHash adds a member by its Hash and reports whether it is new.
func (t *HashSet) AddHash(h uint64) bool {
	if h == 0 {
		h = 1
	}
	if t.shards == nil && t.small.used == maxSmallSet {
		t.split()
	}
	s := &t.small
	if t.shards != nil {
		s = &t.shards[h>>56]
	}
	return s.addHash(h)
}

// HasHash reports whether a member with this Hash has been added.
func (t *HashSet) HasHash(h uint64) bool {
	if h == 0 {
		h = 1
	}
	s := &t.small
	if t.shards != nil {
		s = &t.shards[h>>56]
	}
	return s.has(h)
}

// Hashes yields the hashes of all members, in any order.
func (t *HashSet) Hashes() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		shards := []hashShard{t.small}
		if t.shards != nil {
			shards = t.shards[:]
		}
		for i := range shards {
			for _, h := range shards[i].slots {
				if h != 0 && !yield(h) {
					return
				}
			}
		}
	}
}

// split moves the members into shards.
func (t *HashSet) split() {
	t.shards = new([256]hashShard)
	for _, h := range t.small.slots {
		if h != 0 {
			t.shards[h>>56].addHash(h)
		}
	}
	t.small = hashShard{}
}

// addHash adds a hash, growing the shard where it is nearly full.
func (s *hashShard) addHash(h uint64) bool {
	if s.used >= len(s.slots)*13/16 {
		s.grow()
	}
	return s.insert(h)
}

// insert adds a hash to a shard that has a free slot.
func (s *hashShard) insert(h uint64) bool {
	n := uint64(len(s.slots))
	// Scale the low 32 bits to the number of slots, which need not be a power of two.
	for i := (h & 0xFFFFFFFF) * n >> 32; ; {
		switch s.slots[i] {
		case 0:
			s.slots[i] = h
			s.used++
			return true
		case h:
			return false
		}
		if i++; i == n {
			i = 0
		}
	}
}

// has looks for a hash at the place where insert puts it.
func (s *hashShard) has(h uint64) bool {
	n := uint64(len(s.slots))
	if n == 0 {
		return false
	}
	for i := (h & 0xFFFFFFFF) * n >> 32; s.slots[i] != 0; {
		if s.slots[i] == h {
			return true
		}
		if i++; i == n {
			i = 0
		}
	}
	return false
}

func (s *hashShard) grow() {
	old := s.slots
	s.slots = make([]uint64, max(8, len(old)*3/2))
	s.used = 0
	for _, h := range old {
		if h != 0 {
			s.insert(h)
		}
	}
}
