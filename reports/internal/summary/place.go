package summary

import (
	"bytes"
	"cmp"
	"encoding/json"

	"robots-audit/audit"
)

// Place decides the order of sites in all summaries of a run. A run holds one of each site
// in memory while it orders them.
type Place struct {
	state  int8    // audit.State.Rank
	clicks int64   // blocked for the crawler of Line.Worst
	share  float64 // of the URLs tested, likewise
	urls   int64   // likewise
	any    int64   // URLs blocked for at least one crawler
	name   string
}

// PlaceOf reads the place of a site from a line of the journal. The line changes: the
// summary, which is most of a line, is not parsed.
func PlaceOf(line []byte) (Place, error) {
	if at := bytes.Index(line, []byte(beforeSummary)); at > 0 && at+1 < len(line) {
		line[at] = '}'
		line = line[:at+1]
	}
	var l struct {
		Name        string          `json:"name"`
		State       audit.State     `json:"state"`
		URLs        int64           `json:"urls"`
		BlockedURLs int64           `json:"blocked_urls"`
		Worst       Worst           `json:"worst"`
		Lost        json.RawMessage `json:"lost"`
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return Place{}, err
	}
	if l.Lost != nil { // the summaries say nothing else of it
		return Place{state: audit.Undetermined.Rank(), name: l.Name}, nil
	}
	p := Place{state: l.State.Rank(), clicks: l.Worst.Clicks, urls: l.Worst.URLs, any: l.BlockedURLs, name: l.Name}
	if l.URLs > 0 {
		p.share = float64(p.urls) / float64(l.URLs)
	}
	return p, nil
}

// Compare orders sites: by state, the most severe first, then by blocked clicks, then by the
// share of URLs blocked, then by their number. Neither the order of the list nor that of
// finishing matters.
func (p *Place) Compare(q *Place) int {
	return cmp.Or(
		cmp.Compare(p.state, q.state), cmp.Compare(q.clicks, p.clicks), cmp.Compare(q.share, p.share),
		cmp.Compare(q.urls, p.urls), cmp.Compare(q.any, p.any), cmp.Compare(p.name, q.name),
	)
}
