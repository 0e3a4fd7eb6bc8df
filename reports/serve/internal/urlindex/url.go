package urlindex

import (
	"cmp"
	"fmt"
	"io/fs"

	"robots-audit/audit"
)

// maxLoc is the most bytes that a URL may have: more than any crawler takes.
const maxLoc = 64 << 10

// URL is one URL of a site. The same Loc may be there for several sites, and for several kinds.
type URL struct {
	Loc    string // as a crawler asks for it
	Site   int32  // index into the list of the run's sites, from 0
	Kind   audit.Kind
	Listed bool // the user's own list names it; true where any of those that were merged was
}

// meta is what there is of a URL beside Loc. URLs of one Loc are in the order of site and kind.
type meta struct {
	site  uint32
	flags byte // kind, and in the lowest bit whether it is listed
}

// meta returns what there is beside Loc. The error says what the index cannot hold; no URL of a run is so.
func (u *URL) meta() (meta, error) {
	switch {
	case len(u.Loc) > maxLoc:
		return meta{}, fmt.Errorf("a URL has %d bytes, and at most %d are possible", len(u.Loc), maxLoc)
	case u.Site < 0, u.Kind > 127:
		return meta{}, fmt.Errorf("a URL of site %d and kind %d: %w", u.Site, u.Kind, fs.ErrInvalid)
	}
	m := meta{uint32(u.Site), byte(u.Kind) << 1}
	if u.Listed {
		m.flags |= 1
	}
	return m, nil
}

// compare compares site and kind.
func (m meta) compare(o meta) int {
	return cmp.Or(cmp.Compare(m.site, o.site), cmp.Compare(m.flags>>1, o.flags>>1))
}
