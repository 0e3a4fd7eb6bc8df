package serve

import (
	"context"
	"errors"
	"iter"
	"sync"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/reports"
)

// holder holds the records of sites in memory, the most recently used ones, so that one
// robots.txt after another is tried on them.
type holder struct {
	limit   int64
	reading gate // one site at a time, so that what is being read is within the limit, too

	mu    sync.Mutex
	sites map[string]*heldSite
	bytes int64
	clock int64
}

// heldSite is a site that is held, or is being read.
type heldSite struct {
	ready   chan struct{} // closed once what follows is known
	records *compare.Held // nil = it has more than is held, and its records are read each time
	err     error
	used    int64
}

func newHolder(limit int64) *holder {
	return &holder{limit: limit, reading: newGate(1, workWaiting), sites: map[string]*heldSite{}}
}

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
	for h.bytes > h.limit {
		h.drop(key)
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
