package summary

import (
	"bytes"
	"cmp"
	"encoding/json"

	"robots-audit/audit"
)

// Place is what the order of the sites goes by in all summaries of a run. A run has one of each site
// in memory while it orders them.
type Place struct {
	block    block
	severity int8
	clicks   int64 // blocked for the crawler of Line.Worst
	urls     int64 // likewise
	any      int64 // URLs blocked for at least one crawler
	name     string
}

// block is one of the parts in which sites are told. Those that could not be looked at
// stand for themselves, before all that is fine: they are not to drown there.
type block int8

const (
	toLookAt block = iota
	notJudged
	fine
)

// PlaceOf reads from a line of the journal where its site stands. The line changes: what is
// said of the site in the end, most of a line, is not gone through.
func PlaceOf(line []byte) (Place, error) {
	if at := bytes.Index(line, []byte(beforeSummary)); at > 0 && at+1 < len(line) {
		line[at] = '}'
		line = line[:at+1]
	}
	var l struct {
		Name        string          `json:"name"`
		State       audit.State     `json:"state"`
		BlockedURLs int64           `json:"blocked_urls"`
		Worst       Worst           `json:"worst"`
		Lost        json.RawMessage `json:"lost"`
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return Place{}, err
	}
	if l.Lost != nil { // all that the summaries say of it
		return Place{block: notJudged, name: l.Name}, nil
	}
	p := Place{clicks: l.Worst.Clicks, urls: l.Worst.URLs, any: l.BlockedURLs, name: l.Name}
	switch l.State {
	case audit.Critical:
		p.severity = 2
	case audit.Warn:
		p.severity = 1
	case audit.OK:
		if p.urls == 0 && p.any == 0 {
			p.block = fine
		}
	default:
		p.block = notJudged
	}
	return p, nil
}

// Compare orders sites: those to look at first, then those that could not be judged,
// then those that are fine; of each, by the clicks that are blocked, then by the URLs,
// then by severity. The order of the list and that of finishing leave no trace.
func (p *Place) Compare(q *Place) int {
	return cmp.Or(
		cmp.Compare(p.block, q.block), cmp.Compare(q.clicks, p.clicks), cmp.Compare(q.urls, p.urls),
		cmp.Compare(q.severity, p.severity), cmp.Compare(q.any, p.any), cmp.Compare(p.name, q.name),
	)
}
