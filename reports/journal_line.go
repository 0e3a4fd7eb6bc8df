package reports

import (
	"encoding/json"
	"errors"
	"math"

	"robots-audit/audit"
)

// journalLine is what is kept of a finished site: its entry of summary.json
// and what the other summaries say beyond it.
type journalLine struct {
	Name     string            `json:"name"`
	Base     string            `json:"base"`
	Ordinal  int               `json:"ordinal"`
	Records  int64             `json:"records"`        // bytes of the file; 0: the report could not be written
	Workbook int64             `json:"workbook"`       // bytes of the file
	Page     int64             `json:"page"`           // likewise, of the page of HTML
	Sums     map[string]string `json:"sums,omitempty"` // checksums of the site's files, see siteFiles; nil in runs of before there were any
	Lost     *siteError        `json:"lost,omitempty"` // why the files are not there any more that the rest of the line tells of
	State    string            `json:"state"`
	Why      string            `json:"why"`
	URLs     int64             `json:"urls"`
	Blocked  []int64           `json:"blocked"` // for each crawler
	Unknown  int64             `json:"unknown"`
	LeftOut  map[string]int64  `json:"left_out,omitempty"`
	Problems int               `json:"problems"`
	Findings *audit.Severities `json:"findings,omitempty"` // nil in runs of before they were counted
	Finished string            `json:"finished"`           // RFC 3339, UTC
	Millis   float64           `json:"millis"`

	Fleet       *siteFleet      `json:"fleet,omitempty"`          // what is compared with other sites
	BlockedURLs int64           `json:"blocked_urls"`             // for at least one crawler
	Differing   int64           `json:"differing_urls,omitempty"` // on which the crawlers' verdicts differ
	Policy      string          `json:"ai_policy,omitempty"`      // what crawlers of AI may fetch, in a line
	Summary     json.RawMessage `json:"summary"`                  // as it stands in summary.json
}

// decode reads a line of the journal. One that none of ours can be, such as one
// whose files would lie elsewhere, is an error.
func (l *journalLine) decode(text []byte) error {
	if err := unseal(text, l); err != nil {
		return err
	}
	if l.Name == "" || l.Base != fileBase(l.Name) || l.Ordinal < 0 || l.Ordinal > math.MaxInt32 {
		return errors.New("no line of a site")
	}
	var entry siteSummary
	if err := json.Unmarshal(l.Summary, &entry); err != nil {
		return err
	}
	if entry.Domain != l.Name {
		return errors.New("the summary is of another site")
	}
	return nil
}
