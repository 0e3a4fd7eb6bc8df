package reports

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"

	"robots-audit/audit"
	"robots-audit/reports/internal/summary"
)

// ErrLine says that a line cannot be entered in this run. The line is wrong, not the run.
var ErrLine = errors.New("not a line of this run")

// Enter enters a site that was done elsewhere, by its journal line (SiteFiles). It does not look for
// the files: they are where the run's folder will be. ErrLine says that the line was changed, that its
// crawlers differ from the run's, or that the site is finished already. Any other error says that the
// journal cannot be written. A run in a single file needs the pages of its sites, and accepts no lines.
// Once all sites are entered, Close writes the same files as a run that did the sites itself. Any
// goroutine may call it.
func (r *Run) Enter(line []byte) error {
	l, err := r.entered(line)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrLine, err)
	} else {
		err = r.done.enter(l, line)
	}
	if err != nil {
		return fmt.Errorf("%s: a site that was done elsewhere cannot be entered: %w", r.Dir, err)
	}
	return nil
}

// sealedHead begins every sealed line; lines of versions before seals do not have it.
const sealedHead = `{"checksum":"`

// entered reads the line of a site that was done elsewhere.
func (r *Run) entered(line []byte) (*summary.Line, error) {
	switch text, whole := bytes.CutSuffix(line, []byte{'\n'}); {
	case r.SingleFile:
		return nil, errSingleFile
	case len(line) > maxJournalLine:
		return nil, fmt.Errorf("its line has %d bytes, and none has more than %d", len(line), maxJournalLine)
	case !whole || bytes.IndexByte(text, '\n') >= 0 || !bytes.HasPrefix(text, []byte(sealedHead)):
		return nil, errors.New("it is no line of a journal")
	}
	l := &summary.Line{}
	if err := decodeLine(line, l); err != nil {
		return nil, err
	}
	blocked := append([]byte(`"blocked":`), summary.BlockedByLabel(r.Crawlers, &audit.Done{Counts: audit.Counts{Blocked: l.Blocked}})...)
	switch {
	case r.finished[l.Name]:
		return nil, errTwice(l.Name)
	case !bytes.Contains(l.Summary, blocked):
		return nil, fmt.Errorf("%s was asked about other crawlers than the run", l.Name)
	}
	return l, nil
}

func errTwice(name string) error { return fmt.Errorf("%s is finished already", name) }

// enter adds a site by its line, each site once. It keeps hashes instead of names, which saves a
// few dozen megabytes for a million sites.
func (f *finishedSites) enter(line *summary.Line, text []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.entered == nil {
		f.seed, f.entered = maphash.MakeSeed(), map[uint64]struct{}{}
	}
	hash := maphash.String(f.seed, line.Name)
	if _, twice := f.entered[hash]; twice {
		return fmt.Errorf("%w: %w", ErrLine, errTwice(line.Name))
	}
	if err := f.add(line, text); err != nil {
		return err
	}
	f.entered[hash] = struct{}{}
	return nil
}
