package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/engine/escape"
)

// Status is how a fleet fares: what its members tell, and what the queue does.
type Status struct {
	Time     time.Time     `json:"time"` // UTC
	Members  []Member      `json:"members"`
	Queues   []QueueStatus `json:"queues"` // of runs first, then of sites, by region
	Streams  []StreamState `json:"streams"`
	Problems []string      `json:"problems"` // what could not be read, and what is wrong with the queue
}

// QueueStatus is how a queue's consumer fares.
type QueueStatus struct {
	Stream      string `json:"stream"`      // RUNS, JOBS
	Name        string `json:"name"`        // of JOBS the region, with the version of its runs where they have one: eu_1-4
	Waiting     uint64 `json:"waiting"`     // nobody has had them yet
	Held        int    `json:"held"`        // in work, or put off to be tried again
	Redelivered int    `json:"redelivered"` // of Held: given out more than once
	Pulls       int    `json:"pulls"`       // requests for messages that wait
}

// StreamState is how a stream fares.
type StreamState struct {
	Name     string   `json:"name"`
	Messages uint64   `json:"messages"`
	Bytes    uint64   `json:"bytes"`
	Replicas int      `json:"replicas"`
	Leader   string   `json:"leader"`  // "" = of no cluster, or there is none now
	Lagging  []string `json:"lagging"` // nodes that are not up to date, or away
}

// Bounds of reading: waits for members, and for each answer of the queue.
const (
	whoWait    = 500 * time.Millisecond
	statusWait = 5 * time.Second
	maxRegions = 1000
)

// ReadStatus asks members and queue. What the queue does not answer is among the problems; an error
// is that nothing could be asked.
func ReadStatus(ctx context.Context, c *Conn) (*Status, error) {
	members, err := Who(ctx, c, whoWait)
	if err != nil {
		return nil, err
	}
	s := &Status{Time: time.Now().UTC(), Members: members, Queues: []QueueStatus{}, Streams: []StreamState{}, Problems: []string{}}
	for _, name := range []string{streamRuns, streamJobs, streamResults} {
		reading, cancel := context.WithTimeout(ctx, statusWait)
		err := s.readStream(reading, c, name)
		cancel()
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("reading stream %s: %w", name, ctx.Err())
		case errors.Is(err, jetstream.ErrStreamNotFound):
			s.Problems = append(s.Problems, "there is no stream "+name+": no worker has set the queue up")
		case err != nil:
			s.Problems = append(s.Problems, fmt.Sprintf("stream %s does not answer: %v", name, err))
		}
	}
	s.Problems = append(s.Problems, s.absences()...)
	return s, nil
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
		if len(state.Lagging) > 0 {
			s.Problems = append(s.Problems, fmt.Sprintf("stream %s: not up to date, or away: %s", name, strings.Join(state.Lagging, ", ")))
		}
	}
	s.Streams = append(s.Streams, state)
	if name == streamResults { // those who read it come and go
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

// PerMinute is how many sites all members do a minute: of the last 5 minutes.
func (s *Status) PerMinute() (rate float64) {
	for _, m := range s.Members {
		rate += m.PerMinute[1]
	}
	return rate
}

// Left is how long the runs that are coordinated take at the rate of the last 5 minutes; 0 = not known.
func (s *Status) Left() time.Duration {
	missing := 0
	for _, m := range s.Members {
		for _, r := range m.Runs {
			missing += r.Missing
		}
	}
	if rate := s.PerMinute(); rate > 0 {
		return min(time.Duration(float64(missing)/rate*60), 10_000*3600) * time.Second
	}
	return 0
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

// terminalLines escapes all but the ends of lines.
func terminalLines(data []byte) []byte {
	lines := strings.Split(string(data), "\n")
	for i, line := range lines {
		lines[i] = string(escape.TerminalJSON([]byte(line)))
	}
	return []byte(strings.Join(lines, "\n"))
}
