package crawl

import (
	"context"
	"hash/maphash"
	"iter"
	"net/url"
	"strings"
	"time"

	"robots-audit/crawl/internal/weburl"
)

// LinkBudget limits the following of links. A zero field means the default in
// brackets.
type LinkBudget struct {
	Pages int           // pages requested [500]
	Depth int           // clicks from a start page [3]; -1 = only the start pages
	Bytes int64         // decompressed bytes of one page [5 MiB]
	Time  time.Duration // no page is requested after this time [no limit]
	Agent string        // User-Agent header [the client's]
	Left  *LinksLeft    // counts links that were found and not requested; nil = not counted

	Refused func(url string, depth int) // called when a page is found that LinksLeft.Disallowed counts; may be nil
}

// LinksLeft counts the pages of a site that Links found but did not request, each
// once. These are pages beyond a limit of LinkBudget, pages still in the queue
// when the walk was cancelled, and pages that allowed refused. The real number may
// be higher, since the links on unread pages are unknown.
type LinksLeft struct {
	Pages, Depth, Time int64 // beyond the limit of this name
	Cancelled          int64
	Disallowed         int64
}

// WithDefaults returns the budget with its defaults filled in.
func (b LinkBudget) WithDefaults() LinkBudget {
	if b.Pages <= 0 {
		b.Pages = 500
	}
	if b.Depth == 0 {
		b.Depth = 3
	}
	if b.Bytes <= 0 {
		b.Bytes = 5 << 20
	}
	if b.Left == nil {
		b.Left = new(LinksLeft)
	}
	return b
}

// maxLeft limits the number of pages that LinksLeft counts.
const maxLeft = 50_000

// pageHops is how many redirects of a page are followed.
const pageHops = 10

// Links requests the start pages and the pages they link to on the same hosts. It
// works breadth first, one page at a time, and yields each page after reading it.
// If a start page redirects to its host's variant with or without "www.", that
// host belongs to the site too. allowed is called before every request and every
// redirect hop, with the URL to request. A refused URL is not fetched. It is only
// yielded if it is a start page or the target of a redirect (code disallowed).
// Leaving the loop ends the walk.
func (s *Site) Links(ctx context.Context, start []string, budget LinkBudget, allowed func(url string) bool) iter.Seq[Page] {
	return func(yield func(Page) bool) {
		w := &linkWalk{budget: budget.WithDefaults(), allowed: allowed, hosts: map[string]bool{}, seen: map[string]bool{}, left: map[uint64]*int64{}, seed: maphash.MakeSeed()}
		w.visitor = newVisitor(s, w)
		begun := time.Now()
		for _, raw := range start {
			if u, err := weburl.Read(raw); err == nil {
				w.hosts[siteKey(u)] = true
			}
		}
		for _, raw := range start {
			if p, ok := w.start(raw); !ok && !yield(p) {
				return
			}
		}
		for len(w.queue) > 0 && ctx.Err() == nil && (budget.Time <= 0 || time.Since(begun) < budget.Time) {
			next := w.queue[0]
			w.queue = w.queue[1:]
			p := w.visitor.visit(ctx, next)
			for _, link := range p.Links {
				w.enqueue(link, next.depth+1)
			}
			if !yield(p) {
				return
			}
		}
		if ctx.Err() != nil {
			w.budget.Left.Cancelled = int64(len(w.queue))
		} else {
			w.budget.Left.Time = int64(len(w.queue))
		}
	}
}

// linkWalk is the queue of pages. Pages beyond the budget are never queued, so
// it is small for any site.
type linkWalk struct {
	budget   LinkBudget
	allowed  func(url string) bool
	visitor  *visitor
	hosts    map[string]bool // siteKey of the start pages, and of the hosts they redirect to
	seen     map[string]bool // queued before, or reached by a redirect
	queue    []queued
	enqueued int               // total number queued
	left     map[uint64]*int64 // pages that LinksLeft counts, by hash, with their counter
	seed     maphash.Seed
}

type queued struct {
	url   string
	depth int
}

// start queues a start page. If it cannot, it returns its Page.
func (w *linkWalk) start(raw string) (Page, bool) {
	u, err := weburl.Read(raw)
	if err != nil {
		return Page{URL: raw, Code: CodeBadURL, Detail: err.Error()}, false
	}
	if !w.allowed(u.String()) {
		return Page{URL: u.String(), Code: CodeDisallowed}, false
	}
	w.enqueue(raw, 0)
	return Page{}, true
}

// enqueue queues a page unless it is known, on another host, disallowed, too deep or over the
// budget.
func (w *linkWalk) enqueue(raw string, depth int) {
	u, err := weburl.Read(raw)
	if err != nil || !w.hosts[siteKey(u)] {
		return
	}
	page := u.String()
	if w.seen[page] || w.left[w.hash(page)] != nil {
		return
	}
	switch {
	case !w.allowed(page):
		if w.leave(page, &w.budget.Left.Disallowed) && w.budget.Refused != nil {
			w.budget.Refused(page, depth)
		}
	case w.enqueued >= w.budget.Pages:
		w.leave(page, &w.budget.Left.Pages)
	case depth > max(0, w.budget.Depth):
		w.leave(page, &w.budget.Left.Depth)
	default:
		w.seen[page] = true
		w.enqueued++
		w.queue = append(w.queue, queued{page, depth})
	}
}

// leave counts a page that is not requested; false = there are too many to count.
func (w *linkWalk) leave(page string, count *int64) bool {
	if len(w.left) >= maxLeft {
		return false
	}
	w.left[w.hash(page)] = count
	*count++
	return true
}

// reached records a page that a redirect led to.
func (w *linkWalk) reached(page string) {
	w.seen[page] = true
	if count := w.left[w.hash(page)]; count != nil {
		delete(w.left, w.hash(page))
		*count--
	}
}

func (w *linkWalk) hash(page string) uint64 { return maphash.String(w.seed, page) }

// isWWWVariant reports whether a URL's host is one of the walk except for a
// "www.".
func (w *linkWalk) isWWWVariant(u *url.URL) bool {
	bare := strings.TrimPrefix(siteKey(u), "www.")
	return w.hosts[bare] || w.hosts["www."+bare]
}

// siteKey returns the key of a URL's host: equal for http and https of one
// name, different for other ports.
func siteKey(u *url.URL) string {
	if p := portOf(u); p != "80" && p != "443" {
		return weburl.HostKey(u.Hostname()) + ":" + p
	}
	return weburl.HostKey(u.Hostname())
}
