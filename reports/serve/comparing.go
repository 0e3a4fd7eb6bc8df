package serve

import (
	"context"
	"sync"
	"time"

	"robots-audit/reports/changes"
)

// comparisons are the latest comparisons of versions. On a large site one takes seconds: it goes on after its request,
// and the next request finds it.
type comparisons struct {
	patient time.Duration // how long a page waits for one
	long    time.Duration // how long a client that wants data does
	mu      sync.Mutex
	by      map[string]*comparing // by run, site and versions
}

// comparing is a comparison, with its result after its end.
type comparing struct {
	ended chan struct{}
	told  *changes.Told
	took  time.Duration
	err   error
}

// Limits of comparisons.
const (
	comparePatience = 300 * time.Millisecond
	compareLong     = 10 * time.Second // patience of clients that want data
	maxComparisons  = 16               // each has two texts and the figures of a site
)

// find returns the comparison of a key. If there is none, it begins one.
func (c *comparisons) find(d *Desk, key string, tell func(context.Context) (*changes.Told, error)) (*comparing, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if of := c.by[key]; of != nil {
		return of, nil
	}
	for other, of := range c.by {
		if len(c.by) >= maxComparisons && isOver(of.ended) {
			delete(c.by, other)
		}
	}
	if len(c.by) >= maxComparisons || d.closing.Err() != nil {
		return nil, errBusy
	}
	of := &comparing{ended: make(chan struct{})}
	c.by[key] = of
	d.jobs.Go(func() {
		defer close(of.ended)
		ctx, cancel := context.WithTimeout(d.closing, longestWork)
		defer cancel()
		leave, err := d.work.enter(ctx)
		if err == nil {
			began := time.Now()
			of.told, err = tell(ctx)
			of.took = time.Since(began)
			leave()
		}
		if of.err = err; err != nil {
			c.mu.Lock()
			delete(c.by, key)
			c.mu.Unlock()
		}
	})
	return of, nil
}
