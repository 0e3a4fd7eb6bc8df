package crawl

import (
	"context"
	"time"
)

// clock runs down while one URL is being asked for, redirects and retries
// included. It stands still while we hold a request back ourselves: waiting for our
// turn must not look as if the server were slow. One goroutine uses it; a
// nil clock may be used and has no end.
type clock struct {
	left  time.Duration
	since time.Time   // when it began to run; zero = it stands still
	timer *time.Timer // nil = nobody is to be told
}

// newClock returns a clock that runs.
func newClock(left time.Duration) *clock { return &clock{left: left, since: time.Now()} }

// remaining returns what is left.
func (c *clock) remaining() time.Duration {
	if c.since.IsZero() {
		return c.left
	}
	return c.left - time.Since(c.since)
}

// arm has late called when the clock has run down.
func (c *clock) arm(late func()) { c.timer = time.AfterFunc(c.remaining(), late) }

// disarm takes arm back.
func (c *clock) disarm() {
	if c != nil && c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
}

func (c *clock) pause() {
	if c == nil || c.since.IsZero() {
		return
	}
	c.left, c.since = c.remaining(), time.Time{}
	if c.timer != nil {
		c.timer.Stop()
	}
}

func (c *clock) resume() {
	if c == nil || !c.since.IsZero() {
		return
	}
	c.since = time.Now()
	if c.timer != nil {
		c.timer.Reset(c.left)
	}
}

type clockKey struct{}

// with returns a context that carries the clock to the pacer.
func (c *clock) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, clockKey{}, c)
}

// clockOf returns the context's clock; nil = it has none.
func clockOf(ctx context.Context) *clock {
	c, _ := ctx.Value(clockKey{}).(*clock)
	return c
}
