package reports

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"

	"robots-audit/audit"
	"robots-audit/reports/internal/summary"
)

// ErrLine is that a line is none that a run can enter: what is wrong is the line, and not the run.
var ErrLine = errors.New("not a line of this run")

// Enter enters a site that was done elsewhere, by its line of the journal (SiteFiles). Its
// files are not looked for: they lie where the run's folder will be. ErrLine says that the
// line is not as it was written, that it was asked about other crawlers, or that the site is
// finished already; another error, that the journal cannot be written. A run in a single file needs the
// pages of its sites, and takes none. Where all sites of a run are entered, Close writes
// what it would have written had it done them itself. Any goroutine may call it.
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

// sealedHead is how a sealed line begins; one that does not is of a version before there were seals.
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

// enter adds a site by its line, each once. Names are held by their hashes, so that a
// million sites take a few dozen megabytes less.
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
