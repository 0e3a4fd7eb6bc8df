package summary

import (
	"fmt"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// Totals are the sums of a run so far.
type Totals struct {
	Sites    int              `json:"sites"` // finished, with any result
	OK       int              `json:"ok"`
	Warn     int              `json:"warn"`
	Critical int              `json:"critical"`
	Unknown  int              `json:"unknown"`      // not counted as OK
	Tested   int              `json:"tested"`       // sites with URLs, over which the following sums are
	URLs     int64            `json:"urls"`         // tested URLs
	Blocked  int64            `json:"blocked_urls"` // for at least one crawler
	Clicks   int64            `json:"-"`            // on tested URLs, if they were given
	Hits     int64            `json:"-"`            // for tested URLs, of the first leading crawler, if there are access logs
	Failed   int              `json:"-"`            // sites whose report could not be written, among Unknown
	Findings audit.Severities `json:"findings"`     // of all sites

	Logged          int   `json:"logs,omitempty"` // sites with access logs
	UnknownCritical int64 `json:"-"`              // critical ones of Findings, on unknown sites

	Asked []AskedTotal `json:"asked,omitempty"` // for each crawler in whose name sites were asked, in the order of the user

	FailOn     FailOn   `json:"-"` // what makes a site fail; set before the first site is counted
	BySeverity Failures `json:"-"` // sites that fail by FailOn.Severity
	ByBlocked  Failures `json:"-"` // sites that fail by FailOn.Share
}

// Headline describes the run in one line: "120 sites: 3 critical, 9 warnings, 2 unknown, 106 OK".
func (t Totals) Headline() string {
	return fmt.Sprintf("%s: %s critical, %s, %s unknown, %s OK", wording.Plural(t.Sites, "site"),
		wording.Thousands(t.Critical), wording.Plural(t.Warn, "warning"), wording.Thousands(t.Unknown), wording.Thousands(t.OK))
}

// Count counts a finished site.
func (t *Totals) Count(line *Line) {
	t.Sites++
	if line.Lost != nil {
		t.Unknown++
		t.Failed++
		return
	}
	if line.URLs > 0 {
		t.Tested++
	}
	t.URLs += line.URLs
	t.Blocked += line.BlockedURLs
	t.Clicks += line.Clicks
	t.Hits += line.Hits.All
	if line.Logs != nil {
		t.Logged++
	}
	t.countAsked(line.Asked)
	var f audit.Severities
	if line.Findings != nil {
		f = *line.Findings
	}
	t.Findings.Critical += f.Critical
	t.Findings.Error += f.Error
	t.Findings.Warning += f.Warning
	t.Findings.Info += f.Info
	switch line.State {
	case audit.OK:
		t.OK++
	case audit.Warn:
		t.Warn++
	case audit.Critical:
		t.Critical++
	default:
		t.Unknown++
		t.UnknownCritical += f.Critical
	}
	t.addFailures(line)
	if line.Records == 0 {
		t.Failed++
	}
}
