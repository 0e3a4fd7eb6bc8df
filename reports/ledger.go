package reports

import (
	"sync"

	"robots-audit/audit"
	"robots-audit/engine"
)

// ledger keeps the books of the sites that are finished: their lines in the
// journal and their sums. Reports may be finished side by side.
type ledger struct {
	mu      sync.Mutex
	journal *journal
	totals  Totals
	again   map[string]lostSite // sites of a resumed run that are to be audited again and are not finished yet
}

// enter adds a finished site. Its files are in their places.
func (l *ledger) enter(line *journalLine) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.journal.add(line); err != nil {
		return err
	}
	l.totals.add(line)
	delete(l.again, line.Name)
	return nil
}

func (l *ledger) sums() Totals {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.totals
}

// add adds a finished site.
func (t *Totals) add(line *journalLine) {
	t.Sites++
	if line.Lost != nil {
		t.Unknown++
		t.Failed++
		return
	}
	t.URLs += line.URLs
	t.Blocked += line.BlockedURLs
	var f audit.Severities
	if line.Findings != nil {
		f = *line.Findings
	}
	t.Findings.Critical += f.Critical
	t.Findings.Error += f.Error
	t.Findings.Warning += f.Warning
	t.Findings.Info += f.Info
	switch audit.State(line.State) {
	case audit.OK:
		t.OK++
	case audit.Warn:
		t.Warn++
	case audit.Critical:
		t.Critical++
	default:
		t.Unknown++
	}
	switch state := audit.State(line.State); {
	case state == audit.Undetermined:
	case state == audit.Critical || f.Critical > 0:
		t.worst[engine.Critical]++
	case f.Error > 0:
		t.worst[engine.Error]++
	case state == audit.Warn || f.Warning > 0:
		t.worst[engine.Warning]++
	case f.Info > 0:
		t.worst[engine.Info]++
	}
	if line.Records == 0 {
		t.Failed++
	}
}
