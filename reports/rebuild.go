package reports

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"robots-audit/audit"
)

// maxWindow bounds the memory that a file of records may ask a reader for.
const maxWindow = 8 << 20

// Rebuild makes all reports of the run in dir again from its records: the
// same bytes where the program is the same. Records are not touched. A site
// whose records cannot be read is reported as unknown, and keeps its old
// workbook; the error names it, after all others have been done.
func Rebuild(dir string) error {
	m, err := readManifest(filepath.Join(dir, "run.json"))
	if err == nil && m == nil {
		err = ErrNoRun
	}
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	o := Options{Dir: dir, Rows: m.Rows, Formats: m.Formats, Version: m.Version, Crawlers: m.Crawlers, Started: m.Started, Settings: map[string]any{}}
	for key, value := range m.Settings {
		o.Settings[key] = value
	}
	return rebuild(o, m)
}

func rebuild(o Options, m *manifest) error {
	r, err := openAs(o, true)
	if err != nil {
		return err
	}
	r.notes, r.noted, r.unfinished = m.List, len(m.List)+m.ListMore, m.Unfinished
	trouble := r.replayAll()
	return errors.Join(trouble, r.Close())
}

// replayAll writes the records of every site once more, then the sites of
// which there are none.
func (r *Run) replayAll() error {
	old, err := openJournal(r.path(hidden, "journal.jsonl"), false)
	if err != nil {
		return err
	}
	defer old.file.Close()
	files, err := os.ReadDir(r.path("records"))
	if err != nil {
		return err
	}
	var trouble error
	for _, file := range files {
		base, ok := strings.CutSuffix(file.Name(), recordsExt)
		if !ok {
			continue
		}
		if err := r.replay(base); err != nil {
			trouble = errors.Join(trouble, err)
		}
	}
	for i := range old.entries {
		line, err := old.read(i)
		if err != nil {
			return errors.Join(trouble, err)
		}
		if line.Records == 0 && !r.seen[line.Name] {
			if err := r.ledger.enter(line); err != nil {
				return errors.Join(trouble, err)
			}
			r.seen[line.Name] = true
		}
	}
	return trouble
}

// replay writes the records of one site once more.
func (r *Run) replay(base string) error {
	name := r.path("records", base+recordsExt)
	var err error
	var site *audit.Site
	done := false
	for rec, e := range readRecords(name) {
		if err = e; err != nil {
			break
		}
		if rec.Site != nil {
			site = rec.Site
		}
		if err = r.Write(rec); err != nil {
			return err
		}
		if rec.Done != nil {
			done = true
			r.seen[rec.Domain] = true
		}
	}
	if done && err == nil {
		return nil
	}
	if err == nil {
		err = errors.New("the records break off before the site's end")
	}
	err = fmt.Errorf("%s: %w", name, err)
	if site == nil {
		site = &audit.Site{Name: base, Crawlers: r.Crawlers}
	}
	if s := r.sites[site.Name]; s == nil && !done {
		r.sites[site.Name] = newSiteRun(r, site)
	}
	if s := r.sites[site.Name]; s != nil {
		s.begin(r.shop) // what could be read counts
		s.err = err
		r.seen[site.Name] = true
		return errors.Join(err, r.Write(audit.Record{Domain: site.Name, Done: &audit.Done{State: audit.Undetermined, Finished: r.Started}}))
	}
	return err
}
