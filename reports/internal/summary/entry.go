package summary

import (
	"encoding/json"
	"strconv"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
)

// Entry is a site's entry of summary.json.
type Entry struct {
	Domain        string            `json:"domain"`
	Number        int               `json:"no"` // position in the list, from 1 on, as in the sheet Sites
	Origin        string            `json:"origin"`
	State         audit.State       `json:"state"`
	Ground        string            `json:"ground,omitempty"` // reason for the state: one of audit's Ground constants; "" in runs of older versions
	Why           string            `json:"why"`
	Lead          string            `json:"lead"`            // the first sentence of all reports of the site: the same as Why
	ToDo          []site.Cause      `json:"to_do,omitempty"` // the first MaxCauses, those with the greatest effect first
	ToDoMore      int               `json:"to_do_more,omitempty"`
	Robots        Robots            `json:"robots"`
	Sitemaps      int               `json:"sitemaps"`
	URLs          int64             `json:"urls"`
	BlockedURLs   int64             `json:"blocked_urls"`
	Blocked       json.RawMessage   `json:"blocked"`
	Clicks        int64             `json:"clicks,omitempty"`         // of the URLs with clicks in the user's own list
	BlockedClicks int64             `json:"blocked_clicks,omitempty"` // of the blocked URLs
	Hits          json.RawMessage   `json:"hits,omitempty"`           // requests by crawler for the URLs, in access logs
	BlockedHits   json.RawMessage   `json:"blocked_hits,omitempty"`   // of them, for URLs that are blocked for the crawler
	Worst         *Worst            `json:"worst,omitempty"`          // by which the sites are ordered; nil if nothing is blocked for a leading crawler
	Unknown       int64             `json:"unknown_urls"`
	LeftOut       int64             `json:"left_out"`
	Differing     int64             `json:"differing_urls"`         // URLs for which the crawlers' verdicts differ
	Segments      []Segment         `json:"segments,omitempty"`     // in the user's order, then the pages without any
	Policy        string            `json:"ai_policy,omitempty"`    // access of AI crawlers, in one line
	Findings      *audit.Severities `json:"findings,omitempty"`     // by severity
	NotMeasured   map[string]string `json:"not_measured,omitempty"` // why a count was not measured and is 0 here: by its key
	AtLeast       string            `json:"at_least,omitempty"`     // the counts of URLs are lower bounds: "stopped at 500 pages"
	Errors        []Error           `json:"errors"`
	ErrorsMore    int               `json:"errors_more,omitempty"`
	Workbook      string            `json:"workbook"`
	Records       string            `json:"records"`

	// Missing if no request was made in the names of crawlers.
	Asked              json.RawMessage `json:"asked,omitempty"`          // treatment by crawler, in the order of the user
	Contradictions     []Contradiction `json:"contradictions,omitempty"` // the first ones, most severe first
	ContradictionsMore int             `json:"contradictions_more,omitempty"`

	// Missing if this was not checked: without -indexed, and without -crawl.
	BlockedIndexed *int64 `json:"blocked_indexed,omitempty"`    // blocked URLs in the user's own list of indexed URLs
	NoIndexUnseen  *int64 `json:"noindex_unseen,omitempty"`     // pages with a noindex that a blocked crawler never sees
	ListedNoIndex  *int64 `json:"noindex_in_sitemap,omitempty"` // pages with noindex that are in a sitemap
}

// Measured reports whether a count was measured, by its key in summary.json.
func (e *Entry) Measured(key string) bool { return e.NotMeasured[key] == "" }

// MeasuredFor reports whether the number of URLs that are blocked for a crawler was measured.
func (e *Entry) MeasuredFor(label string) bool {
	return e.Measured("blocked") && e.Measured("blocked."+label)
}

// Robots has the facts on the site's own robots.txt.
type Robots struct {
	Status int    `json:"status"`
	Access string `json:"access"`
	Error  string `json:"error"`
	Hops   int    `json:"hops"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Given  bool   `json:"given,omitempty"` // no request was sent: see crawl.Outcome.Given
}

// Error is a problem of a site in summary.json.
type Error struct {
	Stage  string `json:"stage"`
	Code   string `json:"code"`
	URL    string `json:"url"`
	Detail string `json:"detail"`
}

// Errors are the problems of a site in summary.json: the first maxErrors, and the number of the
// others.
type Errors struct {
	List []Error
	More int
}

// maxErrors bounds the errors of one site in summary.json; its workbook has all.
const maxErrors = 200

// AddProblem adds a problem, or only counts it if the list is full; problems of the report itself
// are always listed.
func (e *Errors) AddProblem(p *audit.Problem) {
	if len(e.List) >= maxErrors && p.Stage != audit.StageReport {
		e.More++
		return
	}
	e.List = append(e.List, Error{p.Stage, p.Code, p.URL, p.Detail})
}

// BlockedByLabel returns a JSON object with the blocked URLs, in the order of the crawlers.
func BlockedByLabel(crawlers []audit.Crawler, d *audit.Done) json.RawMessage {
	return labelled(crawlers, func(i int) (int64, bool) { return site.BlockedFor(d, i), true })
}

// HitsByLabel returns hits of Done as a JSON object, in the order of the crawlers; nil = no access
// logs.
func HitsByLabel(crawlers []audit.Crawler, hits []int64) json.RawMessage {
	if hits == nil {
		return nil
	}
	return labelled(crawlers, func(i int) (n int64, ok bool) {
		if i >= len(hits) {
			return 0, false
		}
		return hits[i], true
	})
}

// labelled returns a JSON object of numbers by the labels of crawlers, in their order; null if
// there is no number.
func labelled(crawlers []audit.Crawler, number func(i int) (n int64, ok bool)) json.RawMessage {
	text := []byte{'{'}
	for i, c := range crawlers {
		if i > 0 {
			text = append(text, ',')
		}
		label, _ := json.Marshal(c.Label) // a string cannot fail
		text = append(append(text, label...), ':')
		if n, ok := number(i); ok {
			text = strconv.AppendInt(text, n, 10)
		} else {
			text = append(text, "null"...)
		}
	}
	return append(text, '}')
}
