package summary

import (
	"fmt"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Totals are the sums of a run so far.
type Totals struct {
	Sites    int              `json:"sites"` // finished, whatever came of them
	OK       int              `json:"ok"`
	Warn     int              `json:"warn"`
	Critical int              `json:"critical"`
	Unknown  int              `json:"unknown"`      // not counted as fine
	Tested   int              `json:"tested"`       // sites with known URLs: those of which the following are the sums
	URLs     int64            `json:"urls"`         // tested
	Blocked  int64            `json:"blocked_urls"` // for at least one crawler
	Failed   int              `json:"-"`            // sites whose report could not be written, among Unknown
	Findings audit.Severities `json:"findings"`     // of all sites

	worst [engine.Critical + 1]int // sites by their gravest finding, but for Unknown ones
}

// Failing is the number of sites that a severity ("info", "warning", "error",
// "critical") or a state ("warn") fails: those with a finding as grave or
// graver, and those whose state says as much. Unknown sites are apart: what
// could not be read is neither fine nor bad.
func (t Totals) Failing(word string) int {
	var least engine.Severity
	if word == string(audit.Warn) {
		word = engine.Warning.String()
	}
	if least.UnmarshalText([]byte(word)) != nil {
		return 0
	}
	n := 0
	for severity, sites := range t.worst {
		if engine.Severity(severity) >= least {
			n += sites
		}
	}
	return n
}

// Headline is the run in one line: "120 sites: 3 critical, 9 warnings, 2 unknown, 106 ok".
func (t Totals) Headline() string {
	return fmt.Sprintf("%s: %d critical, %s, %d unknown, %d ok", wording.Plural(t.Sites, "site"), t.Critical, wording.Plural(t.Warn, "warning"), t.Unknown, t.OK)
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
	}
	switch {
	case line.State == audit.Undetermined:
	case line.State == audit.Critical || f.Critical > 0:
		t.worst[engine.Critical]++
	case f.Error > 0:
		t.worst[engine.Error]++
	case line.State == audit.Warn || f.Warning > 0:
		t.worst[engine.Warning]++
	case f.Info > 0:
		t.worst[engine.Info]++
	}
	if line.Records == 0 {
		t.Failed++
	}
}
