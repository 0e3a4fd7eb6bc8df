package urlindex

import (
	"encoding/binary"
	"errors"
)

// blockBytes is how many bytes a block has before it is compressed, or one URL more: so
// much is read and unpacked to look at one URL.
const blockBytes = 64 << 10

// block is a block before it is compressed. Each kind of number has a column, since like
// is compressed best with like.
//
//	4 uvarints  URLs; bytes of the columns shared, own, sites
//	shared      uvarints: bytes that each URL shares with the one before it; 0 of the first
//	own         uvarints: bytes that follow them
//	sites       uvarints; nothing where all URLs are of one site
//	flags       a byte each
//	text        the bytes that follow, of all URLs
type block struct {
	count              int
	first              []byte
	site               uint32 // of the first URL
	mixed              bool   // URLs are of several sites
	shared, own, sites []byte
	flags, text        []byte
}

func (b *block) reset() {
	*b = block{first: b.first[:0], shared: b.shared[:0], own: b.own[:0], sites: b.sites[:0], flags: b.flags[:0], text: b.text[:0]}
}

func (b *block) add(loc []byte, shared int, m meta) {
	if b.count == 0 {
		b.first, b.site, shared = append(b.first, loc...), m.site, 0
	}
	b.count++
	b.mixed = b.mixed || m.site != b.site
	b.shared = binary.AppendUvarint(b.shared, uint64(shared))
	b.own = binary.AppendUvarint(b.own, uint64(len(loc)-shared))
	b.sites = binary.AppendUvarint(b.sites, uint64(m.site))
	b.flags = append(b.flags, m.flags())
	b.text = append(b.text, loc[shared:]...)
}

// again notes that the last URL was there once more.
func (b *block) again(m meta) { b.flags[len(b.flags)-1] |= m.flags() & 1 }

func (b *block) size() int {
	return len(b.shared) + len(b.own) + len(b.sites) + len(b.flags) + len(b.text)
}

// appendTo appends the block's bytes.
func (b *block) appendTo(dst []byte) []byte {
	sites := b.sites
	if !b.mixed {
		sites = nil
	}
	for _, n := range [...]int{b.count, len(b.shared), len(b.own), len(sites)} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	for _, column := range [...][]byte{b.shared, b.own, sites, b.flags, b.text} {
		dst = append(dst, column...)
	}
	return dst
}

// lines are the URLs of a block, one after the other.
type lines struct {
	shared, own, sites []byte
	flags, text        []byte
	mixed              bool

	loc  []byte // the URL at hand; holds until the next one
	same int    // bytes that it shares with the one before it
	meta meta
}

// errBlock is told where the columns of a block do not fit each other.
var errBlock = errors.New("its columns do not fit each other")

// read begins with a block's bytes. site is that of all URLs where they are of one.
func (l *lines) read(raw []byte, site uint32, mixed bool) error {
	var sizes [4]uint64
	for i := range sizes {
		n, w := binary.Uvarint(raw)
		if w <= 0 || n > uint64(len(raw)) {
			return errBlock
		}
		sizes[i], raw = n, raw[w:]
	}
	columns := [...]*[]byte{&l.shared, &l.own, &l.sites, &l.flags}
	for i, n := range [...]uint64{sizes[1], sizes[2], sizes[3], sizes[0]} {
		if n > uint64(len(raw)) {
			return errBlock
		}
		*columns[i], raw = raw[:n], raw[n:]
	}
	l.text, l.mixed, l.loc, l.same, l.meta = raw, mixed, l.loc[:0], 0, meta{site: site}
	return nil
}

// next goes on to the next URL; false = there is none. The error is errBlock.
func (l *lines) next() (bool, error) {
	if len(l.flags) == 0 {
		if len(l.shared)+len(l.own)+len(l.sites)+len(l.text) > 0 {
			return false, errBlock
		}
		return false, nil
	}
	shared, a := uvarint(l.shared)
	own, b := uvarint(l.own)
	if a <= 0 || b <= 0 || shared > uint64(len(l.loc)) || own > uint64(len(l.text)) {
		return false, errBlock
	}
	site := uint64(l.meta.site)
	if l.mixed {
		n := 0
		if site, n = uvarint(l.sites); n <= 0 {
			return false, errBlock
		}
		l.sites = l.sites[n:]
	}
	l.same = int(shared)
	l.loc = append(l.loc[:shared], l.text[:own]...)
	l.meta = metaOf(uint32(site), l.flags[0])
	l.shared, l.own, l.flags, l.text = l.shared[a:], l.own[b:], l.flags[1:], l.text[own:]
	return true, nil
}

// uvarint is binary.Uvarint, quicker where the number is below 128, as nearly all are.
func uvarint(b []byte) (uint64, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return binary.Uvarint(b)
}
