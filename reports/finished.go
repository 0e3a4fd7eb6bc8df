package reports

import (
	"robots-audit/reports/internal/summary"
	"sync"
)

// finishedSites are the sites that are finished: their lines in the journal and
// their sums. Reports may be finished side by side.
type finishedSites struct {
	mu        sync.Mutex
	journal   *journal
	totals    Totals
	unaudited map[string]lostSite // sites of a resumed run that are to be audited again and are not finished yet
}

// append adds a finished site. Its files are in their places.
func (l *finishedSites) append(line *summary.Line) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.journal.append(line); err != nil {
		return err
	}
	l.totals.Count(line)
	delete(l.unaudited, line.Name)
	return nil
}

func (l *finishedSites) currentTotals() Totals {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.totals
}
