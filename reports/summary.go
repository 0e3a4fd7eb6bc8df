package reports

import (
	"io"
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/reports/internal/summary"
)

// summarize writes all summaries of the run in one pass through the journal. It returns the run's
// end, which is the end of its last site, so that the same records give the same bytes.
func (r *Run) summarize() (finished time.Time, err error) {
	if err := r.done.journal.order(); err != nil {
		return finished, err
	}
	run := &summary.Run{
		ID: r.id(), Version: r.Version, Started: r.Started, Finished: r.Started, Crawlers: r.Crawlers, Totals: r.done.totals,
		Unfinished: r.unfinished, ListProblems: r.listProblems, ListProblemCount: r.listProblemCount, Remarks: r.remarks,
	}
	for _, p := range r.listProblems {
		run.AddListProblem(&p)
	}
	outputs := r.newRunOutputs()
	for _, out := range outputs { // outputs that fail must not leave files open
		if c, ok := out.(io.Closer); ok {
			defer c.Close()
		}
	}
	for of, err := range r.summarySites {
		if err != nil {
			return finished, err
		}
		if t := of.End(); t.After(run.Finished) {
			run.Finished = t
		}
		run.Overview.AddSite(of)
		run.Common.AddSite(of)
		for _, out := range outputs {
			if err := out.AddSite(of); err != nil {
				return finished, err
			}
		}
	}
	run.Overview.Asked.Sort()
	r.worst = slices.Concat(run.Overview.Worst, run.Overview.NotJudged)
	run.Finished = run.Finished.Truncate(time.Second)
	for _, out := range outputs {
		if err := out.Finish(run); err != nil {
			return finished, err
		}
	}
	return run.Finished, nil
}

// summarySites yields the sites of the journal in the form for summaries.
func (r *Run) summarySites(yield func(*summary.Site, error) bool) {
	type read struct {
		of  *summary.Site
		err error
	}
	for s := range audit.InOrder(slices.Values(r.done.journal.entries), func(e journalEntry) (s read) {
		s.of, s.err = r.done.journal.readSite(e)
		return s
	}) {
		if s.err == nil && s.of.Lost != nil {
			s.of, s.err = summary.NewSite(r.summaryLine(s.of.Line))
		}
		if s.err == nil && r.pagesOnly && s.of.Records > 0 {
			s.of.Page = max(1, s.of.Page) // it can be made on demand
		}
		if !yield(s.of, s.err) || s.err != nil {
			return
		}
	}
}
