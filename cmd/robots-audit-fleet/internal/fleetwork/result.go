package fleetwork

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"robots-audit/audit/fleet"
)

// result is a site's result for the coordinator: a line of JSON with these fields, and the site's
// line of the journal. People may copy objects of a bucket, so each names its run.
type result struct {
	Run     string   `json:"run"`
	Ordinal int      `json:"n"`
	Given   []string `json:"given,omitempty"` // hosts whose robots.txt was replaced by a file of -robots

	line []byte // including its line feed
}

func (r result) encode() []byte {
	head, err := json.Marshal(r)
	if err != nil {
		panic(err) // cannot fail for these types
	}
	return append(append(head, '\n'), r.line...)
}

// decodeResult reads the result with an ordinal in a run, stored under a key.
func decodeResult(data []byte, run string, ordinal int, key string) (r result, err error) {
	head, line, _ := bytes.Cut(data, []byte{'\n'})
	if err := json.Unmarshal(head, &r); err != nil {
		return r, fmt.Errorf("the result is damaged: %w", err)
	}
	r.line = line
	var site struct {
		Name    string
		Ordinal int
	}
	at := bytes.Index(line, []byte(afterOrdinal))
	if at < 0 || json.Unmarshal(append(bytes.Clone(line[:at]), '}'), &site) != nil {
		return r, errors.New("the result has no site")
	}
	switch {
	case r.Run != run:
		return r, fmt.Errorf("the result belongs to run %q", r.Run)
	case r.Ordinal != ordinal || site.Ordinal != ordinal:
		return r, fmt.Errorf("the result belongs to site %d of the list", site.Ordinal+1)
	case fleet.SiteKey(run, site.Name) != key:
		return r, fmt.Errorf("the result belongs to %q", site.Name)
	}
	return r, nil
}

// afterOrdinal follows the first keys of a journal line, those of its site. No JSON string can
// contain this sequence.
const afterOrdinal = `,"records":`
