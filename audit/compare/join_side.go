package compare

import (
	"iter"

	"robots-audit/audit"
)

// waitingBytes bounds each of the two generations of waiting URLs in memory. These are some 40,000
// URLs by which the sides may be out of step before temporary files are needed.
const waitingBytes = 4 << 20

// joinSide is one of the two sides. It iterates over the URLs of the side's records, and passes all
// other records to the side. URLs that the other side has not reached yet wait in two generations.
// When the younger one is full, the older one goes to a temporary file, and its memory is reused.
type joinSide struct {
	side   *judged
	hasher *hasher
	next   func() (audit.Record, error, bool)
	list   []audit.URL // remaining URLs of the current batch

	at      known // the current URL
	ahead   bool  // there is a current URL
	hashed  bool
	hashSum keyHash

	waiting [2]lookup
	young   int   // index of the younger generation
	limit   int   // of each generation, in bytes
	line    entry // buffer of entry
	room    known // buffer of read
	spill   spill
}

// peek returns the current URL of the side, nil at the end. It is valid until the call after the
// next pass.
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

// pass moves past the current URL.
func (s *joinSide) pass() { s.ahead = false }

// hash returns the hash of the current URL.
func (s *joinSide) hash() keyHash {
	if !s.hashed {
		s.hashSum, s.hashed = s.hasher.hash(&s.at), true
	}
	return s.hashSum
}

// entry returns a URL as an entry. It is valid until the next call.
func (s *joinSide) entry(k *known, hash keyHash) entry {
	s.line = appendEntry(s.line[:0], k, hash)
	return s.line
}

// read reads an entry of this side. The result is valid until the next call.
func (s *joinSide) read(e entry) *known {
	e.read(s.side, &s.room)
	return &s.room
}

// find returns the first equal URL that waits, and removes it; nil = none. It is valid until the
// next one is read, or one waits.
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

// wait adds a URL to the waiting ones.
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

// left yields the URLs that still wait, oldest first.
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

// lookup finds entries by the hash of their URLs. It uses open addressing with numbers only,
// because a map made a whole comparison 15 % slower.
type lookup struct {
	entries entry    // all entries in a row
	slots   []uint64 // upper half: that of the hash; lower half: position of the entry, plus 1; 0 = free
	used    int      // number of used slots
}

func (l *lookup) reset() {
	l.entries, l.used = l.entries[:0], 0
	clear(l.slots)
}

// add adds a copy of an entry.
func (l *lookup) add(e entry) {
	at := len(l.entries) // position of the first entry that needs a slot
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

// find yields the entries with a hash that were not taken, in the order in which they were added.
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
