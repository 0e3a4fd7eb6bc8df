package audit

import "hash/maphash"

// HashSet remembers which strings it was given, at 10 to 16 bytes each however long they
// are. NewHashSet makes one. It is not safe for concurrent use.
//
// It keeps a 64-bit hash of a string, and not the string: a site may name millions of URLs,
// and the only question is whether one came before. Two different strings are taken for one
// with a chance of n²/2⁶⁵, that is once in 370,000 sites of ten million URLs. Each set has a
// random seed, so that no site can be written to make URLs collide; a hash means nothing to
// another set or another run.
//
// A set of more than a few thousand is split into shards that grow one at a time, so that
// growing never holds more than a hundredth of the set twice.
type HashSet struct {
	seed   maphash.Seed
	small  hashShard
	shards *[256]hashShard // nil = all are in small
}

// maxSmallSet is the number of members from which on a set is split.
const maxSmallSet = 4096

type hashShard struct {
	slots []uint64 // open addressing, 0 = free
	used  int
}

// NewHashSet returns an empty set with a seed of its own.
func NewHashSet() *HashSet { return &HashSet{seed: maphash.MakeSeed()} }

// Add adds a string, as one of class 0, and reports whether it is new.
func (t *HashSet) Add(s string) bool { return t.AddHash(maphash.String(t.seed, s)) }

// AddBytes adds bytes that stand for a string of a class, and reports whether
// they are new: equal bytes of different classes are different members.
func (t *HashSet) AddBytes(class int, b []byte) bool { return t.AddHash(t.Hash(class, b)) }

// Hash returns what the set knows a member by.
func (t *HashSet) Hash(class int, b []byte) uint64 {
	return maphash.Bytes(t.seed, b) + uint64(class)*0x9E3779B97F4A7C15
}

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
	// The low 32 bits, scaled to the number of slots: it need not be a power of two.
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

// has looks for a hash where insert puts it.
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
