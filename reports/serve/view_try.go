package serve

import (
	"net/http"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/reports/changes"
)

// tryView is the effect of an edited robots.txt.
type tryView struct {
	Known int64        `json:"known_urls"` // URLs of all kinds in the run
	Took  float64      `json:"took_ms"`
	Same  bool         `json:"same,omitempty"` // it is the text that it is compared with
	Told  changes.Told `json:"told"`
}

// viewTry tests an edited robots.txt on all URLs of the run.
func (d *Desk) viewTry(e *exchange, of *edited) error {
	began := time.Now()
	s, f, leave, err := e.trying()
	if err != nil {
		return err
	}
	defer leave()
	base, old := f.body(), s.records()
	if of.Against != "" && of.Against != "live" {
		if base, err = e.startText(f, of.Against); err != nil {
			return err
		}
		old = s.proposed(base)
	}
	robots, same := exactText(of.Robots, base)
	told, err := changes.Tell(compare.Sides(old, s.proposed(robots), compare.Options{}))
	if err != nil {
		return err
	}
	return e.json(http.StatusOK, tryView{Known: told.Site.New.URLs, Took: millis(time.Since(began)), Same: same, Told: *told})
}

// lintView are the findings in an edited robots.txt.
type lintView struct {
	Findings []engine.Finding `json:"findings"`
	More     int              `json:"more,omitempty"` // findings that are not listed
	Counts   map[string]int   `json:"counts"`         // counts by severity
}

// Limits of the findings that are listed.
const (
	maxFindings     = 500
	maxFindingLines = 50
)

// viewLint checks an edited robots.txt without the run's URLs.
func (d *Desk) viewLint(e *exchange, of *edited) error {
	leave, err := d.work.enter(e.r.Context())
	if err != nil {
		return err
	}
	defer leave()
	return e.json(http.StatusOK, lintOf([]byte(of.Robots)))
}

// lintOf are the findings in a robots.txt.
func lintOf(robots []byte) lintView {
	v := lintView{Findings: []engine.Finding{}, Counts: map[string]int{}}
	for _, f := range engine.Lint(robots, engine.LintOptions{}) {
		v.Counts[f.Severity.String()] += 1 + f.More
		if len(v.Findings) == maxFindings {
			v.More++
			continue
		}
		f.Lines, f.Related = f.Lines[:min(len(f.Lines), maxFindingLines)], f.Related[:min(len(f.Related), maxFindingLines)]
		v.Findings = append(v.Findings, f)
	}
	return v
}
