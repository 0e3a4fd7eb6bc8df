package crawl

import (
	"context"
	"strings"
	"sync"
	"time"

	"robots-audit/crawl/internal/weburl"
)

// hosts are the hosts that the sites of a run are asking, or asked recently. A
// host is a name, whatever the scheme and port, with or without "www.". It
// counts as one server, which gets one request at a time.
type hosts struct {
	mu    sync.Mutex
	known map[string]*host
	limit int // number of known hosts at which unused ones are dropped
}

// minHosts is the number of hosts that are kept before any are dropped.
const minHosts = 1024

// host is the state of one host. Only its holder may read and write last and
// delay.
type host struct {
	name  string
	sem   chan struct{} // a semaphore of one, acquired in the order of calls
	users int           // holders and waiters; guarded by hosts.mu
	last  time.Time     // time of the latest answer; while there is none, the start of its request
	delay time.Duration // minimum time after last
}

// hostName returns the key of a URL's host.
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

// release lets the longest-waiting site acquire the host.
func (h *hosts) release(e *host) {
	<-e.sem
	h.forget(e)
}

// forget removes a user, and drops unused hosts whose delay has passed.
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
