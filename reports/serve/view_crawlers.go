package serve

import (
	"errors"
	"net/http"

	"robots-audit/reports"
	pages "robots-audit/reports/internal/page"
)

// hasAsked reports whether sites of the run were asked in the names of crawlers, by its summary.
func (r *run) hasAsked() bool {
	o, err := reports.ReadOverview(r.dir)
	return err == nil && o.Totals != nil && len(o.Totals.Asked) > 0
}

// viewCrawlers shows how the sites of a run treat the names of crawlers: the matrix of the run's page.
func (d *Desk) viewCrawlers(e *exchange) error {
	name := pages.MatrixPage
	if e.wantsJSON() {
		name = pages.MatrixJSON
	}
	e.w.Header().Set("Vary", "Accept")
	err := e.made(e.run, name, frame{Run: e.run, At: crawlersName}, pages.Policy, d.made.run)
	if of := (*failure)(nil); errors.As(err, &of) && of.status == http.StatusNotFound {
		return notFound("this run has no answers to the names of crawlers. Audit its sites with -ask-as")
	}
	return err
}
