package crawl

import (
	"robots-audit/crawl/internal/sitemap"
	"robots-audit/crawl/internal/weburl"
)

// maxQueue bounds the URLs of one index's sitemaps, in bytes. The 50,000 that
// the protocol allows take about as much.
const maxQueue = 4 << 20

// queue holds the sitemaps that an index names until they are read, first in,
// first out. Their URLs stand one behind the other in one piece of memory.
type queue struct {
	walk  *traversal
	key   uint64 // of the index
	index int
	depth int
	base  string // URL that relative ones are relative to

	urls   []byte
	ends   []uint32            // where each one ends in urls
	popped int                 // how many are read, or being read
	seen   map[uint64]struct{} // what is in it, while the index is being read
	fails  int                 // how many failed since the last that did not
	notes  sitemap.Notes
}

// push queues a sitemap, unless it is known already or beyond a bound; the notes say so.
func (q *queue) push(loc []byte) {
	w := q.walk
	if q.depth == w.budget.Depth {
		q.notes.CountURL(CodeSitemapDepth, loc)
		return
	}
	if len(q.ends) >= w.budget.Files-w.fetched || len(q.urls)+len(loc) > maxQueue {
		q.notes.CountURL(CodeSitemapBudget, loc)
		return
	}
	raw := q.resolve(loc)
	if key, err := w.key(raw); err == nil {
		if q.isAbove(key) {
			q.notes.CountURL(CodeSitemapLoop, loc)
			return
		}
		_, known := w.read[key]
		if _, named := q.seen[key]; known || named {
			q.notes.CountURL(NoteRepeated, loc)
			return
		}
		if q.seen == nil {
			q.seen = map[uint64]struct{}{}
		}
		q.seen[key] = struct{}{}
	}
	q.urls = append(q.urls, raw...)
	q.ends = append(q.ends, uint32(len(q.urls)))
}

// resolve returns the absolute URL of a sitemap, which the protocol wants to be
// absolute from the start; what is no URL stays as it is.
func (q *queue) resolve(loc []byte) string {
	if url, err := weburl.Resolve(string(loc), q.base); err == nil {
		return url
	}
	return string(loc)
}

// isAbove says whether a sitemap is the index itself or one that led to it.
func (q *queue) isAbove(key uint64) bool {
	for _, above := range q.walk.stack {
		if above.key == key {
			return true
		}
	}
	return key == q.key
}

// waiting returns how many were not taken yet.
func (q *queue) waiting() int { return len(q.ends) - q.popped }

// pop returns the sitemap to read next, and takes it out of the queue.
func (q *queue) pop() (url string, ok bool) {
	if q.waiting() == 0 {
		return "", false
	}
	from := uint32(0)
	if q.popped > 0 {
		from = q.ends[q.popped-1]
	}
	q.popped++
	return string(q.urls[from:q.ends[q.popped-1]]), true
}
