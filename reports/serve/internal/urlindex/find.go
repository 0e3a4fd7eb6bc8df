package urlindex

import (
	"bytes"
	"fmt"
	"slices"
)

// Find returns the URLs whose Loc is this one, in the order of site and kind; none where it is
// not known.
func (x *Index) Find(loc string) ([]URL, error) {
	want := []byte(loc)
	r := x.rooms.Get().(*reading)
	defer x.rooms.Put(r)
	blocks := x.table.blocks
	// The first block that begins with it or after it; it may also lie at the end of the one before.
	at, _ := slices.BinarySearchFunc(blocks, want, func(e entry, want []byte) int { return bytes.Compare(e.first, want) })
	var found []URL
	for at = max(0, at-1); at < len(blocks) && bytes.Compare(blocks[at].first, want) <= 0; at++ {
		if err := x.read(at, r); err != nil {
			return nil, err
		}
		for {
			more, err := r.lines.next()
			if err != nil {
				return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
			}
			if !more {
				break
			}
			if bytes.Equal(r.lines.loc, want) {
				found = append(found, r.lines.meta.url(r.lines.loc))
			}
		}
	}
	return found, nil
}
