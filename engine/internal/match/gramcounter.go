package match

import (
	"cmp"
	"math/bits"
	"slices"
)

// gramCounter counts grams, so that each pattern can be found by its rarest one,
// and then collects the chosen ones.
type gramCounter struct {
	table  gramIndex
	counts []uint32  // occurrences by slot: grams that share a slot are as bad as equal ones
	begins [256]bool // bytes that chosen grams begin with
	chosen []slotEntry
}

// slotEntry is an entry with the slot of its gram.
type slotEntry struct {
	slot uint32
	gramEntry
}

// newGramCounter makes a counter for n patterns. With 32 slots a pattern, few
// grams of a path fall into a slot in use by accident; more than 64 Ki slots would
// not fit into the processor's nearest caches.
func newGramCounter(n int) *gramCounter {
	size := min(max(bits.Len(uint(n*32-1)), 9), 16)
	c := &gramCounter{counts: make([]uint32, 1<<size)}
	c.table.shift = uint8(32 - size)
	for i := range c.table.mask {
		c.table.mask[i] = 1<<32 - 1
	}
	return c
}

// limitLength makes the grams that begin as w does no longer than size.
func (c *gramCounter) limitLength(w uint32, size int) {
	if size < 4 {
		c.table.mask[byte(w)] &= 1<<(8*size) - 1
	}
}

// usable returns the gram that w begins with, masked to its length; 0 = it cannot
// be used, since there are only size bytes and the gram is longer, or since its
// slot is 0, in which all offsets fall at which no gram begins.
func (c *gramCounter) usable(w uint32, size int) uint32 {
	mask := c.table.mask[byte(w)]
	if size < 4 && mask>>(8*size) != 0 || c.table.slot(w&mask) == 0 {
		return 0
	}
	return w & mask
}

// count counts the gram that w begins with.
func (c *gramCounter) count(w uint32, size int) {
	if w = c.usable(w, size); w != 0 {
		c.counts[c.table.slot(w)]++
	}
}

// frequency returns how often the slot of the gram that w begins with was
// counted; none = there is no gram.
func (c *gramCounter) frequency(w uint32, size int) uint32 {
	if w = c.usable(w, size); w == 0 {
		return none
	}
	return c.counts[c.table.slot(w)]
}

// rarest returns which of g's texts holds the gram that was counted least, the
// offset at which it begins, and its count; n = none: there is no gram.
func (c *gramCounter) rarest(g *glob) (text string, at int, n uint32) {
	n = none
	for t := range g.texts {
		for i := range len(t) {
			if m := c.frequency(gramAt(t, i), len(t)-i); m < n {
				text, at, n = t, i, m
			}
		}
	}
	return text, at, n
}

// choose has the pattern of an entry found by the gram that w begins with.
func (c *gramCounter) choose(w uint32, e gramEntry) {
	w = c.usable(w, 4)
	c.begins[byte(w)] = true
	c.chosen = append(c.chosen, slotEntry{c.table.slot(w), e})
}

// index returns the finished index, nil where no gram was chosen. The mask of a
// byte that no chosen gram begins with is 0.
func (c *gramCounter) index() *gramIndex {
	if len(c.chosen) == 0 {
		return nil
	}
	slices.SortFunc(c.chosen, func(a, b slotEntry) int {
		return cmp.Or(cmp.Compare(a.slot, b.slot), cmp.Compare(a.rank, b.rank))
	})
	g := &c.table
	g.bucket = make([]uint16, len(c.counts))
	for i, e := range c.chosen {
		if g.bucket[e.slot] == 0 {
			g.starts = append(g.starts, uint32(i))
			g.bucket[e.slot] = uint16(len(g.starts))
		}
		g.entries = append(g.entries, e.gramEntry)
	}
	g.starts = append(g.starts, uint32(len(g.entries)))
	for b, begins := range c.begins {
		if !begins {
			g.mask[b] = 0
		}
	}
	return g
}
