package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit/fleet/store"
)

// listen passes on the messages of RESULTS about the run, from the beginning. It creates a stream that was
// removed again and reads it from its beginning.
func (f *fold) listen(ctx context.Context) error {
	told := false
	for {
		heard, err := f.listenTo(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil && (heard || !told) {
			told = true
			f.c.log("warn", fmt.Sprintf("run %s: the results could not be read from the queue, retrying: %v", f.job.ID, err))
		}
		if err := sleep(ctx, pauses.away); err != nil {
			return err
		}
		f.c.Conn.restore(ctx) // the next call reports the error
	}
}

// listenTo passes on messages until the stream is gone or replaced; then err is nil.
func (f *fold) listenTo(ctx context.Context) (heard bool, err error) {
	stream, err := f.c.Conn.JS.Stream(ctx, streamResults)
	if err != nil {
		return false, err
	}
	created := stream.CachedInfo().Created
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{resultSubject(f.job.ID)}, DeliverPolicy: jetstream.DeliverAllPolicy, MaxResetAttempts: 3,
	})
	if err != nil {
		return false, err
	}
	messages, err := consumer.Messages(jetstream.PullMaxMessages(500))
	if err != nil {
		return false, err
	}
	defer messages.Stop()
	pause := min(5*time.Second, f.c.timing.lease()/2)
	for {
		next, cancel := context.WithTimeout(ctx, pause)
		msg, err := messages.Next(jetstream.NextContext(next))
		cancel()
		if err != nil && ctx.Err() != nil {
			return heard, nil
		}
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) {
			info, err := stream.Info(ctx)
			if errors.Is(err, jetstream.ErrStreamNotFound) || err == nil && !info.Created.Equal(created) {
				return heard, nil
			}
			continue // or no server answers now: the next message will show
		}
		if err != nil {
			return heard, err
		}
		heard = true
		meta, err := msg.Metadata()
		if err != nil {
			return heard, err
		}
		w := word{sequence: meta.Sequence.Stream}
		if json.Unmarshal(msg.Data(), &w.Result) != nil {
			w.Ordinal = -1 // names no site
		}
		select {
		case f.words <- w:
		case <-ctx.Done():
			return heard, nil
		}
	}
}

// bucketPatience is how long a bucket may fail before a run is given back to the queue.
const bucketPatience = 5 * time.Minute

// getPatiently gets an object, and retries for a while if the bucket does not answer.
func getPatiently(ctx context.Context, bucket *store.Bucket, key string, log func(level, text string)) ([]byte, error) {
	begun, pause := time.Now(), time.Second/4
	for {
		data, err := bucket.Get(ctx, key, maxResult)
		if err == nil || isNotFound(err) || errors.Is(err, store.ErrTooBig) || ctx.Err() != nil || time.Since(begun) > bucketPatience {
			return data, err
		}
		if pause == time.Second/4 {
			log("warn", "the bucket failed, retrying: "+err.Error())
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
		pause = min(2*pause, 30*time.Second)
	}
}

func isNotFound(err error) bool { return errors.Is(err, store.ErrNotFound) }

// listFault is why a list cannot be read. A missing list is not waited for.
func listFault(err error) error {
	if isNotFound(err) {
		return fmt.Errorf("%w: %w", ErrHopeless, err)
	}
	return err
}
