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
	Known int64         `json:"known_urls"` // URLs of all kinds in the run
	Took  float64       `json:"took_ms"`
	Same  bool          `json:"same,omitempty"` // it is the same file as in the run
	Told  *changes.Told `json:"told"`
}

// viewTry tests an edited robots.txt on all URLs of the run.
func (d *Desk) viewTry(e *exchange, of *edited) error {
	began := time.Now()
	s, f, leave, err := e.trying()
	if err != nil {
		return err
	}
	defer leave()
	robots, same := of.Robots, sameText(of.Robots, f.body())
	if same { // browsers' text fields have one kind of line end
		robots = string(f.body())
	}
	told, err := changes.Tell(compare.Sides(s.records(), s.proposed([]byte(robots)), compare.Options{}))
	if err != nil {
		return err
	}
	return e.json(http.StatusOK, tryView{Known: told.Site.New.URLs, Took: float64(time.Since(began).Microseconds()) / 1000, Same: same, Told: told})
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
	v := lintView{Findings: []engine.Finding{}, Counts: map[string]int{}}
	for _, f := range engine.Lint([]byte(of.Robots), engine.LintOptions{}) {
		v.Counts[f.Severity.String()] += 1 + f.More
		if len(v.Findings) == maxFindings {
			v.More++
			continue
		}
		f.Lines, f.Related = f.Lines[:min(len(f.Lines), maxFindingLines)], f.Related[:min(len(f.Related), maxFindingLines)]
		v.Findings = append(v.Findings, f)
	}
	return e.json(http.StatusOK, v)
}
