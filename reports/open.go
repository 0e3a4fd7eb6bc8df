package reports

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
	"github.com/klauspost/compress/zstd"
)

// Errors of Open.
var (
	ErrLocked = errors.New("another run is writing to this folder")
	ErrExists = errors.New("the folder holds a run already; resume it or name another")
	ErrNoRun  = errors.New("the folder holds no run that could be resumed")
)

// Open begins a run in its folder, or goes on with one: ErrLocked where another
// run is at work there, ErrExists where the folder holds a run and Resume is
// not set, ErrNoRun where it holds none and Resume is set, *MismatchError where
// the run was asked for something else. What a killed run left half done is
// removed.
func Open(o Options) (*Run, error) { return openAs(o, false) }

// openAs opens a run, to write it or to make it again from its records.
func openAs(o Options, again bool) (*Run, error) {
	r, err := open(o, again)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Dir, err)
	}
	return r, nil
}

func open(o Options, again bool) (*Run, error) {
	if o.Rows == "" {
		o.Rows = "blocked"
	}
	if err := CheckFormats(o.Formats); err != nil {
		return nil, err
	}
	if len(o.Formats) == 0 {
		o.Formats = nil
	}
	if o.RowLimit == 0 {
		o.RowLimit = maxRows
	}
	if o.disk == nil {
		o.disk = osDisk{}
	}
	o.Started = o.Started.UTC().Truncate(time.Second)
	r := &Run{Options: o, sites: map[string]*siteRun{}, finished: map[string]bool{}, rebuild: again}
	if err := os.MkdirAll(r.path(hidden), 0o755); err != nil {
		return nil, err
	}
	r.lock = flock.New(r.path(hidden, "lock"))
	if ok, err := r.lock.TryLock(); err != nil || !ok {
		return nil, errors.Join(ErrLocked, err)
	}
	if err := r.begin(); err != nil {
		if r.ledger.journal != nil {
			r.ledger.journal.close()
		}
		r.lock.Unlock()
		return nil, err
	}
	return r, nil
}

// begin makes the folder ready and reads what is in it. The lock is held.
func (r *Run) begin() error {
	old, err := readManifest(r.path("run.json"))
	switch {
	case err != nil:
		return err
	case old == nil && r.Resume:
		return ErrNoRun
	case old != nil && !r.Resume && !r.rebuild:
		return ErrExists
	}
	if old != nil {
		if err := old.compare(&r.Options); err != nil {
			return err
		}
		r.Started = old.Started
	}
	for _, dir := range []string{r.temp(), r.path("records"), r.path("evidence"), r.path("pages")} {
		if dir == r.temp() {
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if err := r.tools(); err != nil {
		return err
	}
	if r.rebuild { // a new journal takes the old one's place at the end
		r.seen = map[string]bool{}
		r.ledger.journal, err = openJournal(r.temp("journal.jsonl"), true)
		return err
	}
	if r.ledger.journal, err = openJournal(r.path(hidden, "journal.jsonl"), !r.Resume); err != nil {
		return err
	}
	for i := len(r.ledger.journal.entries) - 1; i >= 0; i-- { // a later line of a site stands for an earlier one
		line, err := r.ledger.journal.read(i)
		if err != nil {
			return err
		}
		if r.finished[line.Name] || !r.intact(line) {
			r.ledger.journal.entries[i].dropped = true
			continue
		}
		r.finished[line.Name] = true
		r.ledger.totals.add(line)
	}
	r.ledger.journal.compact()
	return r.writeManifest(time.Time{})
}

// tools makes what all workbooks share.
func (r *Run) tools() error {
	var err error
	if r.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(128<<10)); err != nil {
		return err
	}
	if r.shop, err = newShop(r); err != nil {
		return err
	}
	r.tables, err = newSiteTables(r.shop, r.Crawlers, r.Rows == "all")
	return err
}

// intact reports whether a finished site's files are there as the journal has
// them: after a power cut a renamed file may be empty.
func (r *Run) intact(line *journalLine) bool {
	if line.Records == 0 { // its report could not be written then; now it may
		return false
	}
	return hasSize(r.path("records", line.Base+recordsExt), line.Records) && hasSize(r.path(line.Base+".xlsx"), line.Workbook) &&
		hasSize(r.path("pages", line.Base+".html"), line.Page)
}

func hasSize(name string, size int64) bool {
	info, err := os.Stat(name)
	return err == nil && info.Size() == size
}
