package summary

import (
	"time"

	"robots-audit/audit"
)

// Run is the data of the summaries on a run, in addition to its sites.
type Run struct {
	ID                string
	Version           string // of the program
	Started, Finished time.Time
	Crawlers          []audit.Crawler
	Totals            Totals
	Overview          Overview
	Common            Common
	Unfinished        int             // sites in progress when the run was stopped
	ListProblems      []audit.Problem // the first problems of the lists of sites and of URLs
	ListProblemCount  int             // number of all of them
	Remarks           []string        // sentences about the run as a whole

	BadLines []audit.Problem // those of ListProblems on lines of the list that name no site
	Untested []audit.Problem // those on the user's own list of URLs
}

// AddListProblem adds one of ListProblems to the errors that are shown, and counts those that are skipped.
func (r *Run) AddListProblem(p *audit.Problem) {
	if p.Stage != audit.StageURLs {
		r.BadLines = append(r.BadLines, *p)
		return
	}
	r.Untested = append(r.Untested, *p)
	if p.Code == audit.CodeNotListed {
		r.Overview.LeftOut += p.URLs
	}
}

// BadLineCount is the number of lines of the list that name no site.
func (r *Run) BadLineCount() int { return r.ListProblemCount - len(r.Untested) }
