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

// holder holds the records of sites in memory, the most recently used ones, so that one
// robots.txt after another is tried on them. Work that takes memory takes it from the same limit.
type holder struct {
	limit   int64
	reading gate                // one site at a time, so that what is being read is within the limit, too
	taking  gate                // bounds those who wait
	work    *semaphore.Weighted // bytes that work may take: half of the limit

	mu    sync.Mutex
	sites map[string]*heldSite
	bytes int64
	clock int64
	taken int64 // bytes, by work
}

// heldSite is a site that is held, or is being read.
type heldSite struct {
	ready   chan struct{} // closed once what follows is known
	records *compare.Held // nil = it has more than is held, and its records are read each time
	err     error
	used    int64
}

func newHolder(limit int64) *holder {
	return &holder{limit: limit, reading: newGate(1, workWaiting), taking: newGate(1, workWaiting), work: semaphore.NewWeighted(limit / 2), sites: map[string]*heldSite{}}
}

// take waits until work may have some bytes, for which sites that are held have to go; give is to be called
// once it is done. All work together has half of the limit, since one site may have the other half.
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

// addTaken counts bytes that work takes or gives back, and drops sites that no longer fit.
func (h *holder) addTaken(bytes int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.taken += bytes
	h.fit("")
}

// mega are bytes as MB, rounded up.
func mega(bytes int64) int64 { return (bytes + 1<<20 - 1) >> 20 }

// records returns the records of a site, from memory where there is room for them. held = they
// are in memory. state tells one state of the site's file from another. ctx ends them.
func (h *holder) records(ctx context.Context, key string, of reports.StoredSite) (records func() iter.Seq2[audit.Record, error], held bool, err error) {
	h.mu.Lock()
	s := h.sites[key]
	mine := s == nil
	if mine {
		s = &heldSite{ready: make(chan struct{})}
		h.sites[key] = s
	}
	h.clock++
	s.used = h.clock
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
		return func() iter.Seq2[audit.Record, error] { return until(ctx, of.Records()) }, false, nil
	}
	return func() iter.Seq2[audit.Record, error] { return until(ctx, s.records.Records()) }, true, nil
}

// read reads a site for all who wait for it.
func (h *holder) read(key string, s *heldSite, of reports.StoredSite) {
	var records *compare.Held
	leave, err := h.reading.enter(context.Background()) // others may wait for it who have more time
	if err == nil {
		records, err = compare.Hold(of.Records(), h.limit/2)
		leave()
	}
	if errors.Is(err, compare.ErrNotHeld) {
		err = nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s.records, s.err = records, err // drop looks at all sites, those that are being read among them
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

// fit drops sites, but not the named one, until the rest and the work are within the limit. mu is held.
func (h *holder) fit(but string) {
	for h.bytes+h.taken > h.limit && h.bytes > 0 {
		h.drop(but)
	}
}

// drop lets go of the site that was not used for longest, and is not the one named. mu is held.
func (h *holder) drop(but string) {
	oldest := ""
	for key, s := range h.sites {
		if key != but && s.records != nil && (oldest == "" || s.used < h.sites[oldest].used) {
			oldest = key
		}
	}
	if oldest == "" {
		h.bytes = 0 // there is none; one alone is below the limit
		return
	}
	h.bytes -= h.sites[oldest].records.Bytes()
	delete(h.sites, oldest)
}

// until ends records with the context.
func until(ctx context.Context, records iter.Seq2[audit.Record, error]) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for rec, err := range records {
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}
