package fleet

import (
	"context"
	"errors"
	"testing"
)

// TestBegunLeft: a site that waits for a run to begin and loses its lease releases that run, and
// not a newer one with the same id.
func TestBegunLeft(t *testing.T) {
	b := &begun{runs: map[string]*begunRun{"r": {ready: make(chan struct{}), users: 1}}}
	first := b.runs["r"]
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := b.take(ctx, "r")
		ended <- err
	}()
	await(t, "two who use the run", func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return first.users == 2
	})
	b.mu.Lock()
	cancel()
	second := &begunRun{ready: make(chan struct{}), users: 1}
	b.runs["r"] = second
	b.mu.Unlock()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if first.users != 1 || second.users != 1 {
		t.Errorf("%d use the first, %d the second", first.users, second.users)
	}
}
