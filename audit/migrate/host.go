package migrate

import (
	"context"
	"sync"
	"time"

	"robots-audit/crawl"
)

// hosts are those that were asked, each with a connection of its own that is kept
// from pair to pair.
type hosts struct {
	client  *crawl.Client
	trusted []string // hosts that the user has named: their addresses are not refused
	most    int      // fails of a host, one after the other, after which it is left alone

	mu    sync.Mutex
	known map[string]*host // by host and port
}

// host is one of them. Who has its semaphore may ask it.
type host struct {
	turn  chan struct{} // a semaphore of one
	site  *crawl.Site
	fails int // one after the other
}

// get returns a host; nil = there are too many.
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

// ask has work done with a host's connection, by one pair at a time. It answers
// with the code of what kept it from that; "" = nothing.
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

// setDelay keeps a distance between requests to a host, as its robots.txt asks us to.
func (h *hosts) setDelay(ctx context.Context, origin string, delay time.Duration) {
	h.ask(ctx, origin, func(s *crawl.Site) bool { s.SetDelay(origin, delay); return false })
}

// close ends the connections. Nobody asks any more.
func (h *hosts) close() {
	for _, e := range h.known {
		e.site.Close()
	}
}
