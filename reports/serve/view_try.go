package serve

import (
	"net/http"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/reports/changes"
)

// tryView is what an edited robots.txt does.
type tryView struct {
	Known int64         `json:"known_urls"` // to the run, of all kinds
	Took  float64       `json:"took_ms"`
	Same  bool          `json:"same,omitempty"` // it is the file that the run found
	Told  *changes.Told `json:"told"`
}

// viewTry says what an edited robots.txt does to all URLs that the run knows.
func (d *Desk) viewTry(e *exchange, of *edited) error {
	began := time.Now()
	s, f, leave, err := e.trying()
	if err != nil {
		return err
	}
	defer leave()
	robots, same := of.Robots, sameText(of.Robots, f.body())
	if same { // fields of browsers have one kind of line end
		robots = string(f.body())
	}
	told, err := changes.Tell(compare.Sides(s.records(), s.proposed([]byte(robots)), compare.Options{}))
	if err != nil {
		return err
	}
	return e.json(http.StatusOK, tryView{Known: told.Site.New.URLs, Took: float64(time.Since(began).Microseconds()) / 1000, Same: same, Told: told})
}

// lintView is what is wrong with an edited robots.txt.
type lintView struct {
	Findings []engine.Finding `json:"findings"`
	More     int              `json:"more,omitempty"` // findings that are left out
	Counts   map[string]int   `json:"counts"`         // by severity
}

// Bounds of the findings that are told.
const (
	maxFindings     = 500
	maxFindingLines = 50
)

// viewLint says what is wrong with an edited robots.txt, whatever the run's URLs.
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
