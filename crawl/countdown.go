package crawl

import (
	"context"
	"time"
)

// countdown is the time that one URL may take, including redirects and retries.
// It is paused while we delay a request ourselves, so that the server does not
// look slow. Only one goroutine may use it. A nil countdown never ends.
type countdown struct {
	left  time.Duration
	since time.Time   // start of the current run; zero = it is paused
	timer *time.Timer // nil = no callback
}

// newCountdown returns a running countdown.
func newCountdown(left time.Duration) *countdown { return &countdown{left: left, since: time.Now()} }

// remaining returns the time left.
func (c *countdown) remaining() time.Duration {
	if c.since.IsZero() {
		return c.left
	}
	return c.left - time.Since(c.since)
}

// arm calls late when no time is left.
func (c *countdown) arm(late func()) { c.timer = time.AfterFunc(c.remaining(), late) }

// disarm cancels arm.
func (c *countdown) disarm() {
	if c != nil && c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
}

func (c *countdown) pause() {
	if c == nil || c.since.IsZero() {
		return
	}
	c.left, c.since = c.remaining(), time.Time{}
	if c.timer != nil {
		c.timer.Stop()
	}
}

func (c *countdown) resume() {
	if c == nil || !c.since.IsZero() {
		return
	}
	c.since = time.Now()
	if c.timer != nil {
		c.timer.Reset(c.left)
	}
}

type countdownKey struct{}

// with returns a context that carries the countdown to the pacer.
func (c *countdown) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, countdownKey{}, c)
}

// countdownOf returns the context's countdown; nil = it has none.
func countdownOf(ctx context.Context) *countdown {
	c, _ := ctx.Value(countdownKey{}).(*countdown)
	return c
}
