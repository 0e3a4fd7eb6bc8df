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

	"github.com/klauspost/compress/zstd"

	"robots-audit/audit"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
)

// StoredRun is a run whose records are on disk, to be read again for new questions: the effect of
// another robots.txt, or changes since then. It is never written to, and may be read while the run
// is still going on.
type StoredRun struct {
	Path     string    // as given: the run's folder, or one site's file of records
	ID       string    // of the run; "" = Path is a file
	Version  string    // of the program that made it; "" = not known
	Started  time.Time // UTC; for a file, the site's own start
	Finished time.Time // UTC; zero = the run was cut short, or is not finished, or Path is a file
	Crawlers []audit.Crawler
	Sites    []StoredSite // in the order of the run's list
	// Unwritten has the audited sites that have no records, because their reports could not be
	// written: the reason, by name. Their results are not known.
	Unwritten map[string]string

	disk     disk.FS
	segments *site.Segments
}

// SegmentOf returns the name of the segment that a page of the run is in; "" = no segments were named.
func (s *StoredRun) SegmentOf(loc string) string { return s.segments.Name(loc) }

// Segments are the results that SegmentOf may have; nil = no segments were named.
func (s *StoredRun) Segments() []string { return s.segments.Names() }

// StoredSite is a site of a stored run.
type StoredSite struct {
	Name    string    // Domain.Name
	Base    string    // of its files in the run's folder: Base + ".xlsx"
	Ordinal int       // position in the run's list, 0-based
	Started time.Time // zero if the beginning of its records has not been read
	Logged  bool      // access logs were given, and have requests of crawlers for it: see Logs
	Damage  error     // why its records cannot be read, if that is known without reading them; it names the file

	records   string // path of its file of records
	disk      disk.FS
	facts     fileFacts
	unchecked bool // the file has not been compared with facts: see Check
}

// Size is the size in bytes of the site's file of records; 0 = it cannot be found.
func (s StoredSite) Size() int64 {
	info, err := s.disk.Lstat(s.records)
	if err != nil {
		return 0
	}
	return info.Size()
}

// State identifies the current content of the site's records by their size and the time of their
// last change. "" = they cannot be found.
func (s StoredSite) State() string {
	info, err := s.disk.Lstat(s.records)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

// Errors of OpenStored that the caller may want to distinguish.
var (
	ErrNoRecords    = errors.New("no records lie there, from which reports are made: a file records/….jsonl.zst a site")
	ErrNotRecords   = errors.New("that is neither the folder of a run nor the records of a site, a file records/….jsonl.zst of a run")
	ErrOtherVersion = errors.New("the run was made by another major version of this program")
)

// OpenStored reads the description of a run. path is its folder, or the file of records of one site; version is the version of this
// program. The error is ErrNoRun if the folder has no run.json, and ErrNoManifest if only that is missing. It is ErrNoRecords if it
// has no records; the run is returned anyway, with its Unwritten. It is ErrNotRecords if path is a file of something else, and
// ErrOtherVersion if another major version, with other records, made the run. Any other error comes from the disk, or from a
// changed file. In a folder, other sites can be read even if the records of one are missing or damaged.
func OpenStored(path, version string) (*StoredRun, error) {
	run, err := OpenUnchecked(path, version)
	if err == nil {
		for i := range run.Sites {
			run.Sites[i].Check()
			run.Sites[i].begin()
		}
	}
	return run, err
}

// OpenUnchecked is OpenStored for callers that need few of the sites, or check them one by one: it
// does not read files of records whose size matches the journal.
func OpenUnchecked(path, version string) (*StoredRun, error) {
	run := &StoredRun{Path: path, disk: disk.NewRoot(path)}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: %w", path, ErrNotRecords)
		}
		if err := run.addFile(path); err != nil {
			return nil, err
		}
		return run, nil
	}
	m, err := readManifest(filepath.Join(path, "run.json"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m == nil {
		if holdsSites(disk.Folder{FS: run.disk, Dir: path}) {
			return nil, fmt.Errorf("%s: %w", path, ErrNoManifest)
		}
		return nil, fmt.Errorf("%s: %w", path, ErrNoRun)
	}
	if major(m.Version) != major(version) {
		return nil, fmt.Errorf("%s: run.json: %w (%s; this is %s)", path, ErrOtherVersion, m.Version, version)
	}
	run.ID, run.Version, run.Started, run.Crawlers = m.ID, m.Version, m.Started, m.Crawlers
	if m.Finished != nil {
		run.Finished = *m.Finished
	}
	if run.segments, err = site.NewSegments(m.Segments); err != nil {
		return nil, fmt.Errorf("%s: run.json: %w", path, err)
	}
	if err := run.addFolder(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(run.Sites) == 0 {
		return run, fmt.Errorf("%s: %w", path, ErrNoRecords)
	}
	run.sort()
	return run, nil
}

// major is the first number of a version.
func major(version string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	return first
}

// addFile uses one file of records as the run.
func (s *StoredRun) addFile(name string) error {
	s.disk = disk.OS{} // the user has named this file directly
	first, err := firstRecord(s.disk, name)
	switch {
	case errors.Is(err, zstd.ErrMagicMismatch), err == nil && first == nil:
		return fmt.Errorf("%s: %w", name, ErrNotRecords)
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	s.Crawlers, s.Started = first.Crawlers, first.Started
	s.Sites = []StoredSite{{Name: first.Name, Base: strings.TrimSuffix(filepath.Base(name), recordsExt), Ordinal: first.Ordinal, Started: first.Started, Logged: first.Logs != nil, records: name, disk: s.disk}}
	return nil
}

// addFolder adds the sites of a run's folder: those that have a file of records, and those that
// should have one according to the journal.
func (s *StoredRun) addFolder() error {
	lines, err := recordLines(journalIn(s.disk, s.Path), afterSums)
	if err == nil && (s.Finished.IsZero() || anyUnwritten(lines)) {
		lines, err = recordLines(journalIn(s.disk, s.Path), afterFinished)
	}
	if err != nil {
		return err
	}
	files, err := s.disk.ReadDir(filepath.Join(s.Path, "records"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	found := false
	for _, file := range files {
		base, ok := strings.CutSuffix(file.Name(), recordsExt)
		if !ok {
			continue
		}
		line := lines[base]
		unwritten := line != nil && line.Records == 0
		if unwritten { // any such file is from an earlier audit of the site
			line = nil
		}
		of := s.siteOf(base, line)
		if unwritten && of.Damage != nil {
			continue
		}
		found = true
		delete(lines, base)
		s.Sites = append(s.Sites, of)
	}
	s.Unwritten = map[string]string{}
	for base, line := range lines {
		switch of := (StoredSite{Name: line.Name, Base: base, Ordinal: line.Ordinal}); {
		case line.Records == 0:
			s.Unwritten[line.Name] = line.Why
		case found: // otherwise all files of records were removed
			of.Damage = fmt.Errorf("%s: the file is not there", filepath.Join(s.Path, recordsName(base)))
			s.Sites = append(s.Sites, of)
		}
	}
	return nil
}

// anyUnwritten reports whether there is a site whose report could not be written.
func anyUnwritten(lines map[string]*recordLine) bool {
	for _, line := range lines {
		if line.Records == 0 {
			return true
		}
	}
	return false
}

// siteOf returns a site with a file of records; line is its line in the journal, nil = none. If neither
// the file nor the journal has the name of the site, its name is that of the file.
func (s *StoredRun) siteOf(base string, line *recordLine) StoredSite {
	of := StoredSite{Base: base, records: filepath.Join(s.Path, recordsName(base)), disk: s.disk, unchecked: true}
	if line != nil {
		of.Name, of.Ordinal, of.Logged, of.facts = line.Name, line.Ordinal, line.Logs != nil, line.facts()
		info, err := s.disk.Lstat(of.records)
		if err == nil && info.Mode().IsRegular() && info.Size() == of.facts.size {
			return of
		}
	}
	first, err := firstRecord(s.disk, of.records)
	switch {
	case err == nil && first == nil:
		err = errNoSite
	case err != nil || line == nil:
	case first.Name != line.Name:
		err = otherSite(first.Name)
	default:
		_, err = of.facts.compare(&countedBytes{size: of.Size()}, first.Started)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", of.records, err)
	}
	switch {
	case line != nil:
		of.Damage = err
	case first == nil: // only its name is known
		of.Name, of.Damage = of.Base, err
	default:
		of.Name, of.Ordinal, of.Logged = first.Name, first.Ordinal, first.Logs != nil
	}
	if first != nil {
		of.Started, of.unchecked = first.Started, false
	}
	return of
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

// Records reads the records of a site, in their order. It reuses batches of URLs for the next
// record. An error, which names the file and the line, ends the sequence. If the records differ
// from what the run recorded, the error comes before audit.Done. The records of a site that was cut
// short end without audit.Done and without error.
func (s StoredSite) Records() iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		if s.Damage != nil {
			yield(audit.Record{}, s.Damage)
			return
		}
		for rec, err := range checkedRecords(s.disk, s.records, s.facts, nil) {
			if err != nil {
				err = fmt.Errorf("%s: %w", s.records, err)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// Logs returns the site's record of access logs; nil = it has none. Where it can, it reads only the end of the file, and
// checks the bytes of all of it. Errors are those of Records.
func (s StoredSite) Logs() (logs *audit.Logs, err error) {
	if s.Damage == nil {
		if logs = s.tailLogs(); logs != nil {
			return logs, nil
		}
	}
	for rec, err := range s.Records() {
		switch {
		case err != nil:
			return nil, err
		case rec.Site != nil && rec.Site.Logs == nil:
			return nil, nil
		case rec.Logs != nil:
			logs = rec.Logs
		}
	}
	return logs, nil
}

// sort brings the sites into the order of the run's list.
func (s *StoredRun) sort() {
	slices.SortStableFunc(s.Sites, func(a, b StoredSite) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
}
