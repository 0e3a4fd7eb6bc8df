package crawl

import (
	"context"
	"strings"
	"sync"
	"time"
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

// host is one of them. Who has its turn may read and write last and delay.
type host struct {
	name  string
	turn  chan struct{} // holds one element while somebody has the turn; who waits gets it in order
	users int           // who have the turn or wait for it; guarded by hosts.mu
	last  time.Time     // of the answer to the latest request; while there is none, its start
	delay time.Duration // that its maker keeps
}

// hostName names the host of a URL.
func hostName(name string) string { return strings.TrimPrefix(hostKey(name), "www.") }

// enter waits for the turn at a host, or until the context ends.
func (h *hosts) enter(ctx context.Context, name string) (*host, error) {
	h.mu.Lock()
	e := h.known[name]
	if e == nil {
		if h.known == nil {
			h.known = map[string]*host{}
		}
		e = &host{name: name, turn: make(chan struct{}, 1)}
		h.known[name] = e
	}
	e.users++
	h.mu.Unlock()
	select {
	case e.turn <- struct{}{}:
		return e, nil
	case <-ctx.Done():
		h.drop(e)
		return nil, context.Cause(ctx)
	}
}

// leave gives the turn to who waits longest.
func (h *hosts) leave(e *host) {
	<-e.turn
	h.drop(e)
}

// drop forgets hosts that nobody uses and that need not be remembered to keep a distance.
func (h *hosts) drop(e *host) {
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
