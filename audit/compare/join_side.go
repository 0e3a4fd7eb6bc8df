package compare

import (
	"iter"

	"robots-audit/audit"
)

// waitingBytes bounds each of the two generations of the URLs that wait in memory: some
// 40,000 URLs, by which the sides may be out of step before temporary files are needed.
const waitingBytes = 4 << 20

// joinSide is one of the two sides. It walks over the URLs of the side's records; all
// other records go to the side. URLs for which the other side has not come yet wait in two
// generations: once the younger one is full, the older one goes to a temporary file,
// and its room is used again.
type joinSide struct {
	side   *judged
	hasher *hasher
	next   func() (audit.Record, error, bool)
	list   []audit.URL // of the batch at hand that are still to come

	at      known // the URL at which it stands
	ahead   bool  // it stands at a URL
	hashed  bool
	hashSum keyHash

	waiting [2]lookup
	young   int   // which of the two is the younger one
	limit   int   // of each generation, in bytes
	line    entry // room for entry
	room    known // room for read
	spill   spill
}

// peek returns the URL at which the side stands, nil at the end. It holds until the
// call after the next pass.
func (s *joinSide) peek() (*known, error) {
	if s.ahead {
		return &s.at, nil
	}
	for len(s.list) == 0 {
		rec, err, ok := s.next()
		switch {
		case err != nil:
			return nil, err
		case !ok:
			return nil, nil
		case rec.URLs == nil:
			s.side.add(rec)
		default:
			s.list = rec.URLs.List
		}
	}
	s.side.read(&s.list[0], &s.at)
	s.list, s.ahead, s.hashed = s.list[1:], true, false
	return &s.at, nil
}

// pass leaves the URL at which the side stands behind.
func (s *joinSide) pass() { s.ahead = false }

// hash is that of the URL at which the side stands.
func (s *joinSide) hash() keyHash {
	if !s.hashed {
		s.hashSum, s.hashed = s.hasher.hash(&s.at), true
	}
	return s.hashSum
}

// entry is a URL as an entry. It holds until the next one.
func (s *joinSide) entry(k *known, hash keyHash) entry {
	s.line = appendEntry(s.line[:0], k, hash)
	return s.line
}

// read reads an entry of this side. It holds until the next one.
func (s *joinSide) read(e entry) *known {
	e.read(s.side, &s.room)
	return &s.room
}

// find returns the URL that waits, the first one of those that are the same, and takes
// it out; nil = there is none. It holds until the next one is read, or one waits.
func (s *joinSide) find(hash keyHash, k *known) *known {
	for _, generation := range [...]int{s.young ^ 1, s.young} {
		for e := range s.waiting[generation].find(hash.sum) {
			if found := s.read(e); s.hasher.equal(found, k) {
				e.take()
				return found
			}
		}
	}
	return nil
}

// wait has a URL wait.
func (s *joinSide) wait(k *known, hash keyHash) error {
	young := &s.waiting[s.young]
	young.add(s.entry(k, hash))
	if len(young.entries) < s.limit {
		return nil
	}
	s.young ^= 1
	old := &s.waiting[s.young]
	for e := range old.entries.left() {
		if err := s.spill.add(e); err != nil {
			return err
		}
	}
	old.reset()
	return nil
}

// left yields the URLs that still wait, those that came first before others.
func (s *joinSide) left() iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for _, generation := range [...]int{s.young ^ 1, s.young} {
			for e := range s.waiting[generation].entries.left() {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// lookup holds entries that are found by the hash of their URLs: open addressing, by
// numbers alone, since with a map a whole comparison took 15 % longer.
type lookup struct {
	entries entry    // one after the other
	slots   []uint64 // upper half: that of the hash; lower half: where the entry is, plus 1; 0 = free
	used    int      // slots
}

func (l *lookup) reset() {
	l.entries, l.used = l.entries[:0], 0
	clear(l.slots)
}

// add adds a copy of an entry.
func (l *lookup) add(e entry) {
	at := len(l.entries) // of the first entry that needs a slot
	l.entries = append(l.entries, e...)
	if 2*l.used >= len(l.slots) {
		l.slots, l.used = make([]uint64, max(64, 2*len(l.slots))), 0
		at = 0
	}
	mask := uint64(len(l.slots) - 1)
	for at < len(l.entries) {
		e := l.entries[at:]
		slot := e.sum()
		for l.slots[slot&mask] != 0 {
			slot++
		}
		l.slots[slot&mask] = e.sum()&^(1<<32-1) | uint64(at+1)
		l.used++
		at += e.size()
	}
}

// find yields the entries of a hash that were not taken, in the order in which they were added.
func (l *lookup) find(sum uint64) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		mask := uint64(len(l.slots) - 1)
		for slot := sum; len(l.slots) > 0; slot++ {
			found := l.slots[slot&mask]
			if found == 0 {
				return
			}
			if found>>32 != sum>>32 {
				continue
			}
			if e := l.entries[uint32(found)-1:]; e.sum() == sum && !e.taken() && !yield(e) {
				return
			}
		}
	}
}
