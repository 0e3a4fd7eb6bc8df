package serve

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"golang.org/x/sync/semaphore"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/reports"
)

// holder keeps the records of the most recently used sites in memory, so that edits can be tested on them
// one after the other. Work that needs memory takes it from the same limit.
type holder struct {
	limit   int64
	reading gate                // reads one site at a time, so that the site being read is within the limit too
	taking  gate                // limits the waiting requests
	work    *semaphore.Weighted // bytes that work may take: half of the limit

	mu    sync.Mutex
	sites map[string]*heldSite
	bytes int64
	clock int64
	taken int64 // bytes taken by work
}

// heldSite is a site in memory, or one that is being read.
type heldSite struct {
	ready   chan struct{} // closed when the fields below are set
	records *compare.Held // nil = the site is too big, and its records are read each time
	err     error
	used    int64
}

func newHolder(limit int64) *holder {
	return &holder{limit: limit, reading: newGate(1, workWaiting), taking: newGate(1, workWaiting), work: semaphore.NewWeighted(limit / 2), sites: map[string]*heldSite{}}
}

// take waits until work may have some bytes, and drops sites for them. Call give afterwards. All work
// together may have half of the limit, since one site may have the other half.
func (h *holder) take(ctx context.Context, bytes int64) (give func(), err error) {
	if bytes > h.limit/2 {
		return nil, &Refusal{fmt.Sprintf("this may take %d MB of memory, but only %d MB are available. Choose fewer URLs, or start the dashboard with -memory %d", mega(bytes), h.limit/2>>20, 2*mega(bytes))}
	}
	leave, err := h.taking.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if err := h.work.Acquire(ctx, bytes); err != nil {
		return nil, err
	}
	h.addTaken(bytes)
	return func() {
		h.addTaken(-bytes)
		h.work.Release(bytes)
	}, nil
}

// addTaken adds bytes that work takes or gives back, and drops sites that no longer fit.
func (h *holder) addTaken(bytes int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.taken += bytes
	h.fit("")
}

// siteKey identifies a site of a run in one state of its records.
func siteKey(r *run, s *reports.StoredSite) string {
	return r.Key + "\x00" + s.Base + "\x00" + s.State()
}

// mega is a number of bytes in MB, rounded up.
func mega(bytes int64) int64 { return (bytes + 1<<20 - 1) >> 20 }

// records returns the records of a site, from memory if they fit. held = they are in memory. state
// identifies the state of the site's file. ctx ends the records.
func (h *holder) records(ctx context.Context, key string, of reports.StoredSite) (records func() iter.Seq2[audit.Record, error], held bool, err error) {
	h.mu.Lock()
	s := h.sites[key]
	mine := s == nil
	if mine {
		s = &heldSite{ready: make(chan struct{})}
		h.sites[key] = s
	}
	h.use(s)
	h.mu.Unlock()
	if mine {
		h.read(key, s, of)
	}
	select {
	case <-s.ready:
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	if s.err != nil {
		return nil, false, s.err
	}
	if s.records == nil {
		return func() iter.Seq2[audit.Record, error] { return audit.Until(ctx, of.Records()) }, false, nil
	}
	return func() iter.Seq2[audit.Record, error] { return audit.Until(ctx, s.records.Records()) }, true, nil
}

// peek returns the records of a site if they are in memory.
func (h *holder) peek(key string) *compare.Held {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.sites[key]
	if s == nil || s.records == nil {
		return nil
	}
	h.use(s)
	return s.records
}

// use marks a site as the most recently used one. mu is locked.
func (h *holder) use(s *heldSite) {
	h.clock++
	s.used = h.clock
}

// read reads a site for all requests that wait for it.
func (h *holder) read(key string, s *heldSite, of reports.StoredSite) {
	var records *compare.Held
	leave, err := h.reading.enter(context.Background()) // not this request's context: others that wait may have more time
	if err == nil {
		records, err = compare.Hold(of.Records(), h.limit/2)
		leave()
	}
	if errors.Is(err, compare.ErrNotHeld) {
		err = nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s.records, s.err = records, err // fit considers all sites, also those that are being read
	close(s.ready)
	if s.err != nil {
		delete(h.sites, key)
		return
	}
	if s.records != nil {
		h.bytes += s.records.Bytes()
	}
	h.fit(key)
}

// fit drops the least recently used sites, but not the named one, until the rest and the work fit into the limit. mu is
// locked.
func (h *holder) fit(but string) {
	for h.bytes+h.taken > h.limit && h.bytes > 0 {
		oldest := ""
		for key, s := range h.sites {
			if key != but && s.records != nil && (oldest == "" || s.used < h.sites[oldest].used) {
				oldest = key
			}
		}
		if oldest == "" {
			h.bytes = 0 // no other site: one alone is below the limit
			return
		}
		h.bytes -= h.sites[oldest].records.Bytes()
		delete(h.sites, oldest)
	}
}
