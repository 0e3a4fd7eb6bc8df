package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrHopeless says that another try would end the same way. A [Merge] wraps it, so that its run is given up
// at once and not tried again for hours.
var ErrHopeless = errors.New("a retry cannot fix this")

// Errors of [Wait] that more waiting does not change.
var (
	// ErrGivenUp says that a run has ended without a report folder.
	ErrGivenUp = errors.New("given up")
	// ErrForgotten says that no process works on a run and no record says how it ended: it was never
	// queued, or the queue has lost it.
	ErrForgotten = errors.New("submit it again")
)

// MergedKey is the key of the object that says that a run is merged and its folder is complete.
func MergedKey(run string) string { return fleetPrefix + run + "/merged.json" }

// FailedKey is the key of the object that says, for people, why a run was given up: a [Failure] as JSON.
func FailedKey(run string) string { return fleetPrefix + run + "/failed.json" }

// Failure says why a run was given up.
type Failure struct {
	Run   string    `json:"run"`
	Why   string    `json:"why"`
	Tries uint64    `json:"tries"`
	Time  time.Time `json:"time"` // UTC
	By    string    `json:"by"`   // the coordinator
}

// Progress is a run's progress as its coordinator publishes it.
type Progress struct {
	Coordinating
	Coordinator string `json:"coordinator"`
}

// progressSubject is the subject on which coordinators publish a run's progress.
func progressSubject(run string) string { return "fleet.progress." + run }

// waitAway is how long Wait goes on while neither the queue nor the bucket answers.
const waitAway = 10 * time.Minute

// Wait waits until a run is merged, and reports its progress if progress is not nil. The error says why the
// run was given up (ErrGivenUp), that there is no such run (ErrForgotten), or that neither the queue nor
// the bucket answered for ten minutes. Wait waits for a run without a coordinator as long as ctx lasts.
func Wait(ctx context.Context, c *Conn, id string, progress func(Progress)) error {
	if !ValidID(id) {
		return fmt.Errorf("run %q: not the id of a run", id)
	}
	sub, err := c.NATS.SubscribeSync(progressSubject(id))
	if err != nil {
		return fmt.Errorf("run %s: %w", id, err)
	}
	defer sub.Unsubscribe()
	answered := time.Now()
	for {
		ended, err := c.ended(ctx, id)
		switch {
		case ended:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			answered = time.Now()
		case time.Since(answered) > waitAway:
			return fmt.Errorf("run %s: %w", id, err)
		}
		for poll := time.Now().Add(pauses.poll); time.Now().Before(poll); {
			next, cancel := context.WithDeadline(ctx, poll)
			msg, err := sub.NextMsgWithContext(next)
			cancel()
			var p Progress
			if err == nil && progress != nil && json.Unmarshal(msg.Data, &p) == nil && p.Run == id {
				progress(p)
			}
			if err != nil {
				if err := sleep(ctx, min(time.Until(poll), pauses.poll)); err != nil {
					return err
				}
			}
		}
	}
}

// ended reports whether a run has ended, and how: err is nil if it is merged. If the run has not ended, err
// says why that could not be checked.
func (c *Conn) ended(ctx context.Context, id string) (ended bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	queued := true
	stream, err := c.JS.Stream(ctx, streamRuns)
	if err == nil {
		_, err = stream.GetLastMsgForSubject(ctx, anyRunSubject(id))
	}
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		queued, err = false, nil
	}
	if err != nil {
		return false, fmt.Errorf("the queue of runs: %w", err)
	}
	if queued {
		return false, nil
	}
	// The objects read below were written before the message was removed.
	if merged, err := c.Bucket.Exists(ctx, MergedKey(id)); merged || err != nil {
		return merged, err
	}
	if data, err := c.Bucket.Get(ctx, FailedKey(id), maxDescription); err == nil {
		var f Failure
		if err := json.Unmarshal(data, &f); err != nil {
			return true, fmt.Errorf("run %s was %w; %s cannot be read: %w", id, ErrGivenUp, FailedKey(id), err)
		}
		return true, fmt.Errorf("run %s was %w by %s after try %d: %s", id, ErrGivenUp, f.By, f.Tries, f.Why)
	}
	if there, err := c.Bucket.Exists(ctx, RunKey(id)); err != nil {
		return false, err
	} else if there {
		return true, fmt.Errorf("run %s is neither in the queue nor merged: the queue has lost it; %w", id, ErrForgotten)
	}
	return true, fmt.Errorf("run %s: no run has this id; %w", id, ErrForgotten)
}

// maxDescription limits the description of a run, or of its end, in bytes.
const maxDescription = 1 << 20
