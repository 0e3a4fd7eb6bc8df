package reports

import (
	"errors"
	"fmt"
	"os"
	"path"

	"robots-audit/audit"
)

// SiteReport is the report of one site while its records arrive. Only one goroutine uses it. It
// ends with Finish or Discard.
type SiteReport struct {
	sites *Sites
	site  *siteRun
	done  *audit.Done // the last of its records; nil = more will come
	ended bool
}

// SiteFile is one file of a site, also within a folder.
type SiteFile struct {
	Name string // in the run's folder, with slashes: "records/example.com.jsonl.zst"
	Path string // on this machine
}

// SiteFiles are the files and the journal line of a finished site.
type SiteFiles struct {
	Line  []byte     // for Run.Enter: a sealed line of the run's journal, with its line feed
	Files []SiteFile // in the order in which they must appear: the workbook last
	sites *Sites
	base  string
	dirs  []string // that contain some of Files
}

// errGivenUp is the error of a report that is discarded.
var errGivenUp = errors.New("given up")

// Add adds the next record of the site; the last one has its Done. An error comes from this
// machine, such as a full disk, or from an impossible order of records: the report is lost, and
// must be discarded.
func (r *SiteReport) Add(rec audit.Record) error {
	switch name := r.site.site.Name; {
	case r.done != nil || rec.Site != nil || rec.Domain != name:
		return fmt.Errorf("%s: a record of %.200q that is none of the site %s", r.sites.run.Dir, rec.Domain, name)
	case rec.Done != nil:
		r.done = rec.Done
	}
	r.site.addRecord(rec)
	return r.trouble()
}

// trouble is the first write error, with the name of the site.
func (r *SiteReport) trouble() error {
	if r.site.err == nil {
		return nil
	}
	return fmt.Errorf("%s: the report of %s could not be written: %w", r.sites.run.Dir, r.site.site.Name, r.site.err)
}

// Finish completes the files of the site. After an error, as described for Add, none of them
// remains: no line says that a site is unknown because a disk was full.
func (r *SiteReport) Finish() (*SiteFiles, error) {
	files, err := r.finish()
	if err != nil {
		return nil, errors.Join(err, r.Discard())
	}
	r.ended = true
	return files, nil
}

func (r *SiteReport) finish() (*SiteFiles, error) {
	s, run := r.site, r.sites.run
	if r.done == nil || r.ended {
		return nil, fmt.Errorf("%s: the records of %s break off before the site's end", run.Dir, s.site.Name)
	}
	line := s.complete(r.done)
	if err := r.trouble(); err != nil {
		return nil, err
	}
	line.Summary = s.entry(line, r.done)
	s.discard()
	files := &SiteFiles{sites: r.sites, base: s.base}
	var err error
	if files.Line, err = sealedLine(line); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", run.Dir, s.site.Name, err)
	}
	for _, name := range run.placed(s.base) {
		if run.folder.Dir != r.sites.own || line.Sums[name] == "" {
			continue // it already has its final name, or does not exist
		}
		if err := files.add(run, name); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Discard gives the report up, and removes its files from disk. It does nothing once the report has
// ended, so it may be deferred.
func (r *SiteReport) Discard() error {
	if r.ended {
		return nil
	}
	r.ended = true
	r.site.fail(errGivenUp)
	return r.sites.remove(r.site.base)
}

// Remove removes the files, once they have been copied to their place.
func (f *SiteFiles) Remove() error { return f.sites.remove(f.base) }

// Moved is Remove for files that were moved to their place, not copied: only folders remain.
func (f *SiteFiles) Moved() error {
	defer f.sites.give(f.base)
	var err error
	for _, dir := range f.dirs {
		err = errors.Join(err, os.Remove(dir)) // our own folder, and empty
	}
	return err
}

// Placed says that the files may stay in the folder that OpenSites got as into. Files does not list them then.
func (f *SiteFiles) Placed() { f.sites.give(f.base) }

// placed returns the files and folders of a site in the order in which they get their final names,
// see siteRun.commit.
func (r *Run) placed(base string) []string {
	names := r.siteFiles(base)
	last := len(names) - 1
	placed := []string{names[last], names[0]} // evidence, records
	for i := last - 1; i > 0; i-- {
		placed = append(placed, names[i])
	}
	return placed
}

// add adds a file of the run's folder, or the files of a folder in it.
func (f *SiteFiles) add(r *Run, name string) error {
	full := r.path(name)
	info, err := r.folder.FS.Lstat(full)
	if err != nil || !info.IsDir() {
		f.Files = append(f.Files, SiteFile{name, full})
		return err
	}
	f.dirs = append(f.dirs, full)
	entries, err := r.folder.FS.ReadDir(full)
	for _, entry := range entries {
		f.Files = append(f.Files, SiteFile{path.Join(name, entry.Name()), r.path(name, entry.Name())})
	}
	return err
}
