package urlindex

import (
	"cmp"
	"fmt"
	"io/fs"

	"robots-audit/audit"
)

// maxLoc is the maximum of bytes in a URL: more than any crawler accepts.
const maxLoc = 64 << 10

// URL is one URL of a site. Several sites, and several kinds, may have the same Loc.
type URL struct {
	Loc    string // as a crawler requests it
	Site   int32  // index into the list of the run's sites, from 0
	Kind   audit.Kind
	Listed bool // the user's own list has it; after merging, true if any of the merged URLs was listed
}

// meta is a URL without Loc. URLs with the same Loc are sorted by site and kind.
type meta struct {
	site  uint32
	flags byte // kind, and in the lowest bit whether it is listed
}

// meta returns the URL without Loc. The error names a value that the index cannot store; no URL of a run
// has one.
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
