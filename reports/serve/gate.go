package serve

import (
	"context"
	"net/http"
)

// gate lets so many do something at once, and so many more wait for it.
type gate struct{ waiting, at chan struct{} }

func newGate(at, waiting int) gate {
	return gate{make(chan struct{}, at+waiting), make(chan struct{}, at)}
}

// errBusy is that too many wait already.
var errBusy = &failure{status: http.StatusServiceUnavailable, text: "the dashboard is busy. Try again in a moment"}

// enter waits for its turn; leave is to be called afterwards. The error is errBusy, or the context's.
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
