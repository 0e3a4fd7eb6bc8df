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
	kindTaken             // the subject has a message already: of the host, or of the run
	kindFull              // the stream is full: try again later
	kindAway              // no answer, or not ready: whether it was taken is unknown. Try again
	kindOther             // anything else
)

// refusal classifies the error of a publish, synchronous or not.
//
// The server has one code (10077) for everything that it cannot store. Only the text distinguishes the
// cases. In a cluster, a full stream reports that it is full even if the subject is taken.
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

// incomplete reports whether an error of a publish says that part of a batch is missing, or that the server
// has too many unfinished batches.
func incomplete(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == 10176 || api.ErrorCode == 10210)
}

// unfit reports whether an error of a publish says that the stream must be set up again: it is gone, or it
// was created before batches existed and takes none.
func unfit(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, nats.ErrNoResponders) ||
		errors.As(err, &api) && api.ErrorCode == 10174
}
