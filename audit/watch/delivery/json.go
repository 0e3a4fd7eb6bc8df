package delivery

import (
	"bytes"
	"encoding/json"

	"robots-audit/engine/escape"
)

// maxJSON bounds the body of a webhook, in bytes: many servers accept one megabyte.
const maxJSON = 1_000_000

// jsonBody is the JSON body of a webhook: the fields of alert.Message, beginning with those of the
// most severe event. If there are too many events, the least severe are omitted and counted
// (events_more).
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

// messageJSON is a message in one line, without line end. Its id is that of the delivery.
func messageJSON(p parcel) ([]byte, error) {
	p.message.ID = p.id
	p.message.Attachments = nil // only mails have them
	return encode(p.message)
}

// encode writes readable JSON: <, > and & unchanged, and hidden characters as \u escapes.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return escape.JSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}
