package urlindex

import (
	"cmp"
	"encoding/binary"

	"robots-audit/audit"
)

// maxLoc is the maximum of bytes in a URL: more than any crawler accepts.
const maxLoc = 64 << 10

// URL is one URL of a site. Several sites, and several kinds, may have the same Loc.
type URL struct {
	Loc         string // as a crawler requests it
	Site        int32  // index into the list of the run's sites, from 0
	Kind        audit.Kind
	Listed      bool     // the user's own list has it
	Sitemap     bool     // a sitemap has it
	Status      int      // HTTP status of the page; 0 = the run did not request it, NoAnswer = it got no answer
	Outcome     *Outcome // verdicts; never nil
	Template    string   // as reports name it; "" = none, or it was not kept
	Segment     string   // "" = no segments were named, or the URL is not a page
	Clicks      int64    // -1 = not given; likewise
	Impressions int64
	Hits        []int64 // requests of each of Outcome.Crawlers; nil = none
}

// NoAnswer is the status of a page that was requested and did not answer.
const NoAnswer = 1

// AllHits are the requests of all crawlers.
func (u *URL) AllHits() (sum int64) {
	for _, n := range u.Hits {
		sum += n
	}
	return sum
}

// class is what many URLs of a block share: everything but their texts and numbers.
type class struct {
	site              uint32
	kind              uint8 // audit.Kind and 1; statusOnly
	marks             uint8
	status, segment   uint16
	outcome, template uint32
}

// statusOnly is the kind of an entry that is no URL. It sorts before the URLs of its text and site, and
// tells the merge their status: pages may come before or after their URLs.
const statusOnly = 0

// Marks of a class.
const (
	markListed = 1 << iota
	markSitemap
	markNumbers // each of its URLs has numbers
)

const (
	classBytes = 18
	orderBytes = 5 // bytes of a class by which equal texts are sorted: site and kind
)

// Entry is what Build takes: a URL, or the answer of a page.
type Entry struct {
	class
	loc     string
	numbers []byte // clicks and impressions, each 0 if they are not given, otherwise one more; the hits of each crawler
}

func (c *class) append(dst []byte) []byte {
	dst = append(binary.BigEndian.AppendUint32(dst, c.site), c.kind, c.marks)
	dst = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(dst, c.status), c.segment)
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(dst, c.outcome), c.template)
}

// read reads a class from the beginning of b, which is long enough.
func (c *class) read(b []byte) {
	_ = b[classBytes-1]
	c.site, c.kind, c.marks = binary.BigEndian.Uint32(b), b[4], b[5]
	c.status, c.segment = binary.BigEndian.Uint16(b[6:]), binary.BigEndian.Uint16(b[8:])
	c.outcome, c.template = binary.BigEndian.Uint32(b[10:]), binary.BigEndian.Uint32(b[14:])
}

// compare compares site and kind.
func (c *class) compare(o *class) int {
	return cmp.Or(cmp.Compare(c.site, o.site), cmp.Compare(c.kind, o.kind))
}

// merge adds another entry of the same URL. The order in which entries are merged does not matter.
func (c *class) merge(o *class) {
	c.marks |= o.marks
	c.status, c.segment = max(c.status, o.status), max(c.segment, o.segment)
	c.outcome, c.template = max(c.outcome, o.outcome), max(c.template, o.template)
}
