package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// begunIdle is how long a run stays open that has no site in work.
const begunIdle = time.Minute

// maxBegunIdle is the number of runs that stay open while they have no site in work.
const maxBegunIdle = 4

// maxRunJSON is the size of a run's description at most, in bytes.
const maxRunJSON = 16 << 20

// begun are the runs that a worker has open.
type begun struct {
	ctx  context.Context // of Begin: of the worker, and not of the site that happens to come first
	conn *Conn
	work Work

	mu   sync.Mutex
	runs map[string]*begunRun
}

// begunRun is one of them.
type begunRun struct {
	ready  chan struct{} // closed when sites or err is there
	sites  Sites
	err    error
	users  int
	unused time.Time // when the last site ended
}

// take returns what does the sites of a run, and begins it if need be; give gives it back. An error
// is one of ours, or store.ErrNotFound: the bucket knows no such run.
func (b *begun) take(ctx context.Context, id string) (Sites, error) {
	b.mu.Lock()
	run, ok := b.runs[id]
	if !ok {
		run = &begunRun{ready: make(chan struct{})}
		b.runs[id] = run
	}
	run.users++
	b.mu.Unlock()

	if ok {
		select {
		case <-run.ready:
		case <-ctx.Done():
			b.leave(run)
			return nil, context.Cause(ctx)
		}
	} else {
		run.sites, run.err = b.begin(b.ctx, id)
		close(run.ready)
	}
	if run.err != nil {
		b.mu.Lock()
		if b.runs[id] == run { // the next one tries again
			delete(b.runs, id)
		}
		b.mu.Unlock()
		return nil, run.err
	}
	return run.sites, nil
}

// begin reads a run's description and begins it.
func (b *begun) begin(ctx context.Context, id string) (_ Sites, err error) {
	data, err := b.conn.Bucket.Get(ctx, RunKey(id), maxRunJSON)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", id, err)
	}
	run := new(Run)
	if err := json.Unmarshal(data, run); err != nil {
		return nil, fmt.Errorf("run %s: %s: %w", id, RunKey(id), err)
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("run %s: panic: %v", id, p)
		}
	}()
	sites, err := b.work.Begin(ctx, run)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", id, err)
	}
	return sites, nil
}

// give ends a use of a run that take has returned.
func (b *begun) give(id string) {
	b.mu.Lock()
	run := b.runs[id]
	b.mu.Unlock()
	b.leave(run)
}

// leave is give for a run that may have another in its place by now.
func (b *begun) leave(run *begunRun) {
	b.mu.Lock()
	defer b.mu.Unlock()
	run.users--
	run.unused = time.Now()
}

// closeIdle closes runs that have had no site for some time, and the longest idle ones if there are
// too many; with all set, every one that has no site.
func (b *begun) closeIdle(all bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var first error
	for {
		var oldest string
		for id, run := range b.runs {
			if run.users == 0 && (oldest == "" || run.unused.Before(b.runs[oldest].unused)) {
				oldest = id
			}
		}
		if oldest == "" || !all && len(b.runs) <= maxBegunIdle && time.Since(b.runs[oldest].unused) < begunIdle {
			return first
		}
		err := b.runs[oldest].sites.Close()
		delete(b.runs, oldest)
		if err != nil && first == nil {
			first = fmt.Errorf("run %s: %w", oldest, err)
		}
	}
}
