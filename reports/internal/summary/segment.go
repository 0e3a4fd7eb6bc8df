package summary

import (
	"encoding/json"

	"robots-audit/reports/internal/site"
)

// Segment is a segment of a site in summary.json.
type Segment struct {
	Name          string          `json:"name"`
	URLs          int64           `json:"urls"`
	BlockedURLs   int64           `json:"blocked_urls"` // for at least one crawler
	Blocked       json.RawMessage `json:"blocked"`      // by crawler; null = no clear verdict for any of the URLs
	Clicks        int64           `json:"clicks,omitempty"`
	BlockedClicks int64           `json:"blocked_clicks,omitempty"`
	HitsOf        string          `json:"hits_of,omitempty"` // the first leading crawler; "" = no access logs
	Hits          int64           `json:"hits,omitempty"`    // its requests
	BlockedHits   int64           `json:"blocked_hits,omitempty"`
}

// SegmentsOf returns the segments of a site at its end; nil = none were named.
func SegmentsOf(s *site.Site) (list []Segment) {
	for _, row := range s.Segments() {
		blocked := labelled(s.Crawlers, func(i int) (int64, bool) { return row.Blocked[i], row.URLs == 0 || row.Judged(i) })
		list = append(list, Segment{row.Name, row.URLs, row.BlockedAny, blocked, row.Clicks, row.BlockedClicks, s.HitsLabel(), row.Hits.All, row.Hits.Blocked})
	}
	return list
}
