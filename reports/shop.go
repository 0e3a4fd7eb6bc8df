package reports

import (
	"bufio"
	"io"
	"sync"
	"time"

	"robots-audit/reports/internal/disk"
)

// shop is what it takes to write workbooks: one goroutine at a time uses it,
// for as many workbooks as it likes.
type shop struct {
	disk    disk.FS
	started time.Time     // of the run: when its workbooks were made
	parts   []*part       // scratch of compress
	gather  []byte        // likewise
	record  []byte        // a record being encoded
	packing []byte        // a chunk of records being compressed
	page    *bufio.Writer // of a page being made
}

func newShop(r *Run) *shop {
	return &shop{disk: r.disk, started: r.Started, page: bufio.NewWriterSize(io.Discard, 64<<10)}
}

// shops are those that are free.
type shops struct {
	mu   sync.Mutex
	free []*shop
}

// take returns a shop, a new one where none is free: there are as many as
// reports were ever finished at once.
func (s *shops) take(r *Run) *shop {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		shop := s.free[n-1]
		s.free = s.free[:n-1]
		return shop
	}
	return newShop(r)
}

func (s *shops) give(shop *shop) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, shop)
}
