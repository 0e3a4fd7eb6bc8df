package fleet

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit/fleet/store"
)

// Names of streams, of consumers, and of the bucket of checkpoints.
const (
	streamRuns    = "RUNS"
	streamJobs    = "JOBS"
	streamResults = "RESULTS"
	kvCheckpoint  = "CHECKPOINT"

	consumerRuns = "coordinators" // of RUNS; that of JOBS is called by its region
)

// Timing is how long who has a message keeps it. All of a fleet have the same.
type Timing struct {
	Lease time.Duration // the server gives a message to another when it has heard nothing for so long: AckWait [60s]
}

// Conn is a connection to a fleet: its queue and its bucket. Whoever has made it has seen
// that the server keeps what it acknowledges, see node.Connect.
type Conn struct {
	NATS     *nats.Conn
	JS       jetstream.JetStream
	Bucket   *store.Bucket
	Replicas int // of each stream: 1, or 3 where the fleet has three nodes or more
	Timing   Timing
}

// lease is how long the server waits for a word of who has a message.
func (t Timing) lease() time.Duration {
	if t.Lease <= 0 {
		return time.Minute
	}
	return t.Lease
}

// heartbeat is the time between two words to the server.
func (t Timing) heartbeat() time.Duration { return t.lease() / 4 }

// holds is how long a confirmed word holds, from when it was sent.
func (t Timing) holds() time.Duration { return t.lease() * 3 / 4 }

// Setup makes the streams that are missing, and brings those that are there to their settings.
func (c *Conn) Setup(ctx context.Context) error { panic("to be written") }
