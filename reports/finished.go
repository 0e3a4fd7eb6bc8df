package reports

import (
	"hash/maphash"
	"sync"

	"robots-audit/reports/internal/summary"
)

// finishedSites are the sites that are finished: their journal lines and their sums. Reports may be
// finished in parallel.
type finishedSites struct {
	mu        sync.Mutex
	journal   *journal
	totals    Totals
	unaudited map[string]lostSite // sites of a resumed run that must be audited again and are not finished yet
	entered   map[uint64]struct{} // hashes of the names of sites that were done elsewhere
	seed      maphash.Seed        // of the hashes in entered
}

// append adds a finished site whose files have their final names.
func (f *finishedSites) append(line *summary.Line) error {
	text, err := sealedLine(line)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.add(line, text)
}

// add adds a finished site by its line and by the text in the journal. The caller has locked f.mu.
func (f *finishedSites) add(line *summary.Line, text []byte) error {
	if err := f.journal.append(text); err != nil {
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
