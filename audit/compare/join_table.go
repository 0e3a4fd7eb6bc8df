package compare

// table finds entries by the hash of their URLs: open addressing, by numbers alone.
// Of entries with one hash, those that were added first are found first.
type table struct {
	slots []uint64 // upper half: that of the hash; lower half: where the entry is, plus 1; 0 = free
	used  int
}

// reset empties the table and makes room for n entries.
func (t *table) reset(n int) {
	size := 64
	for size < 2*n {
		size *= 2
	}
	if cap(t.slots) < size {
		t.slots = make([]uint64, size)
	}
	t.slots = t.slots[:size]
	clear(t.slots)
	t.used = 0
}

// full reports whether the table must be made larger before the next entry.
func (t *table) full() bool { return 2*t.used >= len(t.slots) }

func (t *table) add(sum uint64, at uint32) {
	slot := int(sum) & (len(t.slots) - 1)
	for t.slots[slot] != 0 {
		slot = (slot + 1) & (len(t.slots) - 1)
	}
	t.slots[slot] = sum&^(1<<32-1) | uint64(at+1)
	t.used++
}

// find returns the first entry, from a slot on, that may have the hash; slot is where
// to search on for another one. ok = there is one.
func (t *table) find(sum uint64, from int) (at uint32, slot int, ok bool) {
	if len(t.slots) == 0 {
		return 0, 0, false
	}
	for slot = from; ; slot++ {
		s := t.slots[slot&(len(t.slots)-1)]
		if s == 0 {
			return 0, 0, false
		}
		if s>>32 == sum>>32 {
			return uint32(s) - 1, slot + 1, true
		}
	}
}

// begin is the slot at which a search begins.
func (t *table) begin(sum uint64) int { return int(sum) & (len(t.slots) - 1) }
