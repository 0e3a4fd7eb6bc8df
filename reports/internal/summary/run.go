package summary

import (
	"time"

	"robots-audit/audit"
)

// Run is what the summaries say of a run beside its sites.
type Run struct {
	ID                string
	Version           string // of the program
	Started, Finished time.Time
	Crawlers          []audit.Crawler
	Totals            Totals
	Overview          Overview
	Common            Common
	Unfinished        int             // sites in work when the run was stopped
	ListProblems      []audit.Problem // lines of the list that name no site, the first ones
	ListProblemCount  int             // all of them
	Remarks           []string        // sentences about the run as a whole
}
