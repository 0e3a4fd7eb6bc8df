package urlindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io/fs"
	"slices"
)

// arena collects as many entries as fit into it, and sorts them.
type arena struct {
	text  []byte
	items []item
}

// item is an entry in an arena: its text is followed by its class and its numbers.
type item struct {
	key           uint64 // eight bytes of the text: see sort
	from, to, end uint32 // place of the text, and of all
}

const itemBytes = 24 // bytes of an item in memory

// add adds an entry.
func (a *arena) add(e *Entry) error {
	if len(e.loc) > maxLoc { // no URL of a run is so long
		return fmt.Errorf("a URL has %d bytes, and at most %d are possible: %w", len(e.loc), maxLoc, fs.ErrInvalid)
	}
	i := item{from: uint32(len(a.text))}
	a.text = append(a.text, e.loc...)
	i.to = uint32(len(a.text))
	a.text = append(e.class.append(a.text), e.numbers...)
	i.end = uint32(len(a.text))
	a.items = append(a.items, i)
	return nil
}

// writeTo writes the entries in order, and empties the arena.
func (a *arena) writeTo(w *writer) error {
	a.sort(a.items, 0)
	var c class
	for i := range a.items {
		of := &a.items[i]
		c.read(a.text[of.to:])
		if err := w.add(a.loc(of), &c, a.text[of.to+classBytes:of.end]); err != nil {
			return err
		}
	}
	a.text, a.items = a.text[:0], a.items[:0]
	return w.flush()
}

func (a *arena) loc(i *item) []byte { return a.text[i.from:i.to] }

func (a *arena) order(i *item) []byte { return a.text[i.to : i.to+orderBytes] }

// maxSortDepth limits how far sort reads: URLs that are equal so far are equal, or rare.
const maxSortDepth = 128

// sort sorts items that share their first depth bytes. URLs share long beginnings, which comparisons would
// read again and again. So it sorts by eight bytes at a time, and sorts only equal items by the next eight.
func (a *arena) sort(items []item, depth int) {
	if len(items) <= 12 || depth >= maxSortDepth {
		slices.SortFunc(items, func(x, y item) int {
			return cmp.Or(bytes.Compare(a.loc(&x), a.loc(&y)), bytes.Compare(a.order(&x), a.order(&y)))
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
