package audit

import "hash/maphash"

// set remembers strings by a 64-bit hash: 10 to 16 bytes each, however long
// they are. Two different strings are taken for one with a chance of n²/2⁶⁵,
// that is once in 370,000 sites of ten million URLs.
//
// A set of more than a few thousand is split into shards that grow one at a
// time, so that growing never holds more than a hundredth of the set twice.
type set struct {
	seed   maphash.Seed
	small  shard
	shards *[256]shard // nil = all are in small
}

// maxSmall is the number of members from which on a set is split.
const maxSmall = 4096

type shard struct {
	slots []uint64 // open addressing, 0 = free
	used  int
}

func newSet() *set { return &set{seed: maphash.MakeSeed()} }

// add reports whether s is new, and remembers it.
func (t *set) add(s string) bool { return t.addHash(maphash.String(t.seed, s)) }

// addBytes is add for bytes that stand for a string of a class: equal bytes
// of different classes are different members.
func (t *set) addBytes(class int, b []byte) bool { return t.addHash(t.hash(class, b)) }

// hash is what the set knows a member by.
func (t *set) hash(class int, b []byte) uint64 {
	return maphash.Bytes(t.seed, b) + uint64(class)*0x9E3779B97F4A7C15
}

func (t *set) addHash(h uint64) bool {
	if h == 0 {
		h = 1
	}
	if t.shards == nil && t.small.used == maxSmall {
		t.split()
	}
	s := &t.small
	if t.shards != nil {
		s = &t.shards[h>>56]
	}
	return s.add(h)
}

// split moves the members into shards.
func (t *set) split() {
	t.shards = new([256]shard)
	for _, h := range t.small.slots {
		if h != 0 {
			t.shards[h>>56].add(h)
		}
	}
	t.small = shard{}
}

func (s *shard) add(h uint64) bool {
	if s.used >= len(s.slots)*13/16 {
		s.grow()
	}
	return s.insert(h)
}

func (s *shard) insert(h uint64) bool {
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

func (s *shard) grow() {
	old := s.slots
	s.slots = make([]uint64, max(8, len(old)*3/2))
	s.used = 0
	for _, h := range old {
		if h != 0 {
			s.insert(h)
		}
	}
}
