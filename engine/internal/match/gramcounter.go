package match

import (
	"cmp"
	"math/bits"
	"slices"
)

// gramCounter counts grams, so that each pattern can be found by its rarest one,
// and then collects the chosen ones. It is reused for each index of a Set.
type gramCounter struct {
	mask   [256]uint32
	shift  uint8 // from a product to the index into counts
	coarse uint8
	counts []uint16  // occurrences: grams that share a count are as bad as equal ones
	begins [256]bool // bytes that chosen grams begin with
	chosen []slotEntry
}

// slotEntry is an entry with the product of its gram.
type slotEntry struct {
	product uint32
	gramEntry
}

// reset makes a counter ready for n patterns.
func (c *gramCounter) reset(n int) {
	size := min(max(bits.Len(uint(n*32-1)), 9), 16)
	c.shift, c.coarse = uint8(32-size), uint8(32-max(bits.Len(uint(n)), 4))
	if cap(c.counts) < 1<<size {
		c.counts = make([]uint16, 1<<size)
	}
	c.counts = c.counts[:1<<size]
	clear(c.counts)
	for i := range c.mask {
		c.mask[i] = 1<<32 - 1
	}
	c.begins, c.chosen = [256]bool{}, slices.Grow(c.chosen[:0], n)
}

// limitLength limits the grams with the first byte of w to size bytes.
func (c *gramCounter) limitLength(w uint32, size int) {
	if size < 4 {
		c.mask[byte(w)] &= 1<<(8*size) - 1
	}
}

// product returns the product of the gram that w begins with. 0 = it cannot be used:
// the gram is longer than the size bytes left, or its hash is 0. Hash 0 is also the
// hash of all offsets where no gram begins.
func (c *gramCounter) product(w uint32, size int) uint32 {
	mask := c.mask[byte(w)]
	p := w & mask * hashMultiplier
	if size < 4 && mask>>(8*size) != 0 || p>>hashShift == 0 {
		return 0
	}
	return p
}

// count counts the gram that w begins with.
func (c *gramCounter) count(w uint32, size int) {
	if p := c.product(w, size); p != 0 {
		if n := &c.counts[p>>(c.shift&31)]; *n < 1<<16-1 {
			*n++
		}
	}
}

// frequency returns how often the hash of the gram that w begins with was counted;
// none = there is no gram.
func (c *gramCounter) frequency(w uint32, size int) uint32 {
	p := c.product(w, size)
	if p == 0 {
		return none
	}
	return uint32(c.counts[p>>(c.shift&31)])
}

// choose indexes the pattern of an entry by the gram that w begins with.
func (c *gramCounter) choose(w uint32, e gramEntry) {
	c.begins[byte(w)] = true
	c.chosen = append(c.chosen, slotEntry{c.product(w, 4), e})
}

// index returns the finished index, nil if no gram was chosen. The mask of a
// byte that begins no chosen gram is 0.
func (c *gramCounter) index() *gramIndex {
	if len(c.chosen) == 0 {
		return nil
	}
	g := &gramIndex{mask: c.mask, coarse: c.coarse}
	slices.SortFunc(c.chosen, func(a, b slotEntry) int {
		return cmp.Or(cmp.Compare(a.product>>g.coarse, b.product>>g.coarse), cmp.Compare(a.rank, b.rank))
	})
	g.starts = make([]uint32, 1<<(32-g.coarse)+1)
	g.entries = make([]gramEntry, len(c.chosen))
	for i, e := range c.chosen {
		h := e.product >> hashShift
		g.used[h>>6] |= 1 << (h & 63)
		g.starts[e.product>>g.coarse+1] = uint32(i + 1)
		g.entries[i] = e.gramEntry
	}
	for slot := 1; slot < len(g.starts); slot++ { // empty slots
		g.starts[slot] = max(g.starts[slot], g.starts[slot-1])
	}
	for b, begins := range c.begins {
		if !begins {
			g.mask[b] = 0
		}
	}
	return g
}
