package reports

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/brief"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/summary"
)

// Demanded are the files that Demand made of a site.
type Demanded struct {
	Site  string
	Paths []string // files and folders: the workbook first, then the page
}

// UnknownSiteError says that a run does not have a site.
type UnknownSiteError struct {
	Name    string
	Nearest string // the most similar name of a site in the run; "" = none is similar
}

func (e *UnknownSiteError) Error() string {
	text := fmt.Sprintf("the run has no site %.200q", e.Name)
	if e.Nearest != "" {
		text += ": did you mean " + e.Nearest + "?"
	}
	return text
}

// ErrHoldsRun says that the folder for a site's files already contains another run.
var ErrHoldsRun = errors.New("the folder holds a run")

// Demand makes all files of single sites from their records, as levelAll would have written them,
// whatever the run's level. It writes to the run's folder, or to the folder out if that is not "".
// It reads no records of other sites and makes no summary again; the summaries of Rebuild link to
// the files. It uses the options Dir, Warn and Version, the last as Rebuild does if out is "".
//
// The error is an *UnknownSiteError, before anything is made, for the first unknown name, and
// ErrLocked while a run works in its folder. Damaged records of one site are reported after all
// other sites are made.
func (o Options) Demand(sites []string, out string) ([]Demanded, error) {
	m, err := o.manifest()
	if err == nil && out == "" {
		err = m.checkWriter(o.Version)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Dir, err)
	}
	r, err := newRun(o.asOf(m), true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Dir, err)
	}
	r.takeNotes(m)
	r.Brief = r.Brief.Or(m.Brief)
	end, err := r.beginDemand(out)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cmp.Or(out, o.Dir), err)
	}
	made, err := r.demand(sites, out == "")
	return made, errors.Join(err, end())
}

// beginDemand locks the run's folder, or makes the folder out, and prepares to make sites.
func (r *Run) beginDemand(out string) (end func() error, err error) {
	r.source = r.Dir
	if out == "" {
		if err := r.takeLock(); err != nil {
			return nil, err
		}
		end = func() error { return errors.Join(r.folder.FS.Remove(r.temp()), r.lock.Unlock(), r.closeDisks()) }
		err = errors.Join(r.folder.FS.Remove(r.temp()), r.folder.FS.MkdirAll(r.temp()))
	} else {
		r.written.FS = disk.NewRoot(out)
		r.folder.Dir, r.folder.Temp = out, filepath.Join(out, fmt.Sprintf("%s-%016x", hidden, rand.Uint64()))
		if holdsSites(r.folder) {
			return nil, ErrHoldsRun
		}
		err = r.folder.FS.MkdirAll(r.temp())
		end = func() error { return errors.Join(r.folder.FS.Remove(r.temp()), r.closeDisks()) }
	}
	if err == nil {
		err = r.makeShared()
	}
	if err != nil {
		return nil, errors.Join(err, end())
	}
	return end, nil
}

// demand makes the files of sites; enter = also add them to the journal.
func (r *Run) demand(sites []string, enter bool) ([]Demanded, error) {
	bases, err := r.basesOf(sites)
	if err != nil {
		return nil, err
	}
	journal, lines, err := r.linesOf(bases, enter)
	if err != nil {
		return nil, err
	}
	defer journal.close()
	var made []Demanded
	var all error
	for _, base := range bases {
		line, err := r.demandSite(base, lines[base])
		if err != nil {
			all = errors.Join(all, err)
			continue
		}
		places := r.placesOf(line)
		if r.writes(kindBrief) {
			of, err := summary.NewSite(line)
			if err == nil {
				err = r.briefs().MakeSite(of)
			}
			if err != nil {
				all = errors.Join(all, fmt.Errorf("%s: its brief could not be written: %w", line.Name, err))
			} else {
				places = append(places, r.path(brief.SiteFile(base)))
			}
		}
		made = append(made, Demanded{line.Name, places})
		if old := lines[base]; enter && old != nil && !sameFiles(old, line) {
			text, err := sealedLine(line)
			if err == nil {
				err = journal.append(text)
			}
			if err != nil {
				return made, errors.Join(all, err)
			}
		}
	}
	return made, all
}

// demandSite makes the files of one site; line is its line in the journal, nil = none.
func (r *Run) demandSite(base string, line *summary.Line) (*summary.Line, error) {
	f := &recordsFile{run: r, base: base, line: line, demanded: true, warn: r.warn}
	done, err := f.read()
	s := f.site
	if s == nil {
		return nil, cmp.Or(err, f.errorf("it holds no site"))
	}
	if err != nil {
		s.fail(err)
		return nil, err
	}
	made, err := f.finish(done)
	if err == nil && s.err != nil {
		err = fmt.Errorf("%s: its files could not be written: %w", f.of.Name, s.err)
	}
	return made, err
}

// placesOf returns the files and folders that were made for a site.
func (r *Run) placesOf(line *summary.Line) (paths []string) {
	for _, name := range r.siteFiles(line.Base)[1:] {
		if line.Sums[name] != "" {
			paths = append(paths, r.path(name))
		}
	}
	return paths
}

// sameFiles reports whether two lines describe the same files of a site.
func sameFiles(a, b *summary.Line) bool {
	return a.Workbook == b.Workbook && a.Page == b.Page && maps.Equal(a.Sums, b.Sums)
}

// basesOf finds the sites with these names among the run's files of records, each once.
func (r *Run) basesOf(sites []string) (bases []string, err error) {
	found := map[string]bool{}
	for _, site := range sites {
		base := r.baseOf(site)
		if base == "" {
			unknown := &UnknownSiteError{Name: site}
			if names, err := sitesIn(r.sourceJournal()); err == nil {
				unknown.Nearest = wording.Nearest(site, names)
			}
			return nil, unknown
		}
		if !found[base] {
			found[base] = true
			bases = append(bases, base)
		}
	}
	return bases, nil
}

// baseOf returns the base of a site's file names; "" = there are no records. A site whose host is
// in the list under both schemes is found under both names.
func (r *Run) baseOf(site string) string {
	names := []string{site}
	if d, why := audit.ParseDomain(site); why == "" {
		names = append(names, d.Name, "https://"+d.Name, "http://"+d.Name)
	}
	for _, name := range names {
		base := fileBase(name)
		if info, err := r.sourceDisk.Lstat(r.recordsPath(base)); err == nil && info.Mode().IsRegular() {
			return base
		}
	}
	return ""
}

// sourcePath is a path in the folder of the run whose records are read.
func (r *Run) sourcePath(parts ...string) string {
	return filepath.Join(append([]string{cmp.Or(r.source, r.Dir)}, parts...)...)
}

// sourceJournal is the journal of that run. Its lines are unpacked into the folder that is written.
func (r *Run) sourceJournal() journalFiles {
	of := journalIn(r.sourceDisk, r.sourcePath())
	of.temp = r.folder.FS
	return of
}

// recordsPath is the file from which a site's records are read.
func (r *Run) recordsPath(base string) string { return r.sourcePath(recordsName(base)) }

// linesOf reads the last journal lines of a few sites, by their bases. It does not decode other
// lines, so that a million of them take only seconds. Damaged lines are skipped. enter = lines will
// be appended.
func (r *Run) linesOf(bases []string, enter bool) (*journal, map[string]*summary.Line, error) {
	flags := os.O_RDONLY
	if enter {
		flags = os.O_RDWR
	}
	lines := map[string]*summary.Line{}
	for _, base := range bases {
		lines[base] = nil
	}
	j, err := scanJournal(r.sourceJournal(), flags, "", func(text []byte) error {
		base := firstValue(text, `"base":"`)
		if _, wanted := lines[string(base)]; !wanted {
			return nil
		}
		line := &summary.Line{}
		if err := decodeLine(text, line); err == nil {
			lines[line.Base] = line
		}
		return nil
	})
	if err == nil && enter && j.torn { // without its end it would spoil the next line
		err = j.file.Truncate(j.size)
	}
	return j, lines, err
}

// firstValues bounds how far into a journal line its first keys can be.
const firstValues = 1024

// firstValue is the text of one of the first keys of a line; nil = the key is missing.
func firstValue(line []byte, key string) []byte {
	_, rest, found := bytes.Cut(line[:min(len(line), firstValues)], []byte(key))
	value, _, whole := bytes.Cut(rest, []byte{'"'})
	if !found || !whole {
		return nil
	}
	return value
}

// sitesIn returns the names of the sites in a journal.
func sitesIn(journal journalFiles) (names []string, err error) {
	j, err := scanJournal(journal, os.O_RDONLY, "", func(text []byte) error {
		names = append(names, string(firstValue(text, `"name":"`)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return names, j.close()
}
