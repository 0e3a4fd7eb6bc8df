package urlindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// arena holds as many URLs as there is room for, and sorts them.
type arena struct {
	limit int    // bytes that there is room for
	text  []byte // of each URL: arenaHead bytes and Loc
	items []item
}

// item is a URL of an arena.
type item struct {
	key uint64 // of a part of Loc: see sortKey
	at  uint32 // where it begins in text
}

const (
	arenaHead  = 9       // bytes before Loc: site, flags, length
	itemBytes  = 16      // of an item in memory
	firstBytes = 1 << 20 // that an arena begins with
)

// add adds a URL. An arena begins small, as most runs are; what outgrows that gets all of its room
// at once, so that growing leaves nothing behind.
func (a *arena) add(u *URL, m meta) {
	if n := len(a.text) + arenaHead + len(u.Loc); n > cap(a.text) {
		room := a.limit/8*7 + maxLoc
		if n <= firstBytes {
			room = firstBytes
		}
		a.text = append(make([]byte, 0, max(n, room)), a.text...)
	}
	if len(a.items) == cap(a.items) {
		a.items = append(make([]item, 0, max(len(a.items)/8*12, firstBytes/itemBytes)), a.items...)
	}
	a.items = append(a.items, item{at: uint32(len(a.text))})
	a.text = binary.LittleEndian.AppendUint32(a.text, m.site)
	a.text = append(a.text, m.flags())
	a.text = binary.LittleEndian.AppendUint32(a.text, uint32(len(u.Loc)))
	a.text = append(a.text, u.Loc...)
}

// full reports whether there is no room for one more URL of the usual length.
func (a *arena) full() bool { return len(a.text)+len(a.items)*itemBytes >= a.limit/8*7 }

func (a *arena) reset() { a.text, a.items = a.text[:0], a.items[:0] }

func (a *arena) loc(i item) []byte {
	at := i.at + arenaHead
	return a.text[at : at+binary.LittleEndian.Uint32(a.text[i.at+5:])]
}

func (a *arena) meta(i item) meta {
	return metaOf(binary.LittleEndian.Uint32(a.text[i.at:]), a.text[i.at+4])
}

// keyMore is the last byte of the key of a text that goes on after it.
const keyMore = 8

// sortKey returns the seven bytes of a URL from a depth on, and how many there are, as a
// number: numbers are in the order of the texts, and texts whose numbers are equal are
// equal, unless both go on.
func sortKey(loc []byte, depth int) uint64 {
	rest := loc[depth:]
	if len(rest) >= 8 {
		return binary.BigEndian.Uint64(rest)&^0xff | keyMore
	}
	key := uint64(len(rest))
	for i, c := range rest {
		key |= uint64(c) << (56 - 8*i)
	}
	return key
}

// fewItems are sorted by comparing their texts.
const fewItems = 12

// sort sorts the URLs. URLs have long beginnings in common, which comparing would read again
// and again; so they are sorted by seven bytes at a time, and only those that are equal in these
// by the next seven.
func (a *arena) sort() { a.sortFrom(a.items, 0) }

// sortFrom sorts items that have their first depth bytes in common.
func (a *arena) sortFrom(items []item, depth int) {
	for {
		if len(items) <= fewItems {
			slices.SortFunc(items, func(x, y item) int {
				return cmp.Or(bytes.Compare(a.loc(x)[depth:], a.loc(y)[depth:]), a.compareMeta(x, y))
			})
			return
		}
		for i := range items {
			items[i].key = sortKey(a.loc(items[i]), depth)
		}
		slices.SortFunc(items, func(x, y item) int { return cmp.Compare(x.key, y.key) })
		if items[0].key != items[len(items)-1].key {
			break
		}
		if items[0].key&0xff != keyMore {
			slices.SortFunc(items, a.compareMeta)
			return
		}
		depth += 7
	}
	for len(items) > 0 {
		n := 1
		for n < len(items) && items[n].key == items[0].key {
			n++
		}
		switch {
		case n == 1:
		case items[0].key&0xff == keyMore:
			a.sortFrom(items[:n], depth+7)
		default:
			slices.SortFunc(items[:n], a.compareMeta)
		}
		items = items[n:]
	}
}

func (a *arena) compareMeta(x, y item) int {
	m, n := a.meta(x), a.meta(y)
	return cmp.Or(cmp.Compare(m.site, n.site), cmp.Compare(m.kind, n.kind))
}
