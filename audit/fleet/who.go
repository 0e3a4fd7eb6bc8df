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

// whoSubject is where members are asked for themselves.
const whoSubject = "fleet.who"

// Bounds of the answers that are read: how many, and of what size. One with all that a member tells has
// some 60 kB.
const (
	maxMembers = 10_000
	maxMember  = 256 << 10 // bytes
)

// Answer answers who asks with [Who], until stop is called.
func (r *Recorder) Answer(nc *nats.Conn) (stop func(), err error) {
	s, err := nc.Subscribe(whoSubject, func(msg *nats.Msg) {
		data, err := json.Marshal(r.Member())
		if err == nil {
			_ = msg.Respond(data) // who asks will ask again
		}
	})
	if err != nil {
		return nil, fmt.Errorf("answering on %s: %w", whoSubject, err)
	}
	return func() { _ = s.Unsubscribe() }, nil // the connection may be closed
}

// Who asks the members of a fleet for themselves, and returns, by name, those that answer in time.
func Who(ctx context.Context, c *Conn, wait time.Duration) ([]Member, error) {
	inbox := c.NATS.NewRespInbox()
	s, err := c.NATS.SubscribeSync(inbox)
	if err != nil {
		return nil, fmt.Errorf("asking for the members: %w", err)
	}
	defer s.Unsubscribe()
	if err := c.NATS.PublishRequest(whoSubject, inbox, nil); err != nil {
		return nil, fmt.Errorf("asking for the members: %w", err)
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
			return nil, fmt.Errorf("asking for the members: %w", err)
		}
		if len(msg.Data) == 0 && msg.Header.Get("Status") == "503" { // nobody
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
