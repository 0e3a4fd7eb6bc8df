package serve

import (
	"context"
	"net/http"
	"time"
)

// gate limits how many callers run at once, and how many more wait.
type gate struct{ waiting, at chan struct{} }

func newGate(at, waiting int) gate {
	return gate{make(chan struct{}, at+waiting), make(chan struct{}, at)}
}

// isOver reports whether a job has closed its channel.
func isOver(ended <-chan struct{}) bool {
	select {
	case <-ended:
		return true
	default:
		return false
	}
}

// endsWithin waits some time for the end of a job, and reports whether it has ended.
func endsWithin(ctx context.Context, ended <-chan struct{}, patience time.Duration) bool {
	select {
	case <-ended:
	case <-time.After(patience):
	case <-ctx.Done():
	}
	return isOver(ended) // both may have come
}

// errBusy says that too many callers wait already.
var errBusy = &failure{status: http.StatusServiceUnavailable, text: "the dashboard is busy. Try again in a moment"}

// enter waits for a free place. Call leave afterwards. The error is errBusy, or the context's.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.waiting <- struct{}{}:
	default:
		return nil, errBusy
	}
	select {
	case g.at <- struct{}{}:
		return func() { <-g.at; <-g.waiting }, nil
	case <-ctx.Done():
		<-g.waiting
		return nil, ctx.Err()
	}
}
