package compare

import (
	"errors"
	"iter"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Held has the records of one site in memory, as far as a comparison needs them. So several
// versions of robots.txt can be tried without reading from disk again. Any number of goroutines may
// read it at once.
//
// A URL takes its text plus 13 bytes, compared to some 170 as [audit.URL]. Data that no comparison
// needs is dropped: dates, spellings, and recorded verdicts, unless the records lack the answer to
// judge them again.
type Held struct {
	others      []audit.Record // all records except URLs
	batches     []heldBatch
	urls, bytes int64
}

// heldBatch has a few thousand consecutive URLs.
type heldBatch struct {
	at       int    // index in Held.others of the record that follows it
	texts    string // of all URLs, one after the other
	ends     []uint32
	kinds    []uint8
	sitemaps []int32
	origins  []int32
	weights  []audit.Weight     // nil = none given
	verdicts [][]engine.Verdict // nil = they can be judged again
	lines    [][]int32
	hits     [][]int64 // nil = none
}

// ErrNotHeld says that a site is too large to be kept in memory.
var ErrNotHeld = errors.New("the site has more URLs than fit into memory")

// Bounds of a batch, so that unpacking one takes little memory.
const (
	heldBatchURLs  = 4096
	heldBatchBytes = 1 << 20
)

// Hold reads the records of a site into memory. The error is one of theirs, or ErrNotHeld as soon
// as they take more than limit bytes.
func Hold(records iter.Seq2[audit.Record, error], limit int64) (*Held, error) {
	h := &Held{}
	lacking := map[int]bool{} // origins without their answer
	var b holding
	for rec, err := range records {
		switch {
		case err != nil:
			return nil, err
		case rec.URLs == nil:
			if rec.Robots != nil {
				lacking[rec.Robots.Index] = rec.Robots.LacksBody()
			}
			h.flush(&b)
			h.others = append(h.others, rec)
			h.bytes += heldRecordBytes(&rec)
		default:
			for i := range rec.URLs.List {
				u := &rec.URLs.List[i]
				is, known := lacking[u.Origin]
				if b.add(u, is || !known) {
					h.flush(&b)
				}
			}
		}
		if h.bytes+b.bytes() > limit {
			return nil, ErrNotHeld
		}
	}
	h.flush(&b)
	return h, nil
}

// heldRecordBytes estimates the memory of a record without URLs.
func heldRecordBytes(rec *audit.Record) int64 {
	n := int64(512)
	if r := rec.Robots; r != nil {
		n += int64(len(r.File.Body)) + 64*int64(len(r.Rules)) + 256*int64(len(r.Reads))
	}
	if f := rec.Findings; f != nil {
		n += 512 * int64(len(f.List))
	}
	return n
}

// holding is a batch under construction.
type holding struct {
	heldBatch
	text strings.Builder
}

func (b *holding) bytes() int64 { return int64(b.text.Len()) + 13*int64(len(b.ends)) }

// add adds a URL, and reports whether the batch is full.
func (b *holding) add(u *audit.URL, recorded bool) (full bool) {
	n := len(b.ends)
	b.text.WriteString(u.Loc)
	b.ends = append(b.ends, uint32(b.text.Len()))
	b.kinds = append(b.kinds, uint8(u.Kind))
	b.sitemaps = append(b.sitemaps, int32(u.Sitemap))
	b.origins = append(b.origins, int32(u.Origin))
	if u.Weight != (audit.Weight{}) && b.weights == nil {
		b.weights = make([]audit.Weight, n, heldBatchURLs)
	}
	if b.weights != nil {
		b.weights = append(b.weights, u.Weight)
	}
	if u.Hits != nil && b.hits == nil {
		b.hits = make([][]int64, n, heldBatchURLs)
	}
	if b.hits != nil {
		b.hits = append(b.hits, slices.Clone(u.Hits))
	}
	if recorded && b.verdicts == nil {
		b.verdicts, b.lines = make([][]engine.Verdict, n, heldBatchURLs), make([][]int32, n, heldBatchURLs)
	}
	if b.verdicts != nil {
		b.verdicts, b.lines = append(b.verdicts, slices.Clone(u.Verdicts)), append(b.lines, slices.Clone(u.Lines))
	}
	return n+1 >= heldBatchURLs || b.text.Len() >= heldBatchBytes
}

// flush stores the batch, without spare capacity, and begins the next one.
func (h *Held) flush(b *holding) {
	if len(b.ends) == 0 {
		return
	}
	of := b.heldBatch
	of.at, of.texts = len(h.others), strings.Clone(b.text.String())
	of.ends, of.kinds, of.sitemaps, of.origins = slices.Clone(b.ends), slices.Clone(b.kinds), slices.Clone(b.sitemaps), slices.Clone(b.origins)
	h.batches = append(h.batches, of)
	h.urls += int64(len(of.ends))
	h.bytes += b.bytes() + 40*int64(len(of.weights))
	for _, hits := range of.hits {
		h.bytes += 24 + 8*int64(len(hits))
	}
	for i := range of.verdicts {
		h.bytes += 48 + int64(len(of.verdicts[i])) + 4*int64(len(of.lines[i]))
	}
	*b = holding{heldBatch: heldBatch{ends: b.ends[:0], kinds: b.kinds[:0], sitemaps: b.sitemaps[:0], origins: b.origins[:0]}}
}

// URLs returns the number of known URLs, of all kinds.
func (h *Held) URLs() int64 { return h.urls }

// Bytes estimates the memory of the records.
func (h *Held) Bytes() int64 { return h.bytes }

// Records yields the records in their order. As with records on disk, a batch of URLs is reused
// once the next record is requested; its texts stay valid.
func (h *Held) Records() iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		urls := &audit.URLs{List: make([]audit.URL, 0, heldBatchURLs)}
		next := 0
		for i := 0; i <= len(h.others); i++ {
			for ; next < len(h.batches) && h.batches[next].at == i; next++ {
				h.batches[next].list(urls)
				if !yield(audit.Record{Domain: h.others[0].Domain, URLs: urls}, nil) {
					return
				}
			}
			if i < len(h.others) && !yield(h.others[i], nil) {
				return
			}
		}
	}
}

// list unpacks the URLs of a batch.
func (b *heldBatch) list(to *audit.URLs) {
	to.List = to.List[:0]
	begin := uint32(0)
	for i, end := range b.ends {
		u := audit.URL{Loc: b.texts[begin:end], Kind: audit.Kind(b.kinds[i]), Sitemap: int(b.sitemaps[i]), Origin: int(b.origins[i])}
		if b.weights != nil {
			u.Weight = b.weights[i]
		}
		if b.hits != nil {
			u.Hits = b.hits[i]
		}
		if b.verdicts != nil {
			u.Verdicts, u.Lines = b.verdicts[i], b.lines[i]
		}
		to.List = append(to.List, u)
		begin = end
	}
}
