package match

import (
	"cmp"
	"math/bits"
	"slices"
)

// census counts grams, so that each pattern can be found by its rarest one,
// and then collects the chosen ones.
type census struct {
	table  grams
	counts []uint32  // occurrences by slot: grams that share a slot are as bad as equal ones
	begins [256]bool // bytes that chosen grams begin with
	chosen []slotted
}

// slotted is a choice with the slot of its gram.
type slotted struct {
	slot uint32
	choice
}

// newCensus makes a census for n patterns. With 32 slots a pattern, few grams
// of a path fall into a taken slot by accident; more than 64 Ki slots would
// leave the processor's nearest caches.
func newCensus(n int) *census {
	size := min(max(bits.Len(uint(n*32-1)), 9), 16)
	c := &census{counts: make([]uint32, 1<<size)}
	c.table.shift = uint8(32 - size)
	for i := range c.table.mask {
		c.table.mask[i] = 1<<32 - 1
	}
	return c
}

// shorten makes the grams that begin as w does no longer than size.
func (c *census) shorten(w uint32, size int) {
	if size < 4 {
		c.table.mask[byte(w)] &= 1<<(8*size) - 1
	}
}

// fit masks the gram that w begins with; 0 = it cannot be used: only size bytes
// are there, and the gram would be longer, or its slot is that of the offsets
// at which no gram begins.
func (c *census) fit(w uint32, size int) uint32 {
	mask := c.table.mask[byte(w)]
	if size < 4 && mask>>(8*size) != 0 || c.table.slot(w&mask) == 0 {
		return 0
	}
	return w & mask
}

// count counts the gram that w begins with.
func (c *census) count(w uint32, size int) {
	if w = c.fit(w, size); w != 0 {
		c.counts[c.table.slot(w)]++
	}
}

// load returns how often the slot of the gram that w begins with was counted;
// none = there is no gram.
func (c *census) load(w uint32, size int) uint32 {
	if w = c.fit(w, size); w == 0 {
		return none
	}
	return c.counts[c.table.slot(w)]
}

// rarest returns the place in g's texts at which the gram begins that was
// counted least; n = none: there is none.
func (c *census) rarest(g *glob) (text string, at int, n uint32) {
	n = none
	for t := range g.texts {
		for i := range len(t) {
			if m := c.load(gramAt(t, i), len(t)-i); m < n {
				text, at, n = t, i, m
			}
		}
	}
	return text, at, n
}

// add has a pattern found by the gram that w begins with.
func (c *census) add(w uint32, ch choice) {
	w = c.fit(w, 4)
	c.begins[byte(w)] = true
	c.chosen = append(c.chosen, slotted{c.table.slot(w), ch})
}

// grams returns the finished table, nil where no gram was chosen. A byte that
// no gram begins with is masked away altogether.
func (c *census) grams() *grams {
	if len(c.chosen) == 0 {
		return nil
	}
	slices.SortFunc(c.chosen, func(a, b slotted) int {
		return cmp.Or(cmp.Compare(a.slot, b.slot), cmp.Compare(a.rank, b.rank))
	})
	g := &c.table
	g.taken = make([]uint16, len(c.counts))
	for i, ch := range c.chosen {
		if g.taken[ch.slot] == 0 {
			g.heads = append(g.heads, uint32(i))
			g.taken[ch.slot] = uint16(len(g.heads))
		}
		g.list = append(g.list, ch.choice)
	}
	g.heads = append(g.heads, uint32(len(g.list)))
	for b, begins := range c.begins {
		if !begins {
			g.mask[b] = 0
		}
	}
	return g
}
