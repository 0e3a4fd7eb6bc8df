package job

import (
	"context"
	"sync/atomic"

	"robots-audit/audit/watch/delivery"
)

// pings are sent beside the runs, one after the other, so that no run waits for a server.
type pings struct {
	last    chan struct{} // closed after the last ping; nil = there was none
	waiting atomic.Int32
}

// maxPings limits the pings that wait for a server that does not answer.
const maxPings = 20

// ping sends a ping after those before it. Only a warning tells of a problem.
func (l *Loop) ping(ctx context.Context, about delivery.Event) {
	if l.Ping == nil {
		return
	}
	if l.pings.waiting.Load() >= maxPings {
		l.Log.Warn("a ping was not sent, because earlier ones still wait for an answer")
		return
	}
	before, sent := l.pings.last, make(chan struct{})
	l.pings.last = sent
	l.pings.waiting.Add(1)
	go func() {
		defer close(sent)
		defer l.pings.waiting.Add(-1)
		if before != nil {
			<-before
		}
		if err := l.Ping.Send(ctx, about); err != nil && ctx.Err() == nil {
			l.Log.Warn("a ping was not accepted: " + err.Error())
		}
	}()
}

// pingEnd sends the ping of the end of a run. A run that a signal has stopped has not ended: the next
// start continues it.
func (l *Loop) pingEnd(ctx context.Context, err error) {
	switch {
	case over(ctx, err):
	case err != nil:
		l.ping(ctx, delivery.RunFailed)
	default:
		l.ping(ctx, delivery.RunComplete)
	}
}

// wait waits until all pings are sent or have failed.
func (p *pings) wait() {
	if p.last != nil {
		<-p.last
	}
}
