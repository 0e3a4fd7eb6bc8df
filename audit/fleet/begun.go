package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// begunIdle is how long a run stays open without a site in work.
const begunIdle = time.Minute

// maxBegunIdle is the number of runs that stay open without a site in work.
const maxBegunIdle = 4

// maxRunJSON limits a run's description, in bytes.
const maxRunJSON = 16 << 20

// begun has the open runs of a worker.
type begun struct {
	ctx  context.Context // context for Begin: the worker's, since the run outlives the site that comes first
	conn *Conn
	work Work

	mu   sync.Mutex
	runs map[string]*begunRun
}

// begunRun is an open run.
type begunRun struct {
	ready  chan struct{} // closed when sites or err is set
	sites  Sites
	err    error
	users  int
	unused time.Time // when the last site ended
}

// take returns the Sites of a run, and begins the run if it is not open. give ends the use. The error is
// our own, or store.ErrNotFound if the bucket does not know the run.
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
		if b.runs[id] == run { // the next call tries again
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

// give ends one use of a run that take returned.
func (b *begun) give(id string) {
	b.mu.Lock()
	run := b.runs[id]
	b.mu.Unlock()
	b.leave(run)
}

// leave is give for a run that another may have replaced in the map.
func (b *begun) leave(run *begunRun) {
	b.mu.Lock()
	defer b.mu.Unlock()
	run.users--
	run.unused = time.Now()
}

// closeIdle closes runs that were idle for some time, and the longest idle runs if there are too many. With
// all set it closes every idle run.
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
