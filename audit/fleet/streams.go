package fleet

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit/fleet/store"
)

// Names of streams, consumers and the bucket of checkpoints.
const (
	streamRuns    = "RUNS"
	streamJobs    = "JOBS"
	streamResults = "RESULTS"
	kvCheckpoint  = "CHECKPOINT"

	consumerRuns = "coordinators" // for RUNS; the consumer of JOBS is named by its region; both have a version, see queueName
)

// Conn is a connection to a fleet: its queue and its bucket. Its maker has checked that the server stores
// what it acknowledges, see node.Connect.
type Conn struct {
	NATS     *nats.Conn
	JS       jetstream.JetStream
	Bucket   *store.Bucket
	Replicas int    // of each stream: 1, or 3 if the fleet has three nodes or more
	Version  string // version of this program, see Fits; "" = it fits runs that were submitted without a version
	Timing   Timing // used by the first process of a fleet; later the fleet's own timing counts, see Setup
}

// Limits of waiting messages.
const (
	maxRuns = 100_000
	maxJobs = 1_000_000 // each costs every node some 400 bytes of memory
)

// resultsAge is how long a message about a result waits for a coordinator. A later coordinator still finds
// the result in the bucket.
const resultsAge = 60 * 24 * time.Hour

// streams are the streams of a fleet.
//
// MaxMsgsPerSubject with DiscardNewPerSubject refuses a second message of a subject while the first one
// exists: of a host in JOBS, across runs, and of a run in RUNS. The stream itself stores this, unlike the
// server's deduplication by message id, which forgets after a time. It excludes the server's schedules
// (AllowMsgSchedules), which work only on streams that discard old messages.
func (c *Conn) streams() []jetstream.StreamConfig {
	replicas := max(c.Replicas, 1)
	return []jetstream.StreamConfig{{
		Name: streamRuns, Description: "runs to be coordinated",
		Subjects:  []string{"runs.*.*"},
		Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, Replicas: replicas,
		Discard: jetstream.DiscardNew, MaxMsgs: maxRuns, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
	}, {
		Name: streamJobs, Description: "sites to be audited",
		Subjects:  []string{"jobs.*.*"},
		Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, Replicas: replicas,
		Discard: jetstream.DiscardNew, MaxMsgs: maxJobs, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
		AllowAtomicPublish: true, // sites come in batches, see feeder
	}, {
		Name: streamResults, Description: "sites that are done",
		Subjects:  []string{"results.*"},
		Retention: jetstream.LimitsPolicy, Storage: jetstream.FileStorage, Replicas: replicas,
		MaxAge: resultsAge,
	}}
}

// setupWait is how long Setup waits for a fleet that does not answer: its nodes may be starting, or
// electing a leader.
const setupWait = 45 * time.Second

// setupPause is the time between two tries.
const setupPause = 300 * time.Millisecond

// Setup creates the streams that are missing and updates the others. It adds replicas if the fleet has got
// more nodes, and never removes any. Several processes may call it at the same time. It waits a while for
// servers that do not answer. The error says which stream could not be set up, and why. Setup returns the
// lease of this fleet, which its first member set.
func (c *Conn) Setup(ctx context.Context) (Timing, error) {
	return c.setup(ctx, setupWait)
}

func (c *Conn) setup(ctx context.Context, wait time.Duration) (Timing, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for _, want := range c.streams() {
		err := untilAnswered(ctx, "stream "+want.Name, func(ctx context.Context) error {
			return c.setupStream(ctx, want)
		})
		if err != nil {
			return Timing{}, err
		}
	}
	if err := untilAnswered(ctx, "bucket "+kvCheckpoint, c.setupCheckpoint); err != nil {
		return Timing{}, err
	}
	name, filter := runQueue(c.Version)
	return c.consumer(ctx, streamRuns, name, filter, c.Timing)
}

// consumer creates a durable consumer of a stream unless it exists, and returns its lease. An existing
// consumer is not changed: workers rely on its lease.
func (c *Conn) consumer(ctx context.Context, stream, name, filter string, t Timing) (Timing, error) {
	err := untilAnswered(ctx, "consumer "+name+" of "+stream, func(ctx context.Context) error {
		there, err := c.JS.Consumer(ctx, stream, name)
		if errors.Is(err, jetstream.ErrStreamNotFound) { // the stream existed when the fleet was set up
			for _, want := range c.streams() {
				if want.Name == stream {
					err = c.setupStream(ctx, want)
				}
			}
			if err == nil {
				there, err = c.JS.Consumer(ctx, stream, name)
			}
		}
		if errors.Is(err, jetstream.ErrConsumerNotFound) {
			there, err = c.JS.CreateConsumer(ctx, stream, jetstream.ConsumerConfig{
				Durable: name, FilterSubject: filter,
				AckPolicy: jetstream.AckExplicitPolicy, AckWait: t.lease(),
				MaxDeliver: -1, MaxAckPending: -1, // delayed messages count as pending: a limit would stop all
				MaxWaiting: 4096, // workers that wait
			})
			if errors.Is(err, jetstream.ErrConsumerExists) { // another process created it first
				there, err = c.JS.Consumer(ctx, stream, name)
			}
		}
		if err != nil {
			return err
		}
		config := there.CachedInfo().Config
		if config.FilterSubject != filter || config.AckPolicy != jetstream.AckExplicitPolicy || config.MaxDeliver > 0 || config.MaxAckPending > 0 {
			return refused{fmt.Errorf("it exists with other settings (filter %s, max deliver %d, max ack pending %d). Remove it first",
				config.FilterSubject, config.MaxDeliver, config.MaxAckPending)}
		}
		t.Lease = config.AckWait
		return nil
	})
	return t, err
}

// setupStream creates a stream, or updates its settings.
func (c *Conn) setupStream(ctx context.Context, want jetstream.StreamConfig) error {
	there, err := c.JS.Stream(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		_, err = c.JS.CreateStream(ctx, want)
		return err
	}
	if err != nil {
		return err
	}
	have := there.CachedInfo().Config
	if have.Storage != want.Storage || have.Retention != want.Retention {
		return refused{fmt.Errorf("it exists with %s storage and %s retention, which cannot be changed. It belongs to another program, or must be removed first",
			have.Storage, have.Retention)}
	}
	next := have
	next.Description = want.Description
	for _, subject := range want.Subjects {
		if !slices.Contains(next.Subjects, subject) {
			next.Subjects = append(slices.Clone(next.Subjects), subject)
		}
	}
	next.Replicas = max(have.Replicas, want.Replicas)
	next.Discard, next.DiscardNewPerSubject = want.Discard, want.DiscardNewPerSubject
	next.MaxMsgsPerSubject = want.MaxMsgsPerSubject
	next.AllowAtomicPublish = have.AllowAtomicPublish || want.AllowAtomicPublish
	next.MaxMsgs, next.MaxAge = want.MaxMsgs, want.MaxAge
	if want.MaxMsgs > 0 && have.MaxMsgs > want.MaxMsgs { // an operator has enlarged it
		next.MaxMsgs = have.MaxMsgs
	}
	if want.MaxMsgs == 0 {
		next.MaxMsgs = have.MaxMsgs
	}
	if want.MaxMsgsPerSubject == 0 {
		next.MaxMsgsPerSubject = have.MaxMsgsPerSubject
	}
	if reflect.DeepEqual(have, next) {
		return nil
	}
	_, err = c.JS.UpdateStream(ctx, next)
	return err
}

// setupCheckpoint makes the bucket of checkpoints, or adds replicas to it.
func (c *Conn) setupCheckpoint(ctx context.Context) error {
	const stream = "KV_" + kvCheckpoint
	there, err := c.JS.Stream(ctx, stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		_, err = c.JS.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: kvCheckpoint, Description: "how far runs are fed",
			Storage: jetstream.FileStorage, Replicas: max(c.Replicas, 1),
		})
		return err
	}
	if err != nil {
		return err
	}
	config := there.CachedInfo().Config
	if config.Replicas >= c.Replicas {
		return nil
	}
	config.Replicas = c.Replicas
	_, err = c.JS.UpdateStream(ctx, config)
	return err
}

// refused is an error that does not change with further tries.
type refused struct{ error }

// permanent are the server's codes that do not change with further tries: refused settings, and limits of
// the account.
var permanent = []jetstream.ErrorCode{
	10025,        // invalid JSON
	10026, 10027, // too many consumers, too many streams
	10028, 10047, 10002, // not enough memory, storage, resources
	10035, 10039, 10076, // invalid request; no JetStream for the account, or on the server
	10052, // invalid settings of a stream
	10065, // subjects overlap with another stream's
	10074, // replicas > 1 without a cluster
}

// untilAnswered calls a function until it succeeds, its error is permanent, or ctx ends. The error names
// the function's purpose.
func untilAnswered(ctx context.Context, what string, try func(context.Context) error) error {
	for {
		attempt, cancel := context.WithTimeout(ctx, 10*time.Second)
		err := try(attempt)
		cancel()
		if err == nil {
			return nil
		}
		var final refused
		var api *jetstream.APIError
		switch {
		case errors.As(err, &final):
			return fmt.Errorf("%s: %w", what, final.error)
		case errors.As(err, &api) && slices.Contains(permanent, api.ErrorCode):
			return fmt.Errorf("%s: the server refuses: %s", what, api.Description)
		case errors.Is(err, nats.ErrConnectionClosed):
			return fmt.Errorf("%s: %w", what, err)
		}
		select {
		case <-ctx.Done():
			if errors.As(err, &api) {
				return fmt.Errorf("%s: the server refuses: %s (%w)", what, api.Description, ctx.Err())
			}
			return fmt.Errorf("%s: no answer. Too few nodes run, or none can be reached: %w", what, err)
		case <-time.After(setupPause):
		}
	}
}
