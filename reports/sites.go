package reports

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"robots-audit/audit"
	"robots-audit/reports/internal/disk"
)

// Sites makes the reports of single sites for a run whose folder is put together elsewhere. It has
// no run.json, journal or summaries, and its own folder is only a work area. The files of a site
// are returned as SiteFiles; Run.Enter takes its line. Any goroutine may use it.
type Sites struct {
	run    *Run   // the run of the sites; it has a lock, but no journal
	own    string // folder within hidden, removed at the end
	mu     sync.Mutex
	inWork map[string]bool // bases of files that exist or may exist
}

// ErrInWork says that the files of a site are already in the folder.
var ErrInWork = errors.New("the site is in work here already")

// errSingleFile is the error for a run in a single file whose sites are elsewhere.
var errSingleFile = errors.New("index.html of a run in a single file holds the pages of its sites, which lie elsewhere")

// scratch is the folder, within hidden, of site files to be handed out. Only this package uses its
// name, since its content is removed.
const scratch = "sites"

// OpenSites prepares for the reports of sites. The error is ErrLocked if another process uses the
// folder o.Dir, which is created if it is missing. Files that a killed process left there are
// removed. The options are those of the run, including its start, which files contain. Resume is
// not used. SingleFile is an error, as index.html would need the pages of all sites. Past and Watch
// are called as in a Run; Kept says that the files are handed out.
//
// If into is not "", files need not be handed out: they get their final names in that folder of the
// run when the report of a site is finished. It must be on the same disk as o.Dir, and stays.
func OpenSites(o Options, into string) (*Sites, error) {
	if o.SingleFile {
		return nil, fmt.Errorf("%s: %w", o.Dir, errSingleFile)
	}
	if o.disk == nil {
		o.disk = disk.OS{} // files get their names in another folder, and both are on this machine
	}
	r, err := newRun(o, false)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Dir, err)
	}
	s := &Sites{run: r, own: filepath.Join(o.Dir, hidden, scratch), inWork: map[string]bool{}}
	r.folder.Dir = cmp.Or(into, s.own)
	r.folder.Temp = filepath.Join(s.own, "tmp")
	if err := r.takeLock(); err != nil {
		return nil, fmt.Errorf("%s: %w", o.Dir, err)
	}
	err = errors.Join(os.RemoveAll(s.own), r.makeFolders(), r.makeShared())
	if err == nil && into != "" && r.ofSites() { // otherwise the process that puts the run together has them
		err = r.makeAssets()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Dir, errors.Join(err, r.lock.Unlock()))
	}
	return s, nil
}

// Close removes all files of sites that were to be handed out, and unlocks the folder. No site may be in progress.
func (s *Sites) Close() error {
	if err := errors.Join(os.RemoveAll(s.own), s.run.lock.Unlock()); err != nil {
		return fmt.Errorf("%s: %w", s.run.Dir, err)
	}
	return nil
}

// Begin begins the report of a site with its first record. The error is ErrInWork if the site was
// begun before, and was not discarded, and its files were not removed.
func (s *Sites) Begin(of *audit.Site) (*SiteReport, error) {
	site := newSiteRun(s.run, of)
	if !s.take(site.base) {
		return nil, fmt.Errorf("%s: %s: %w", s.run.Dir, of.Name, ErrInWork)
	}
	site.addRecord(audit.Record{Domain: of.Name, Site: of})
	return &SiteReport{sites: s, site: site}, nil
}

// take reserves the names of a site's files; false = they are already reserved.
func (s *Sites) take(base string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inWork[base] {
		return false
	}
	s.inWork[base] = true
	return true
}

// remove removes the files of a site that have final names.
func (s *Sites) remove(base string) error {
	var err error
	for _, name := range s.run.siteFiles(base) {
		err = errors.Join(err, s.run.folder.FS.Remove(s.run.path(name)))
	}
	s.give(base)
	return err
}

// give releases a site's names, so that they can be taken again.
func (s *Sites) give(base string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.inWork, base)
}
