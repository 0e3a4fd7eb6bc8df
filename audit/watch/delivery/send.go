package delivery

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
)

// Store has the methods of *history.DB that Send needs.
type Store interface {
	// DueDeliveries returns the deliveries that are neither accepted nor given up, and whose Next
	// is not after now, or is after later. They are in the order of Next.
	DueDeliveries(ctx context.Context, now, later time.Time) ([]history.Delivery, error)
	// SaveTry stores the result of a try: Tries, Next, Accepted, GivenUp and Error.
	SaveTry(ctx context.Context, d history.Delivery) error
}

// Try is the result of one try.
type Try struct {
	ID      string
	Channel string
	Tries   int // including this one
	State   State
	Next    time.Time // after a failure: the time of the next try
	Text    string    // in plain words, without secrets: why it failed, or what was not accepted; "" = nothing
}

// State is the state of a delivery after a try.
type State string

// The states after a try.
const (
	Accepted State = "accepted"
	Failed   State = "failed" // and is retried
	GivenUp  State = "given up"
)

// tryTime bounds one try. Tests make it shorter.
var tryTime = 2 * time.Minute

// Send tries each delivery that is due, the oldest of each channel first, and returns the results.
// After the first failure of a channel, its other deliveries wait until shortly before the next try
// of the failed one, so that this one does not go first again. A delivery whose day is over stays
// due; then more is true, and Send should be called again at once. home is the place of the
// messages' files. An error is one of the store or the context.
func Send(ctx context.Context, store Store, channels []Channel, home alert.Home, now func() time.Time) (tries []Try, more bool, err error) {
	start := now()
	due, err := store.DueDeliveries(ctx, start, start.Add(LongestPause))
	if err != nil {
		return nil, false, err
	}
	byName := map[string]Channel{}
	for _, c := range channels {
		byName[c.Common().Name] = c
	}
	over := map[string]time.Time{} // by channel that failed: the time of its next try
	for _, d := range due {
		if until, is := over[d.Channel]; is {
			end := d.Entered.Add(GiveUpAfter)
			if !now().Before(end) {
				more = true
				continue
			}
			if d.Next = until; until.After(end) {
				d.Next = end
			}
			if err := store.SaveTry(ctx, d); err != nil {
				return tries, more, err
			}
			continue
		}
		note, failed := try(ctx, byName[d.Channel], d, home)
		if err := ctx.Err(); err != nil { // not the receiver ended it
			return tries, false, err
		}
		d.Tries++
		d.Error = note
		t := Try{ID: d.ID, Channel: d.Channel, Tries: d.Tries, State: Accepted}
		at := now().UTC()
		if failed == nil {
			d.Accepted = at
		} else {
			d.Error = failed.what
			again, ok := next(d, failed, at)
			if ok {
				t.State, t.Next, d.Next = Failed, again, again
			} else {
				t.State, d.GivenUp = GivenUp, at
				again = at.Add(waits[0])
			}
			if !failed.ofMessage {
				over[d.Channel] = again.Add(-time.Second)
			}
		}
		t.Text = d.Error
		if err := store.SaveTry(ctx, d); err != nil {
			return tries, more, err
		}
		tries = append(tries, t)
	}
	return tries, more, nil
}

// try sends one delivery.
func try(ctx context.Context, c Channel, d history.Delivery, home alert.Home) (note string, failed *failure) {
	if c == nil {
		return "", &failure{what: "the configuration has no channel of this name", lasting: true}
	}
	p := parcel{id: d.ID, entered: d.Entered, tries: d.Tries}
	if err := json.Unmarshal(d.Message, &p.message); err != nil {
		return "", &failure{what: "the stored message cannot be read: " + err.Error(), lasting: true, ofMessage: true}
	}
	p.message.Place(home)
	r, failed := deliver(ctx, c, p)
	return r.note, failed
}

// deliver sends a message by a channel, within the time of one try. The texts that it returns have
// no secrets.
func deliver(ctx context.Context, c Channel, p parcel) (r receipt, failed *failure) {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	r, err := c.send(ctx, p)
	if err == nil {
		return receipt{redacted(r.answer, c.secrets()), redacted(r.note, c.secrets())}, nil
	}
	if !errors.As(err, &failed) {
		_, remedy := explain(err)
		failed = &failure{what: err.Error(), remedy: remedy}
	}
	failed.what = redacted(failed.what, c.secrets())
	return receipt{}, failed
}
