package fleet

import (
	"errors"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// kind is why a message was not taken into a stream.
type kind int

const (
	kindNone  kind = iota // it was taken: no error
	kindTaken             // one of the same subject is there: the host, or the run, has its message
	kindFull              // the stream has as many messages as it may: try again later
	kindAway              // nobody has answered, or not now: whether it was taken is not known. Try again
	kindOther             // anything else
)

// refusal says what the error of a publish is, synchronous or not.
//
// The server has one code (10077) for all that it cannot store; only its text tells one from
// another. In a cluster, a stream that is full says so even of a subject that is taken.
func refusal(err error) kind {
	if err == nil {
		return kindNone
	}
	var api *jetstream.APIError
	if errors.As(err, &api) {
		switch {
		case api.Description == "maximum messages per subject exceeded":
			return kindTaken
		case api.Description == "maximum messages exceeded" || api.Description == "maximum bytes exceeded":
			return kindFull
		case incomplete(err) || unfit(err):
			return kindAway
		case api.Code == 503: // no leader yet, or the server has too much to do
			return kindAway
		}
		return kindOther
	}
	for _, away := range []error{
		jetstream.ErrNoStreamResponse, jetstream.ErrAsyncPublishTimeout, jetstream.ErrTooManyStalledMsgs,
		nats.ErrNoResponders, nats.ErrTimeout, nats.ErrDisconnected, nats.ErrReconnectBufExceeded,
	} {
		if errors.Is(err, away) {
			return kindAway
		}
	}
	return kindOther
}

// incomplete reports whether an error of a publish says that not all of a batch has come, or that the
// server has more unfinished batches than it may.
func incomplete(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == 10176 || api.ErrorCode == 10210)
}

// unfit reports whether an error of a publish says that the stream must be set up anew: it is gone, or
// takes no batches, as one that was made before there were any.
func unfit(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, nats.ErrNoResponders) ||
		errors.As(err, &api) && api.ErrorCode == 10174
}
