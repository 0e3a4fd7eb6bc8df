package reports

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// runSummary is the head of summary.json.
type runSummary struct {
	ID       string    `json:"id"`
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished"`
	Version  string    `json:"version"`
	Crawlers []string  `json:"crawlers"`

	Unfinished int `json:"unfinished,omitempty"` // sites in work when the run was stopped

	ListProblems     []audit.Problem `json:"list_problems,omitempty"` // lines of the list that name no site, and what of the user's own list of URLs no site tests, as in run.json
	ListProblemsMore int             `json:"list_problems_more,omitempty"`

	Remarks []string `json:"notes,omitempty"` // as in run.json
}

// summaryJSON is summary.json.
type summaryJSON struct{ run *Run }

// AddSite does nothing: what the file says of a site stands in the journal as it is.
func (j *summaryJSON) AddSite(*summary.Site) error { return nil }

// Finish streams summary.json: a site at a time.
func (j *summaryJSON) Finish(run *summary.Run) error {
	r := j.run
	head, err := json.Marshal(runSummary{run.ID, run.Started, run.Finished, run.Version, site.Specs(run.Crawlers), run.Unfinished, run.ListProblems, run.ListProblemCount - len(run.ListProblems), run.Remarks})
	if err != nil {
		return err
	}
	totals, err := json.Marshal(run.Totals)
	if err != nil {
		return err
	}
	f, err := os.Create(r.temp("summary.json"))
	if err != nil {
		return err
	}
	return disk.Commit(f, r.path("summary.json"), func() error {
		w := bufio.NewWriter(f)
		fmt.Fprintf(w, "{\"run\":%s,\n\"totals\":%s,\n\"sites\":[", escape.JSON(head), totals)
		comma := ""
		for line, err := range r.lines {
			if err != nil {
				return err
			}
			w.WriteString(comma + "\n")
			w.Write(escape.JSON(line.Summary))
			comma = ","
		}
		w.WriteString("\n]}\n")
		return w.Flush() // the first error of all the above
	}())
}
