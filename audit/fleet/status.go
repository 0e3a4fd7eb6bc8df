package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/engine/escape"
)

// Status describes a fleet: its members and its queue.
type Status struct {
	only bool // see Only

	Time     time.Time     `json:"time"` // UTC
	Members  []Member      `json:"members"`
	Queues   []QueueStatus `json:"queues"` // first of runs, then of sites by region
	Streams  []StreamState `json:"streams"`
	Problems []string      `json:"problems"` // missing answers, errors of the queue, and work that no member does
}

// QueueStatus describes a consumer of the queue.
type QueueStatus struct {
	Stream      string `json:"stream"`      // RUNS, JOBS
	Name        string `json:"name"`        // for JOBS the region, with the version of its runs if they have one: eu_1-4
	Waiting     uint64 `json:"waiting"`     // not yet delivered to a worker
	Held        int    `json:"held"`        // in work, or delayed for another try
	Redelivered int    `json:"redelivered"` // of Held: delivered more than once
	Pulls       int    `json:"pulls"`       // waiting requests for messages
}

// StreamState describes a stream.
type StreamState struct {
	Name     string   `json:"name"`
	Messages uint64   `json:"messages"`
	Bytes    uint64   `json:"bytes"`
	Replicas int      `json:"replicas"`
	Leader   string   `json:"leader"`  // "" = no cluster, or no leader now
	Lagging  []string `json:"lagging"` // nodes that are behind, or away
}

// Limits of reading: time for members, and for each answer of the queue.
const (
	whoWait    = 500 * time.Millisecond
	statusWait = 5 * time.Second
	maxRegions = 1000
)

// ReadStatus asks members and queue. Missing answers of the queue are problems. The error says that nothing
// could be asked.
func ReadStatus(ctx context.Context, c *Conn) (*Status, error) {
	members, err := Who(ctx, c, whoWait)
	if err != nil {
		return nil, err
	}
	s := &Status{Time: time.Now().UTC(), Members: members, Queues: []QueueStatus{}, Streams: []StreamState{}, Problems: []string{}}
	missing := 0
	for _, name := range []string{streamRuns, streamJobs, streamResults} {
		reading, cancel := context.WithTimeout(ctx, statusWait)
		err := s.readStream(reading, c, name)
		cancel()
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("reading stream %s: %w", name, ctx.Err())
		case errors.Is(err, jetstream.ErrStreamNotFound):
			if missing++; len(members) > 0 {
				s.Problems = append(s.Problems, "stream "+name+" is missing: workers create it again within a minute")
			}
		case err != nil:
			s.Problems = append(s.Problems, fmt.Sprintf("stream %s does not answer: %v", name, err))
		}
	}
	s.judge(missing == 3)
	return s, nil
}

// judge adds the nodes that lag, and the work that waits for missing members.
func (s *Status) judge(fresh bool) {
	tell := func(format string, args ...any) { s.Problems = append(s.Problems, fmt.Sprintf(format, args...)) }
	versions := map[string]bool{}
	for _, m := range s.Members {
		versions[m.Version] = true
	}
	lagging := map[string][]string{}
	for _, stream := range s.Streams {
		for _, node := range stream.Lagging {
			lagging[node] = append(lagging[node], stream.Name)
		}
	}
	for _, node := range slices.Sorted(maps.Keys(lagging)) {
		tell("node %s is offline or not up to date: %s", node, strings.Join(lagging[node], ", "))
	}
	switch {
	case len(s.Members) == 0 && fresh:
		tell("the queue is empty and has no worker. Start robots-audit-fleet worker")
	case len(s.Members) == 0:
		tell("no worker answers, so the queue waits. Start robots-audit-fleet worker")
	}
	if len(s.Members) > 0 {
		s.Problems = append(s.Problems, s.absences()...)
	}
	if len(versions) > 1 {
		tell("workers have different versions. This is normal during an upgrade: %s", strings.Join(slices.Sorted(maps.Keys(versions)), ", "))
	}
}

func (s *Status) readStream(ctx context.Context, c *Conn, name string) error {
	stream, err := c.JS.Stream(ctx, name)
	if err != nil {
		return err
	}
	info := stream.CachedInfo()
	state := StreamState{Name: name, Messages: info.State.Msgs, Bytes: info.State.Bytes, Replicas: info.Config.Replicas, Lagging: []string{}}
	if info.Cluster != nil {
		state.Leader = info.Cluster.Leader
		for _, peer := range info.Cluster.Replicas {
			if peer.Offline || !peer.Current {
				state.Lagging = append(state.Lagging, peer.Name)
			}
		}
	}
	s.Streams = append(s.Streams, state)
	if name == streamResults { // readers come and go, so they do not count
		return nil
	}
	list := stream.ListConsumers(ctx)
	var queues []QueueStatus
	for info := range list.Info() {
		if len(queues) < maxRegions {
			queues = append(queues, QueueStatus{name, info.Name, info.NumPending, info.NumAckPending, info.NumRedelivered, info.NumWaiting})
		}
	}
	slices.SortFunc(queues, func(a, b QueueStatus) int { return strings.Compare(a.Name, b.Name) })
	s.Queues = append(s.Queues, queues...)
	return list.Err()
}

// WriteJSON writes the status as JSON that is safe for a terminal.
func (s *Status) WriteJSON(w io.Writer) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(terminalLines(data), '\n'))
	return err
}

// terminalLines escapes everything except line ends.
func terminalLines(data []byte) []byte {
	lines := strings.Split(string(data), "\n")
	for i, line := range lines {
		lines[i] = string(escape.TerminalJSON([]byte(line)))
	}
	return []byte(strings.Join(lines, "\n"))
}
