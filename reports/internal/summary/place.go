package summary

import (
	"bytes"
	"cmp"
	"encoding/json"

	"robots-audit/audit"
)

// Place decides the order of sites in all summaries of a run. A run keeps one for each site in
// memory while it sorts them.
type Place struct {
	state  int8    // audit.State.Rank
	clicks int64   // blocked for the crawler of Line.Worst
	share  float64 // share of the tested URLs blocked for that crawler
	urls   int64   // number of these URLs
	any    int64   // URLs blocked for at least one crawler
	name   string
}

// PlaceOf reads the place of a site from a line of the journal. It changes the line. The summary,
// which is most of a line, is not parsed.
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
	if l.Lost != nil { // the summaries say only this
		return Place{state: audit.Undetermined.Rank(), name: l.Name}, nil
	}
	p := Place{state: l.State.Rank(), clicks: l.Worst.Clicks, urls: l.Worst.URLs, any: l.BlockedURLs, name: l.Name}
	if l.URLs > 0 {
		p.share = float64(p.urls) / float64(l.URLs)
	}
	return p, nil
}

// Compare orders sites: by state, the most severe first, then by blocked clicks, then by the
// share of URLs blocked, then by their number. The result does not depend on the order of the list
// or of finishing.
func (p *Place) Compare(q *Place) int {
	return cmp.Or(
		cmp.Compare(p.state, q.state), cmp.Compare(q.clicks, p.clicks), cmp.Compare(q.share, p.share),
		cmp.Compare(q.urls, p.urls), cmp.Compare(q.any, p.any), cmp.Compare(p.name, q.name),
	)
}
