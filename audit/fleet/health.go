package fleet

import (
	"cmp"
	"context"
	"sync"
	"time"
)

// health is how a worker itself fares: while its disk, its bucket or the queue are in trouble it
// takes no sites, and says so once.
type health struct {
	probe func(context.Context) error
	log   func(level, text string)
	tell  func(text string) // of trouble; "" = there is none any more
	first time.Duration     // the first pause; 0 = shortestPause

	mu     sync.Mutex
	failed error         // of ours, until a site is done
	pause  time.Duration // the next one, longer each time
	due    bool          // a pause is to be made
	away   bool          // the queue did not answer
}

// healthPause are the shortest and the longest time that a worker waits before it looks again.
const (
	shortestPause = time.Second
	longestPause  = time.Minute
)

// trouble says that something of ours failed.
func (h *health) trouble(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failed == nil {
		h.log("error", "no more sites are taken until this is fixed: "+err.Error())
	}
	h.tell(err.Error())
	h.failed, h.due = err, true
}

// fine says that a site was done from end to end.
func (h *health) fine() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pause = 0 // pauses grow only while no site is done: a bucket may fail every second time for hours
	if h.failed == nil || h.due {
		return
	}
	h.failed = nil
	h.tell("")
	h.log("info", "sites are taken again")
}

// queue says whether the queue answered.
func (h *health) queue(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case err != nil && !h.away:
		h.log("warn", "the queue gives no sites: "+err.Error())
	case err == nil && h.away:
		h.log("info", "the queue gives sites again")
	}
	h.away = err != nil
}

// wait waits, after trouble, until the bucket answers.
func (h *health) wait(ctx context.Context) {
	for ctx.Err() == nil {
		h.mu.Lock()
		due := h.due
		h.due = false
		if due {
			h.pause = min(max(2*h.pause, cmp.Or(h.first, shortestPause)), longestPause)
		}
		pause := h.pause
		h.mu.Unlock()
		if !due {
			return
		}
		sleep(ctx, pause)
		if err := h.probe(ctx); err != nil && ctx.Err() == nil {
			h.trouble(err)
		}
	}
}
