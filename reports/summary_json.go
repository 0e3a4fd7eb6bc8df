package reports

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// SummaryHead is the head of summary.json: its "run".
type SummaryHead struct {
	ID       string    `json:"id"`
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished"`
	Version  string    `json:"version"`
	Crawlers []string  `json:"crawlers"`

	Unfinished int `json:"unfinished,omitempty"` // sites in progress when the run was stopped

	ListProblems     []audit.Problem `json:"list_problems,omitempty"` // lines of the list that name no site, and URLs of the user's own list that no site tests, as in run.json
	ListProblemsMore int             `json:"list_problems_more,omitempty"`

	Remarks []string `json:"notes,omitempty"` // as in run.json
}

// summaryJSON is summary.json. Its head, which says how the run ended, is known last, so the sites
// wait in a file.
type summaryJSON struct {
	run   *Run
	sites *os.File // nil until there is one
	out   *bufio.Writer
}

// AddSite writes the entry of a site.
func (j *summaryJSON) AddSite(of *summary.Site) error {
	if j.sites == nil {
		var err error
		if j.sites, err = j.run.folder.FS.Open(j.run.temp("summary.sites"), os.O_RDWR|os.O_CREATE|os.O_TRUNC); err != nil {
			return err
		}
		j.out = bufio.NewWriterSize(j.sites, 64<<10)
	} else {
		j.out.WriteByte(',')
	}
	j.out.WriteByte('\n')
	_, err := j.out.Write(escape.JSON(of.Summary)) // the first error of all the above
	return err
}

// copySites writes all sites to w.
func (j *summaryJSON) copySites(w io.Writer) error {
	if j.sites == nil {
		return nil
	}
	if err := j.out.Flush(); err != nil {
		return err
	}
	if _, err := j.sites.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, j.sites)
	return err
}

// Close closes the file in which the sites wait.
func (j *summaryJSON) Close() error {
	if j.sites == nil {
		return nil
	}
	return j.sites.Close()
}

// Finish writes summary.json.
func (j *summaryJSON) Finish(run *summary.Run) error {
	r := j.run
	head, err := json.Marshal(SummaryHead{run.ID, run.Started, run.Finished, run.Version, site.Specs(run.Crawlers), run.Unfinished, run.ListProblems, run.ListProblemCount - len(run.ListProblems), run.Remarks})
	if err != nil {
		return err
	}
	totals, err := json.Marshal(run.Totals)
	if err != nil {
		return err
	}
	f, err := r.folder.FS.Create(r.temp("summary.json"))
	if err != nil {
		return err
	}
	return disk.Commit(r.folder.FS, f, r.path("summary.json"), r.temp("summary.json"), func() error {
		w := bufio.NewWriter(f)
		fmt.Fprintf(w, "{\"run\":%s,\n\"totals\":%s,\n\"sites\":[", escape.JSON(head), totals)
		if err := j.copySites(w); err != nil {
			return err
		}
		w.WriteString("\n]}\n")
		return w.Flush() // the first error of all the above
	}())
}
