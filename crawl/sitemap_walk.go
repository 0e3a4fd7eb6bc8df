package crawl

import (
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"strings"

	"robots-audit/crawl/internal/weburl"
	"robots-audit/engine/wording"
)

// The defaults of SitemapBudget's fields.
const (
	defaultFiles = 10_000
	defaultDepth = 5
	defaultURLs  = 50_000_000
	defaultBytes = 4 * protocolBytes
	defaultFails = 100
)

// Sitemaps reads the declared sitemaps and all sitemaps they lead to, one after
// the other: in the order given, and below an index depth first, in the order
// of its entries. A sitemap is read once, even if it is named several times.
func (s *Site) Sitemaps(ctx context.Context, declared []DeclaredSitemap, budget SitemapBudget) iter.Seq[SitemapItem] {
	return func(yield func(SitemapItem) bool) {
		w := &traversal{ctx: ctx, site: s, budget: budget.WithDefaults(), yield: yield, read: map[uint64]string{}, seed: maphash.MakeSeed()}
		w.readAll(declared)
		w.reportRest()
	}
}

// readAll reads the declared sitemaps and all sitemaps they lead to. It and its callees use
// little stack, since many sites wait here for their servers. While they wait, less than
// half of a stack of 8 KB is in use; otherwise the stack would take 16 KB.
func (w *traversal) readAll(declared []DeclaredSitemap) {
	for i := range declared {
		w.declared = declared[i+1:]
		if w.visit(&sitemapRef{url: declared[i].URL, parent: -1, line: declared[i].Line}); !w.readChildren() {
			break
		}
	}
}

// reportRest yields summaries of the sitemaps that were not read.
func (w *traversal) reportRest() {
	if w.overBudget > 0 && !w.done() {
		w.report(&sitemapRef{url: w.firstOverBudget, parent: -1}, CodeSitemapBudget,
			fmt.Sprintf("%s not read: the limit is %d", wording.Plural(w.overBudget, "sitemap"), w.budget.Files), w.overBudget-1)
	}
	for _, code := range summarizedCodes {
		if f := w.refused[code]; f != nil && !w.loopLeft {
			w.report(&f.first, code, f.summary(), f.n-1)
		}
	}
}

// WithDefaults returns the budget with its defaults filled in.
func (b SitemapBudget) WithDefaults() SitemapBudget {
	if b.Files <= 0 {
		b.Files = defaultFiles
	}
	if b.Depth <= 0 {
		b.Depth = defaultDepth
	}
	if b.URLs <= 0 {
		b.URLs = defaultURLs
	}
	if b.Bytes <= 0 {
		b.Bytes = defaultBytes
	}
	if b.Fails <= 0 {
		b.Fails = defaultFails
	}
	return b
}

// traversal is one reading of a site's sitemaps.
type traversal struct {
	ctx    context.Context
	site   *Site
	budget SitemapBudget
	yield  func(SitemapItem) bool

	declared []DeclaredSitemap // not yet started
	stack    []*queue          // the indexes in progress, each named by the one before
	read     map[uint64]string // sitemaps requested, and their redirect targets, with their Format
	seed     maphash.Seed
	index    int        // of the next file
	fetched  int        // sitemaps requested
	urls     int64      // yielded
	url      SitemapURL // the last of them; it is reused for each step
	ended    bool       // cancelled, or out of URLs
	loopLeft bool       // the caller left its loop: nothing may be yielded any more
	locating bool       // notes have places

	refused         map[string]*refusedSitemaps // sitemaps on other hosts that are only counted, by code
	overBudget      int                         // sitemaps beyond the budget
	firstOverBudget string                      // the first of them
}

// sitemapRef is a sitemap to read, and the source that names it.
type sitemapRef struct {
	url    string
	parent int
	line   int
	depth  int
	page   bool // a urlset names it, so that it may be no sitemap
}

// readChildren reads the sitemaps queued by the indexes so far. It returns false
// when the walk is over.
func (w *traversal) readChildren() bool {
	for len(w.stack) > 0 && !w.done() {
		q := w.stack[len(w.stack)-1]
		url, ok := q.pop()
		if !ok {
			w.stack = w.stack[:len(w.stack)-1]
			continue
		}
		p := &sitemapRef{url: url, parent: q.index, depth: q.depth + 1, page: q.pages == onlyFiles}
		if p.page && q.fails > 0 {
			w.stack = w.stack[:len(w.stack)-1]
			continue
		}
		if q.fails >= w.budget.Fails {
			w.stack = w.stack[:len(w.stack)-1]
			w.reportFails(p, q)
			continue
		}
		if w.visit(p) {
			q.fails = 0
		} else {
			q.fails++
		}
	}
	return !w.done()
}

// reportFails yields one report for the skipped rest of an index; p is the first skipped sitemap.
func (w *traversal) reportFails(p *sitemapRef, q *queue) {
	w.report(p, CodeSitemapFails, fmt.Sprintf("%s more sitemaps of this index not read, after %d failed one after the other",
		wording.Thousands(1+q.waiting()), q.fails), q.waiting())
}

// visit reads one sitemap, unless it was read before or is beyond the budget.
// It returns false if nothing could be read from it.
func (w *traversal) visit(p *sitemapRef) bool {
	key, wanted, good := w.choose(p)
	if !wanted {
		return good
	}
	file, children := w.fetch(p, key)
	if p.page && file.Format != "urlset" && file.Format != "index" {
		w.index-- // a page, which is no part of the report on sitemaps
		return false
	}
	if children.waiting() > 0 {
		w.stack = append(w.stack, children)
	}
	if w.ended = w.ended || w.ctx.Err() != nil; w.ended {
		file.Unread += w.unread()
	}
	w.yieldFile(file)
	return file.Code == "" || file.URLs > 0
}

// choose reports whether to read a sitemap, and counts it as read then. If not, good is the
// result of visit.
func (w *traversal) choose(p *sitemapRef) (key uint64, wanted, good bool) {
	p.url = strings.Trim(p.url, " \t\r\n")
	key, err := w.key(p.url)
	switch {
	case p.page && (err != nil || w.fetched == w.budget.Files || w.budget.Allowed != nil && w.budget.Allowed(p.url) != nil || w.budget.Page != nil && !w.budget.Page(p.url)):
		return 0, false, false
	case err != nil:
		w.report(p, CodeBadURL, err.Error(), 0)
		return 0, false, false
	}
	p.url, _ = weburl.Resolve(p.url, "") // the requested form, which Allowed also gets
	if _, ok := w.read[key]; ok {
		return 0, false, true
	}
	if w.fetched == w.budget.Files {
		w.countOverBudget(p.url)
		return 0, false, true
	}
	if w.budget.Allowed != nil {
		switch refused := w.budget.Allowed(p.url); {
		case refused == nil:
		case slices.Contains(summarizedCodes[:], refused.Code):
			w.countRefused(refused, *p)
			return 0, false, true
		default:
			w.read[key] = ""
			w.report(p, refused.Code, fmt.Sprint(refused.Err), 0)
			return 0, false, false
		}
	}
	w.read[key] = ""
	return key, true, true
}

// unread counts the known sitemaps that were not requested yet, except those
// that are reported separately at the end.
func (w *traversal) unread() int64 {
	n := w.overBudget
	for _, q := range w.stack {
		n += q.waiting()
	}
	for _, d := range w.declared {
		if key, err := w.key(strings.Trim(d.URL, " \t\r\n")); err == nil {
			if _, read := w.read[key]; !read {
				n++
			}
		}
	}
	return int64(n)
}

// report yields a file for a sitemap that is not requested, and that also
// represents more others.
func (w *traversal) report(p *sitemapRef, code, detail string, more int) {
	w.yieldFile(&SitemapFile{
		Outcome: Outcome{URL: p.url, Code: code, Detail: weburl.Truncate(detail, maxDetail)}, Index: w.next(), Parent: p.parent, Line: p.line, Depth: p.depth,
		Unread: int64(more),
	})
}

func (w *traversal) yieldFile(file *SitemapFile) {
	w.yieldItem(SitemapItem{Sitemap: file.Index, File: file})
}

// yieldItem yields an item, and returns false once the caller has left its loop.
func (w *traversal) yieldItem(item SitemapItem) bool {
	w.loopLeft = w.loopLeft || !w.yield(item)
	return !w.loopLeft
}

// done reports whether nothing more must be read.
func (w *traversal) done() bool { return w.ended || w.loopLeft }

// next returns the Index of a new file.
func (w *traversal) next() int {
	w.index++
	return w.index - 1
}

// countOverBudget counts a sitemap that is beyond the budget.
func (w *traversal) countOverBudget(url string) {
	if w.overBudget == 0 {
		w.firstOverBudget = url
	}
	w.overBudget++
}

// key returns the key of a sitemap: 8 bytes for its URL, so that even the
// largest index takes little memory.
func (w *traversal) key(raw string) (uint64, error) {
	u, err := weburl.Read(raw)
	if err != nil {
		return 0, err
	}
	return maphash.String(w.seed, u.String()), nil
}
