package reports

import (
	"fmt"

	"robots-audit/audit"
)

// Report is the report of a site whose records are complete. Finishing it affects no other site, so
// any goroutine may do it.
type Report struct {
	site *siteRun
	done *audit.Done
}

// Finish writes the site's files and appends its line to the run's journal. Call it once. A site
// whose report cannot be written becomes unknown, with an error of stage "report", and the run goes
// on. An error means that the run's folder itself cannot be written.
func (r *Report) Finish() error {
	run := r.site.run
	line := r.site.finish(r.done)
	if err := run.done.append(line); err != nil {
		return fmt.Errorf("%s: %w", run.Dir, err)
	}
	return nil
}
