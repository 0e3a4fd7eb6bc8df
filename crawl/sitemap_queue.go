package crawl

import (
	"bytes"

	"robots-audit/crawl/internal/sitemap"
	"robots-audit/crawl/internal/weburl"
)

// maxQueue limits the URLs of one index's sitemaps, in bytes. The protocol's
// maximum of 50,000 takes about as much.
const maxQueue = 4 << 20

// queue has the unread sitemaps of an index, first in, first out. Their URLs
// are contiguous in memory.
type queue struct {
	walk  *traversal
	key   uint64 // of the index
	index int
	depth int
	base  string // base of relative URLs

	urls   []byte
	ends   []uint32            // where each one ends in urls
	popped int                 // number of sitemaps that are read, or being read
	seen   map[uint64]struct{} // sitemaps in the queue, while the index is being read
	fails  int                 // sitemaps that failed since the last success
	pages  pageQueue
	notes  sitemap.Notes
}

// pageQueue says whether the sitemaps of a queue are named as pages, by a urlset.
type pageQueue uint8

const (
	notPages   pageQueue = iota // they are those of an index, or there are none
	onlyFiles                   // all pages of the urlset so far are .xml files, which may be sitemaps
	otherPages                  // the urlset has other pages, too, so that it names no sitemaps
)

// pushPage queues a page of a urlset as long as all of its pages are .xml files: some generators write
// a urlset in place of an index. What is no sitemap is left out later, without a note.
func (q *queue) pushPage(loc []byte) {
	switch {
	case q.pages == otherPages:
	case !isXMLFile(loc):
		q.pages, q.urls, q.ends, q.seen, q.notes = otherPages, nil, nil, nil, nil
	default:
		q.pages = onlyFiles
		q.push(loc)
		q.notes = nil
	}
}

// isXMLFile reports whether the path of a URL ends with .xml or .xml.gz.
func isXMLFile(url []byte) bool {
	if i := bytes.IndexAny(url, "?#"); i >= 0 {
		url = url[:i]
	}
	return bytes.HasSuffix(bytes.TrimSuffix(url, []byte(".gz")), []byte(".xml"))
}

// push queues a sitemap, unless it is known or beyond a limit; then it adds a note.
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

// resolve returns the absolute URL of a sitemap, though the protocol does not
// allow relative ones. An invalid URL stays unchanged.
func (q *queue) resolve(loc []byte) string {
	if url, err := weburl.Resolve(string(loc), q.base); err == nil {
		return url
	}
	return string(loc)
}

// isAbove reports whether a sitemap is the index itself or an index that led to
// it.
func (q *queue) isAbove(key uint64) bool {
	for _, above := range q.walk.stack {
		if above.key == key {
			return true
		}
	}
	return key == q.key
}

// waiting returns the number of sitemaps not yet popped.
func (q *queue) waiting() int { return len(q.ends) - q.popped }

// pop removes the next sitemap from the queue and returns it.
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
