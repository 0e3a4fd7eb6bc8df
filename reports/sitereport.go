package reports

import (
	"errors"
	"fmt"
	"os"
	"path"

	"robots-audit/audit"
)

// SiteReport is the report of one site while its records come in. One goroutine uses it.
// It ends with Finish or Discard.
type SiteReport struct {
	sites *Sites
	site  *siteRun
	done  *audit.Done // the last of its records; nil = more are to come
	ended bool
}

// SiteFile is a file of a site, or one of a folder that it has.
type SiteFile struct {
	Name string // in the run's folder, with slashes: "records/example.com.jsonl.zst"
	Path string // on this machine
}

// SiteFiles are what a site comes to.
type SiteFiles struct {
	Line  []byte     // of the run's journal, for Run.Enter: sealed, with its line feed
	Files []SiteFile // in the order in which they are to appear: the workbook is there when all others are
	sites *Sites
	base  string
	dirs  []string // that hold some of Files
}

// errGivenUp is that of a report that is discarded.
var errGivenUp = errors.New("given up")

// Add takes the next record of the site; the last one has its Done. An error is one of
// this machine, such as a full disk, or of records in an order that cannot be: the report
// is lost, and to be discarded.
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

// trouble is the first error of writing, with what it is of.
func (r *SiteReport) trouble() error {
	if r.site.err == nil {
		return nil
	}
	return fmt.Errorf("%s: the report of %s could not be written: %w", r.sites.run.Dir, r.site.site.Name, r.site.err)
}

// Finish completes the files of the site. With an error, as Add has it, nothing is left of
// them: no line says that a site is unknown because a disk was full.
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
			continue // it is in its place, or not there
		}
		if err := files.add(run, name); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Discard gives the report up, and removes what is on disk of it. It does nothing once the
// report has ended: it may be deferred.
func (r *SiteReport) Discard() error {
	if r.ended {
		return nil
	}
	r.ended = true
	r.site.fail(errGivenUp)
	return r.sites.remove(r.site.base)
}

// Remove removes the files, once copies are where they belong.
func (f *SiteFiles) Remove() error { return f.sites.remove(f.base) }

// Moved is Remove for files that are where they belong and were not copied: nothing is left but folders.
func (f *SiteFiles) Moved() error {
	defer f.sites.give(f.base)
	var err error
	for _, dir := range f.dirs {
		err = errors.Join(err, os.Remove(dir)) // it is ours, and empty
	}
	return err
}

// Placed says that the files may stay where they are: in the folder that OpenSites was told. They are not in Files then.
func (f *SiteFiles) Placed() { f.sites.give(f.base) }

// placed are the files and folders of a site in the order in which they get their final
// names, see siteRun.commit.
func (r *Run) placed(base string) []string {
	names := r.siteFiles(base)
	last := len(names) - 1
	placed := []string{names[last], names[0]} // evidence, records
	for i := last - 1; i > 0; i-- {
		placed = append(placed, names[i])
	}
	return placed
}

// add adds a file of the run's folder, or those that a folder in it holds.
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
