package migrate

import (
	"context"
	"sync"
	"time"

	"robots-audit/crawl"
)

// hosts are the requested hosts. Each has a connection that is kept for all pairs.
type hosts struct {
	client  *crawl.Client
	trusted []string // hosts named by the user: private addresses are allowed
	most    int      // consecutive failures of a host after which it gets no more requests

	mu    sync.Mutex
	known map[string]*host // by host and port
}

// host is a host. Only the owner of its semaphore may send requests.
type host struct {
	turn  chan struct{} // a semaphore of one
	site  *crawl.Site
	fails int // consecutive failures
}

// get returns a host; nil = too many hosts.
func (h *hosts) get(name string) *host {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.known[name]
	if e == nil {
		if len(h.known) >= maxOrigins {
			return nil
		}
		e = &host{turn: make(chan struct{}, 1), site: h.client.Site(h.trusted...)}
		h.known[name] = e
	}
	return e
}

// ask runs work with a host's connection, for one pair at a time. It returns a code if work was not
// possible; "" = it was.
func (h *hosts) ask(ctx context.Context, url string, work func(s *crawl.Site) (failed bool)) (code string) {
	e := h.get(hostOf(url))
	if e == nil {
		return CodeTooMany
	}
	select {
	case e.turn <- struct{}{}:
		defer func() { <-e.turn }()
	case <-ctx.Done():
		return crawl.CodeCancelled
	}
	switch {
	case e.fails >= h.most:
		return CodeGaveUp
	case work(e.site):
		e.fails++
	default:
		e.fails = 0
	}
	return ""
}

// setDelay sets the minimum time between requests to a host, from its robots.txt.
func (h *hosts) setDelay(ctx context.Context, origin string, delay time.Duration) {
	h.ask(ctx, origin, func(s *crawl.Site) bool { s.SetDelay(origin, delay); return false })
}

// close ends the connections after the last request.
func (h *hosts) close() {
	for _, e := range h.known {
		e.site.Close()
	}
}
