package urlindex

import "robots-audit/audit"

// maxLoc is the most bytes that a URL may have: more than any crawler takes.
const maxLoc = 64 << 10

// URL is one known URL of a site. The same Loc may be there for several sites, and for
// several kinds.
type URL struct {
	Loc    string // as a crawler asks for it
	Site   int32  // index into the list of the run's sites, from 0
	Kind   audit.Kind
	Listed bool // the user's own list names it; true where any of those that were put together was
}

// meta is what there is of a URL beside Loc. URLs of one Loc are in the order of site and kind.
type meta struct {
	site   uint32
	kind   byte
	listed byte // 0 or 1
}

func (m meta) same(o meta) bool { return m.site == o.site && m.kind == o.kind }
func (m meta) less(o meta) bool { return m.site < o.site || m.site == o.site && m.kind < o.kind }

// flags is kind and listed in one byte.
func (m meta) flags() byte { return m.kind<<1 | m.listed }

// metaOf is the reverse of flags.
func metaOf(site uint32, flags byte) meta { return meta{site, flags >> 1, flags & 1} }

func (m meta) url(loc []byte) URL {
	return URL{Loc: string(loc), Site: int32(m.site), Kind: audit.Kind(m.kind), Listed: m.listed == 1}
}
