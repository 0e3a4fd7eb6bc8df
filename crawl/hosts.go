package crawl

import (
	"context"
	"strings"
	"sync"
	"time"

	"robots-audit/crawl/internal/weburl"
)

// hosts are those that the sites of a run are asking, or asked a moment ago. A
// host is a name: whatever the scheme and port, with "www." or without, it is
// taken for one server, of which one request at a time is asked.
type hosts struct {
	mu    sync.Mutex
	known map[string]*host
	limit int // of known, before those without use are dropped
}

// minHosts is how many hosts are remembered before any are dropped.
const minHosts = 1024

// host is one of them. Whoever has acquired it may read and write last and delay.
type host struct {
	name  string
	sem   chan struct{} // a semaphore of one, acquired in the order of asking
	users int           // that have acquired it or wait for it; guarded by hosts.mu
	last  time.Time     // of the answer to the latest request; while there is none, its start
	delay time.Duration // to be kept after last
}

// hostName names the host of a URL.
func hostName(name string) string { return strings.TrimPrefix(weburl.HostKey(name), "www.") }

// acquire waits until no other site asks the host, or until the context ends.
func (h *hosts) acquire(ctx context.Context, name string) (*host, error) {
	h.mu.Lock()
	e := h.known[name]
	if e == nil {
		if h.known == nil {
			h.known = map[string]*host{}
		}
		e = &host{name: name, sem: make(chan struct{}, 1)}
		h.known[name] = e
	}
	e.users++
	h.mu.Unlock()
	select {
	case e.sem <- struct{}{}:
		return e, nil
	case <-ctx.Done():
		h.forget(e)
		return nil, context.Cause(ctx)
	}
}

// release lets the site that has waited longest acquire the host.
func (h *hosts) release(e *host) {
	<-e.sem
	h.forget(e)
}

// forget counts a user less, and removes hosts that nobody uses and whose delay has passed.
func (h *hosts) forget(e *host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e.users--
	if e.unused() {
		delete(h.known, e.name)
	}
	if len(h.known) < max(h.limit, minHosts) {
		return
	}
	for name, e := range h.known {
		if e.unused() {
			delete(h.known, name)
		}
	}
	h.limit = 2 * len(h.known)
}

func (e *host) unused() bool { return e.users == 0 && time.Since(e.last) >= e.delay }
