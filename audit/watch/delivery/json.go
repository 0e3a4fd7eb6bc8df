package delivery

import (
	"bytes"
	"encoding/json"

	"robots-audit/engine/escape"
)

// maxJSON bounds the body of a webhook, in bytes: many servers take one megabyte.
const maxJSON = 1_000_000

// jsonBody is the body of a webhook in JSON: the fields of alert.Message, whose first
// ones are those of the most severe event. Where there are too many events, those of the
// least severity are left out and counted (events_more).
func jsonBody(p parcel) ([]byte, error) {
	for {
		text, err := messageJSON(p)
		n := len(p.message.Events)
		if err != nil || len(text) <= maxJSON || n <= 1 {
			return text, err
		}
		keep := max(1, min(n-1, n*maxJSON/len(text)))
		p.message.Events, p.message.EventsMore = p.message.Events[:keep], p.message.EventsMore+n-keep
	}
}

// messageJSON is a message in one line, without its end. Its id is that of the delivery.
func messageJSON(p parcel) ([]byte, error) {
	p.message.ID = p.id
	p.message.Attachments = nil // they are mail's
	return encode(p.message)
}

// encode writes JSON that a person reads, too: <, > and & as they are, and what is
// hidden as \u escapes.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return escape.JSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}
