package urlindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// arena collects as many URLs as fit into it, and sorts them.
type arena struct {
	text  []byte
	items []item
}

// item is a URL in an arena.
type item struct {
	key      uint64 // eight bytes of Loc: see sort
	from, to uint32 // place of Loc in text
	meta     meta
}

const itemBytes = 24 // bytes of an item in memory

// add adds a URL.
func (a *arena) add(u *URL) error {
	m, err := u.meta()
	if err != nil {
		return err
	}
	from := uint32(len(a.text))
	a.text = append(a.text, u.Loc...)
	a.items = append(a.items, item{from: from, to: uint32(len(a.text)), meta: m})
	return nil
}

// writeTo writes the URLs in order, and empties the arena.
func (a *arena) writeTo(w *writer) error {
	a.sort(a.items, 0)
	for i := range a.items {
		if err := w.add(a.loc(&a.items[i]), a.items[i].meta); err != nil {
			return err
		}
	}
	a.text, a.items = a.text[:0], a.items[:0]
	return w.flush()
}

func (a *arena) loc(i *item) []byte { return a.text[i.from:i.to] }

// maxSortDepth limits how far sort reads: URLs that are equal so far are equal, or rare.
const maxSortDepth = 128

// sort sorts items that share their first depth bytes. URLs share long beginnings, which comparisons would
// read again and again. So it sorts by eight bytes at a time, and sorts only equal items by the next eight.
func (a *arena) sort(items []item, depth int) {
	if len(items) <= 12 || depth >= maxSortDepth {
		slices.SortFunc(items, func(x, y item) int {
			return cmp.Or(bytes.Compare(a.loc(&x), a.loc(&y)), x.meta.compare(y.meta))
		})
		return
	}
	for i := range items {
		var next [8]byte // zeros after the end: a shorter text sorts before a longer one
		loc := a.loc(&items[i])
		copy(next[:], loc[min(depth, len(loc)):])
		items[i].key = binary.BigEndian.Uint64(next[:])
	}
	slices.SortFunc(items, func(x, y item) int { return cmp.Compare(x.key, y.key) })
	for len(items) > 0 {
		n := 1
		for n < len(items) && items[n].key == items[0].key {
			n++
		}
		a.sort(items[:n], depth+8)
		items = items[n:]
	}
}
