package summary

import (
	"bytes"
	"encoding/json"
	"time"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
)

// Line is a finished site: its entry of summary.json and further data for the other summaries. As
// JSON it is a line of a run's journal.
type Line struct {
	Name     string            `json:"name"`
	Base     string            `json:"base"` // base of the names of its files
	Ordinal  int               `json:"ordinal"`
	Records  int64             `json:"records"`        // bytes of the file; 0: the report could not be written
	Workbook int64             `json:"workbook"`       // bytes of the file
	Page     int64             `json:"page"`           // bytes of the HTML page
	Sums     map[string]string `json:"sums,omitempty"` // checksums of the site's files by their names; nil in runs of older versions
	Lost     *Error            `json:"lost,omitempty"` // why the files that the line describes are missing now
	Logs     *Crawled          `json:"logs,omitempty"` // what crawlers did by the access logs; nil = none were given
	State    audit.State       `json:"state"`
	Ground   string            `json:"ground,omitempty"` // see audit.Done.Ground
	Why      string            `json:"why"`
	URLs     int64             `json:"urls"`
	Clicks   int64             `json:"clicks,omitempty"` // of the URLs with clicks in the user's own list
	Hits     site.Hits         `json:"hits,omitzero"`    // of the first leading crawler, in access logs
	Worst    Worst             `json:"worst"`
	Blocked  []int64           `json:"blocked"` // for each crawler
	Unknown  int64             `json:"unknown"`
	LeftOut  map[string]int64  `json:"left_out,omitempty"`
	Problems int               `json:"problems"`
	Findings *audit.Severities `json:"findings,omitempty"` // nil in runs of versions that did not count them
	Effects  *audit.Severities `json:"effects,omitempty"`  // findings by their effect, see audit.Finding.Effect; nil likewise
	Finished string            `json:"finished"`           // RFC 3339, UTC
	Millis   float64           `json:"millis"`

	Shared      *site.Shared    `json:"fleet,omitempty"`          // values that are compared with other sites
	BlockedURLs int64           `json:"blocked_urls"`             // for at least one crawler
	Differing   int64           `json:"differing_urls,omitempty"` // URLs for which the crawlers' verdicts differ
	Policy      string          `json:"ai_policy,omitempty"`      // access of AI crawlers, in one line
	Asked       []Treated       `json:"asked,omitempty"`          // nil = no request was made in the names of crawlers
	Summary     json.RawMessage `json:"summary"`                  // as in summary.json
}

// Crawled are the requests of all crawlers for a site, in access logs.
type Crawled struct {
	Requests  int64 `json:"requests"`
	Disobeyed int64 `json:"disobeyed"` // to blocked URLs, by crawlers that have proved who they are
}

// beforeSummary is the text in the JSON of a line before its summary, which comes last. It occurs
// nowhere else: within a string quotes are escaped, and no other object has such a key.
const beforeSummary = `,"summary":`

// JSON returns a line in the format of the journal. The summary is most of it, and already JSON: it
// is copied, since encoding/json would parse all of it again.
func (l *Line) JSON() ([]byte, error) {
	if len(l.Summary) == 0 {
		return json.Marshal(l)
	}
	head := *l
	head.Summary = json.RawMessage("0")
	text, err := json.Marshal(&head)
	if err != nil {
		return nil, err
	}
	text = append(text[:len(text)-len("0}")], l.Summary...)
	return append(text, '}'), nil
}

// End is the time when the site was finished; zero if not known.
func (l *Line) End() time.Time {
	t, err := time.Parse(time.RFC3339, l.Finished)
	if err != nil {
		return time.Time{}
	}
	return t
}

// PageLink returns the path of the site's page from the run's folder, as a URL, with a fragment for
// the link, "#blocked"; "" = no page. Bases have no characters that a URL would have to escape.
func (l *Line) PageLink(fragment string) string {
	if l.Page == 0 {
		return ""
	}
	return "pages/" + l.Base + ".html" + fragment
}

// Site is a finished site: its line, and its parsed entry of summary.json.
type Site struct {
	*Line
	Entry Entry
}

// ReadSite parses a line that Line.JSON has written into l, and its entry. The two are parsed
// separately: otherwise the entry would be read four times. text is changed.
func ReadSite(text []byte, l *Line) (*Site, error) {
	s := &Site{Line: l}
	head, rest, _ := bytes.Cut(text, []byte(beforeSummary))
	if entry, ok := bytes.CutSuffix(rest, []byte{'}'}); ok {
		if json.Unmarshal(entry, &s.Entry) == nil {
			l.Summary = bytes.Clone(entry)
			return s, json.Unmarshal(append(head, '}'), l)
		}
		s.Entry = Entry{} // the line is of another version
	}
	if err := json.Unmarshal(text, l); err != nil {
		return nil, err
	}
	return NewSite(l)
}

// NewSite parses a line's entry.
func NewSite(l *Line) (*Site, error) {
	s := &Site{Line: l}
	return s, json.Unmarshal(l.Summary, &s.Entry)
}
