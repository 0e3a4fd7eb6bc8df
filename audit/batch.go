package audit

import (
	"math"
	"strings"
	"sync"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// batchURLs and batchBytes bound a batch: large enough that handing it over
// costs little a URL, small enough that a site in flight stays cheap.
const (
	batchURLs  = 256
	batchBytes = 48 << 10
)

var batches = sync.Pool{New: func() any { return new(URLs) }}

// release gives a batch back. Its strings stay good, its slices do not.
func (rec Record) release() {
	if rec.URLs != nil {
		batches.Put(rec.URLs)
	}
}

// pending is a URL that waits to be judged. Its text is in buffer.text.
type pending struct {
	rest, lastmod int32 // lengths; lastmod's bytes follow those of loc, and those of written them
	written       int32
	sitemap       int32
	shared        uint16 // bytes of loc that are those of the one before, and stand there
	kind          crawl.Kind
}

// buffer collects URLs of one origin until they are judged together: their text becomes one
// string then, which the URLs share. Thousands of sites may wait for the rest of a sitemap, each
// with its URLs; so what a URL has in common with the one before, which is most of it, is held once.
type buffer struct {
	text   []byte
	list   []pending
	hashes []uint64 // of list, the keys of site.weights; none where there are no weights
	last   []byte   // the loc that was added last
	size   int      // bytes of all texts, whole
}

func (b *buffer) addURL(loc []byte, u *crawl.SitemapURL, sitemap int) {
	shared := sharedPrefix(b.last, loc)
	b.text = append(append(append(b.text, loc[shared:]...), u.LastMod...), u.Written...)
	b.last = append(b.last[:shared], loc[shared:]...)
	b.list = append(b.list, pending{int32(len(loc) - shared), int32(len(u.LastMod)), int32(len(u.Written)), int32(sitemap), uint16(shared), u.Kind})
	b.size += len(loc) + len(u.LastMod) + len(u.Written)
}

// sharedPrefix returns how many bytes two texts begin with alike, to pending's bound.
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

// whole returns the texts of all URLs, each as a whole.
func (b *buffer) whole() string {
	var all strings.Builder
	all.Grow(b.size)
	before, at := 0, 0 // where the URL before begins in all, and this one's rest in text
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

// newBatch returns an empty batch with room for n URLs of so many crawlers.
func newBatch(n, crawlers int) (batch *URLs, verdicts []engine.Verdict, lines []int32) {
	batch = batches.Get().(*URLs)
	batch.List = batch.List[:0]
	if cap(batch.verdicts) < n*crawlers {
		batch.verdicts = make([]engine.Verdict, max(n, batchURLs)*crawlers)
		batch.lines = make([]int32, max(n, batchURLs)*crawlers)
	}
	return batch, batch.verdicts[:n*crawlers], batch.lines[:n*crawlers]
}
