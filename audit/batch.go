package audit

import (
	"math"
	"slices"
	"strings"
	"sync"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// batchURLs and batchBytes bound a batch. A large batch makes the handover cheap per URL; a small
// one keeps sites in flight cheap.
const (
	batchURLs  = 256
	batchBytes = 48 << 10
)

var batches = sync.Pool{New: func() any { return new(URLs) }}

// release returns a batch to the pool. Its strings stay valid, its slices do not.
func (rec Record) release() {
	if rec.URLs != nil {
		batches.Put(rec.URLs)
	}
}

// pending is a URL that is not judged yet. Its text is in buffer.text.
type pending struct {
	rest, lastmod int32 // lengths; in the text, rest is followed by lastmod, then written
	written       int32
	sitemap       int32
	shared        uint16 // number of leading bytes of loc that equal the URL before; they are stored only there
	kind          crawl.Kind
}

// buffer collects URLs of one origin until they are judged together. Then their text becomes one
// shared string. Thousands of sites may wait for the rest of a sitemap, so a prefix shared with the
// URL before, often most of the URL, is stored once.
type buffer struct {
	text   []byte
	list   []pending
	hashes []uint64 // of list, the keys of site.weights; empty without weights
	last   []byte   // the loc added last
	size   int      // bytes of all texts, uncompressed
}

func (b *buffer) addURL(loc []byte, u *crawl.SitemapURL, sitemap int) {
	shared := sharedPrefix(b.last, loc)
	b.text = append(append(append(b.text, loc[shared:]...), u.LastMod...), u.Written...)
	b.last = append(b.last[:shared], loc[shared:]...)
	b.list = append(b.list, pending{int32(len(loc) - shared), int32(len(u.LastMod)), int32(len(u.Written)), int32(sitemap), uint16(shared), u.Kind})
	b.size += len(loc) + len(u.LastMod) + len(u.Written)
}

// sharedPrefix returns the length of the common prefix of two texts, at most what pending can
// store.
func sharedPrefix(a, b []byte) (n int) {
	const step = 16
	most := min(len(a), len(b), math.MaxUint16)
	for n+step <= most && string(a[n:n+step]) == string(b[n:n+step]) {
		n += step
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

// whole returns the full texts of all URLs.
func (b *buffer) whole() string {
	var all strings.Builder
	all.Grow(b.size)
	before, at := 0, 0 // start of the previous URL in all, and of this URL's rest in text
	for i := range b.list {
		p := &b.list[i]
		begin, end := all.Len(), at+int(p.rest+p.lastmod+p.written)
		all.WriteString(all.String()[before : before+int(p.shared)])
		all.Write(b.text[at:end])
		before, at = begin, end
	}
	return all.String()
}

func (b *buffer) full() bool { return len(b.list) >= batchURLs || b.size >= batchBytes }

func (b *buffer) reset() {
	*b = buffer{text: b.text[:0], list: b.list[:0], hashes: b.hashes[:0], last: b.last[:0]}
}

// newBatch returns an empty batch with room for n URLs and a number of crawlers.
func newBatch(n, crawlers int) (batch *URLs, verdicts []engine.Verdict, lines []int32) {
	batch = batches.Get().(*URLs)
	batch.List, batch.hits = batch.List[:0], batch.hits[:0]
	if cap(batch.verdicts) < n*crawlers {
		batch.verdicts = make([]engine.Verdict, max(n, batchURLs)*crawlers)
		batch.lines = make([]int32, max(n, batchURLs)*crawlers)
	}
	return batch, batch.verdicts[:n*crawlers], batch.lines[:n*crawlers]
}

// Clone returns a copy of the batch that the caller may keep beyond the loop's next record. Its
// texts share one allocation.
func (u *URLs) Clone() *URLs {
	size, verdicts, lines, hits := 0, 0, 0, 0
	for i := range u.List {
		size += len(u.List[i].Loc) + len(u.List[i].LastMod) + len(u.List[i].Written)
		verdicts += len(u.List[i].Verdicts)
		lines += len(u.List[i].Lines)
		hits += len(u.List[i].Hits)
	}
	var texts strings.Builder
	texts.Grow(size)
	c := &URLs{List: make([]URL, len(u.List)), verdicts: make([]engine.Verdict, 0, verdicts), lines: make([]int32, 0, lines), hits: make([]int64, 0, hits)}
	for i, url := range u.List {
		url.Loc = appended(&texts, url.Loc)
		url.LastMod = appended(&texts, url.LastMod)
		url.Written = appended(&texts, url.Written)
		c.verdicts, url.Verdicts = moved(c.verdicts, url.Verdicts)
		c.lines, url.Lines = moved(c.lines, url.Lines)
		c.hits, url.Hits = moved(c.hits, url.Hits)
		c.List[i] = url
	}
	return c
}

// CopyTo copies the whole batch into c, reusing c's memory. The copy stays valid beyond the loop's
// next record. Both share their texts, which do not change.
func (u *URLs) CopyTo(c *URLs) {
	verdicts, lines, hits := 0, 0, 0
	for i := range u.List {
		verdicts += len(u.List[i].Verdicts)
		lines += len(u.List[i].Lines)
		hits += len(u.List[i].Hits)
	}
	c.List, c.verdicts = append(c.List[:0], u.List...), slices.Grow(c.verdicts[:0], verdicts)
	c.lines, c.hits = slices.Grow(c.lines[:0], lines), slices.Grow(c.hits[:0], hits)
	for i := range u.List {
		c.verdicts, c.List[i].Verdicts = moved(c.verdicts, u.List[i].Verdicts)
		c.lines, c.List[i].Lines = moved(c.lines, u.List[i].Lines)
		c.hits, c.List[i].Hits = moved(c.hits, u.List[i].Hits)
	}
}

// appended appends a text to a builder with enough room, and returns the copy.
func appended(b *strings.Builder, text string) string {
	at := b.Len()
	b.WriteString(text)
	return b.String()[at:]
}

// moved appends a list to a slice with enough room, and returns both. Its capacity is limited so
// that the list cannot overwrite what follows it.
func moved[T any](all, list []T) (grown, copied []T) {
	if list == nil {
		return all, nil
	}
	all = append(all, list...)
	return all, all[len(all)-len(list) : len(all) : len(all)]
}
