package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// whoSubject is the subject on which members describe themselves.
const whoSubject = "fleet.who"

// Limits of the answers: their number and size. A full answer has some 60 kB.
const (
	maxMembers = 10_000
	maxMember  = 256 << 10 // bytes
)

// Answer answers the requests of [Who], until stop is called.
func (r *Recorder) Answer(nc *nats.Conn) (stop func(), err error) {
	s, err := nc.Subscribe(whoSubject, func(msg *nats.Msg) {
		data, err := json.Marshal(r.Member())
		if err == nil {
			_ = msg.Respond(data) // a lost answer is harmless: the reader asks again
		}
	})
	if err != nil {
		return nil, fmt.Errorf("answering on %s: %w", whoSubject, err)
	}
	return func() { _ = s.Unsubscribe() }, nil // the connection may be closed
}

// Who asks the members of a fleet to describe themselves, and returns those that answer in time, by name.
func Who(ctx context.Context, c *Conn, wait time.Duration) ([]Member, error) {
	inbox := c.NATS.NewRespInbox()
	s, err := c.NATS.SubscribeSync(inbox)
	if err != nil {
		return nil, fmt.Errorf("asking the workers: %w", err)
	}
	defer s.Unsubscribe()
	if err := c.NATS.PublishRequest(whoSubject, inbox, nil); err != nil {
		return nil, fmt.Errorf("asking the workers: %w", err)
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	members := []Member{}
	for len(members) < maxMembers {
		msg, err := s.NextMsgWithContext(waiting)
		if errors.Is(err, nats.ErrNoResponders) {
			break
		}
		if waiting.Err() != nil && ctx.Err() == nil {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("asking the workers: %w", err)
		}
		if len(msg.Data) == 0 && msg.Header.Get("Status") == "503" { // no member
			break
		}
		var m Member
		if len(msg.Data) <= maxMember && json.Unmarshal(msg.Data, &m) == nil && m.Name != "" {
			members = append(members, m)
		}
	}
	slices.SortFunc(members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return members, nil
}
