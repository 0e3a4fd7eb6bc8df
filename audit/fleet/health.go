package fleet

import (
	"cmp"
	"context"
	"sync"
	"time"
)

// health stops a worker from taking sites while its disk, its bucket or the queue fails, and reports each
// failure once.
type health struct {
	probe func(context.Context) error
	log   func(level, text string)
	tell  func(text string) // reports a failure; "" = all is well again
	first time.Duration     // the first pause; 0 = shortestPause

	mu     sync.Mutex
	failed error         // last failure of our own since a site was done
	pause  time.Duration // the next pause; each is longer
	due    bool          // a pause is due
	away   bool          // the queue did not answer
}

// healthPause is the shortest and the longest pause before a worker tries again.
const (
	shortestPause = time.Second
	longestPause  = time.Minute
)

// trouble records a failure of our own.
func (h *health) trouble(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failed == nil {
		h.log("error", "no more sites are taken until this is fixed: "+err.Error())
	}
	h.tell(err.Error())
	h.failed, h.due = err, true
}

// fine records that a site was done completely.
func (h *health) fine() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pause = 0 // pauses reset only after a site was done: a bucket may fail every second call for hours
	if h.failed == nil || h.due {
		return
	}
	h.failed = nil
	h.tell("")
	h.log("info", "sites are taken again")
}

// queue records whether the queue answered.
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

// wait waits, after a failure, until the bucket answers.
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
