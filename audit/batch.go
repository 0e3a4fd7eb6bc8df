package audit

import (
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

// pending is a URL that waits to be judged. Its text lies in buffer.text.
type pending struct {
	hash         uint64 // the key of site.weights
	loc, lastmod int32  // lengths; lastmod's bytes follow loc's, and those of written them
	written      int32
	sitemap      int32
	kind         crawl.Kind
}

// buffer collects URLs of one origin until they are judged together: their
// text becomes one string, which the URLs share.
type buffer struct {
	text []byte
	list []pending
}

func (b *buffer) addURL(hash uint64, loc []byte, u *crawl.SitemapURL, sitemap int) {
	b.text = append(append(append(b.text, loc...), u.LastMod...), u.Written...)
	b.list = append(b.list, pending{hash, int32(len(loc)), int32(len(u.LastMod)), int32(len(u.Written)), int32(sitemap), u.Kind})
}

func (b *buffer) full() bool { return len(b.list) >= batchURLs || len(b.text) >= batchBytes }

func (b *buffer) reset() { b.text, b.list = b.text[:0], b.list[:0] }

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
