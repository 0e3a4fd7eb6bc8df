package reports

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
)

// StoredRun is a run whose records lie on disk, to be read again by whoever asks
// something new of them: what another robots.txt would do, what has changed since.
// Nothing of it is written to, and a run that is still at work may be read.
type StoredRun struct {
	Path     string    // as it was given: the run's folder, or one site's file of records
	ID       string    // of the run; "" = Path is a file
	Version  string    // of the program that made it; "" = not known
	Started  time.Time // UTC; of a file, the site's own start
	Finished time.Time // UTC; zero = the run was cut short, or goes on, or Path is a file
	Crawlers []audit.Crawler
	Sites    []StoredSite // in the order of the run's list
}

// StoredSite is a site of a stored run.
type StoredSite struct {
	Name    string // Domain.Name
	Base    string // of its files in the run's folder: Base + ".xlsx"
	Ordinal int    // of the run's list, 0-based
	Started time.Time

	records string // path of its file of records
}

// Errors of OpenStored that the caller may want to tell apart.
var (
	ErrNoRecords    = errors.New("no records lie there, from which reports are made: a file records/….jsonl.zst a site")
	ErrOtherVersion = errors.New("the run was made by another major version of this program")
)

// OpenStored reads what a run says of itself: path is its folder, or the file of
// records of one site, version that of this program. The error is ErrNoRun where the
// folder has no run.json, ErrNoRecords where it has no records, and ErrOtherVersion
// where another major version made it, whose records may mean something else.
func OpenStored(path, version string) (*StoredRun, error) {
	run := &StoredRun{Path: path}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if err := run.addSite(path); err != nil {
			return nil, err
		}
		return run, nil
	}
	m, err := readManifest(filepath.Join(path, "run.json"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m == nil {
		return nil, fmt.Errorf("%s: %w", path, ErrNoRun)
	}
	if major(m.Version) != major(version) {
		return nil, fmt.Errorf("%s: run.json: %w (%s; this is %s)", path, ErrOtherVersion, m.Version, version)
	}
	run.ID, run.Version, run.Started, run.Crawlers = m.ID, m.Version, m.Started, m.Crawlers
	if m.Finished != nil {
		run.Finished = *m.Finished
	}
	files, err := os.ReadDir(filepath.Join(path, "records"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, file := range files {
		if strings.HasSuffix(file.Name(), recordsExt) {
			if err := run.addSite(filepath.Join(path, "records", file.Name())); err != nil {
				return nil, err
			}
		}
	}
	if len(run.Sites) == 0 {
		return nil, fmt.Errorf("%s: %w", path, ErrNoRecords)
	}
	run.sort()
	return run, nil
}

// major is the first number of a version.
func major(version string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	return first
}

// addSite adds the site whose records lie in a file.
func (s *StoredRun) addSite(name string) error {
	for rec, err := range readRecords(name) {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if rec.Site == nil {
			return fmt.Errorf("%s: line 1: it does not begin with a site, as records do", name)
		}
		of := StoredSite{Name: rec.Site.Name, Base: strings.TrimSuffix(filepath.Base(name), recordsExt), Ordinal: rec.Site.Ordinal, Started: rec.Site.Started, records: name}
		s.Sites = append(s.Sites, of)
		if s.Crawlers == nil {
			s.Crawlers, s.Started = rec.Site.Crawlers, rec.Site.Started
		}
		return nil
	}
	return fmt.Errorf("%s: it is empty", name)
}

// Site returns the site of a name; false = the run does not know it.
func (s *StoredRun) Site(name string) (StoredSite, bool) {
	for _, of := range s.Sites {
		if of.Name == name {
			return of, true
		}
	}
	return StoredSite{}, false
}

// Records reads the records of a site, in their order. Batches of URLs are used again
// once the next record is asked for. An error, which names the file and the line, ends
// them; the records of a site that was cut short end without audit.Done and without error.
func (s StoredSite) Records() iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for rec, err := range readRecords(s.records) {
			if err != nil {
				err = fmt.Errorf("%s: %w", s.records, err)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// sort brings the sites into the order of the run's list.
func (s *StoredRun) sort() {
	slices.SortStableFunc(s.Sites, func(a, b StoredSite) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
}
