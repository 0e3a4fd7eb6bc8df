package reports

import (
	"sync"

	"robots-audit/reports/internal/summary"
)

// finishedSites are the sites that are finished: their lines in the journal and
// their sums. Reports may be finished side by side.
type finishedSites struct {
	mu        sync.Mutex
	journal   *journal
	totals    Totals
	unaudited map[string]lostSite // sites of a resumed run that are to be audited again and are not finished yet
}

// append adds a finished site, whose files have their final names.
func (f *finishedSites) append(line *summary.Line) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.journal.append(line); err != nil {
		return err
	}
	f.totals.Count(line)
	delete(f.unaudited, line.Name)
	return nil
}

func (f *finishedSites) currentTotals() Totals {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.totals
}
