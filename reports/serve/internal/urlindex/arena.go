package urlindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// arena holds as many URLs as there is room for, and sorts them.
type arena struct {
	text  []byte
	items []item
}

// item is a URL of an arena.
type item struct {
	key      uint64 // of a part of Loc: see sortKey
	from, to uint32 // Loc in text
	meta     meta
}

const itemBytes = 24 // of an item in memory

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

// writeTo writes the URLs in order, and forgets them.
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

// keyMore is the last byte of the key of a text that goes on after it.
const keyMore = 8

// sortKey returns the seven bytes of a URL from a depth on, and how many there are, as a
// number: numbers are in the order of the texts, and texts whose numbers are equal are
// equal, unless both go on.
func sortKey(rest []byte) uint64 {
	if len(rest) >= 8 {
		return binary.BigEndian.Uint64(rest)&^0xff | keyMore
	}
	key := uint64(len(rest))
	for i, c := range rest {
		key |= uint64(c) << (56 - 8*i)
	}
	return key
}

// sort sorts items that have their first depth bytes in common. URLs have long beginnings in
// common, which comparing would read again and again; so they are sorted by seven bytes at a
// time, and only those that are equal in these by the next seven.
func (a *arena) sort(items []item, depth int) {
	if len(items) <= 12 { // few are sorted by their texts
		slices.SortFunc(items, func(x, y item) int {
			return cmp.Or(bytes.Compare(a.loc(&x)[depth:], a.loc(&y)[depth:]), x.meta.compare(y.meta))
		})
		return
	}
	for i := range items {
		items[i].key = sortKey(a.loc(&items[i])[depth:])
	}
	slices.SortFunc(items, func(x, y item) int { return cmp.Compare(x.key, y.key) })
	for len(items) > 0 {
		key, n := items[0].key, 1
		for n < len(items) && items[n].key == key {
			n++
		}
		switch {
		case n == 1:
		case key&0xff == keyMore:
			a.sort(items[:n], depth+7)
		default:
			slices.SortFunc(items[:n], func(x, y item) int { return x.meta.compare(y.meta) })
		}
		items = items[n:]
	}
}
