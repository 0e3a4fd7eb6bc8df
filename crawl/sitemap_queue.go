package crawl

import (
	"net/url"

	"robots-audit/crawl/internal/sitemap"
)

// maxQueue bounds the URLs of one index's sitemaps, in bytes. The 50,000 that
// the protocol allows take about as much.
const maxQueue = 4 << 20

// queue holds the sitemaps that an index names until they are read, one
// behind the other in one piece of memory.
type queue struct {
	walk  *traversal
	key   uint64 // of the index
	index int
	depth int
	base  string // URL that relative ones are relative to

	urls  []byte
	ends  []uint32            // where each one ends in urls
	taken int                 // how many were taken
	named map[uint64]struct{} // what is in it, while the index is being read
	fails int                 // how many failed since the last that did not
	notes sitemap.Notes
}

// add queues a sitemap, unless it is known or too much; the notes say so.
func (q *queue) add(loc []byte) {
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
		if _, named := q.named[key]; known || named {
			q.notes.CountURL(NoteRepeated, loc)
			return
		}
		if q.named == nil {
			q.named = map[uint64]struct{}{}
		}
		q.named[key] = struct{}{}
	}
	q.urls = append(q.urls, raw...)
	q.ends = append(q.ends, uint32(len(q.urls)))
}

// resolve returns the absolute URL of a sitemap, which the protocol wants to be
// absolute from the start.
func (q *queue) resolve(loc []byte) string {
	if !sitemap.IsWeb(loc) {
		if base, err := url.Parse(q.base); err == nil {
			if u, err := base.Parse(string(loc)); err == nil {
				return u.String()
			}
		}
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
func (q *queue) waiting() int { return len(q.ends) - q.taken }

// take takes the next one.
func (q *queue) take() (url string, ok bool) {
	if q.waiting() == 0 {
		return "", false
	}
	from := uint32(0)
	if q.taken > 0 {
		from = q.ends[q.taken-1]
	}
	q.taken++
	return string(q.urls[from:q.ends[q.taken-1]]), true
}
