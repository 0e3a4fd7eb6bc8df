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

// Sites makes the reports of single sites, for the folder of a run that is put together
// elsewhere: it has neither run.json nor journal nor summaries, and its own folder is but
// a place to work in. What a site comes to is handed out as SiteFiles; Run.Enter takes
// its line. Any goroutine may use it.
type Sites struct {
	run    *Run   // of which the sites are; it has a lock, and no journal
	own    string // folder within hidden, which is removed in the end
	mu     sync.Mutex
	inWork map[string]bool // bases of files that are there, or may be
}

// ErrInWork is that the files of a site lie in the folder already.
var ErrInWork = errors.New("the site is in work here already")

// errSingleFile is that of a run whose sites lie elsewhere.
var errSingleFile = errors.New("index.html of a run in a single file holds the pages of its sites, which lie elsewhere")

// scratch is the folder of the files of sites that are handed out, within hidden. It is
// of a name that nobody else has, since what lies in it is removed.
const scratch = "sites"

// OpenSites prepares for the reports of sites: ErrLocked where another process has the
// folder o.Dir, which is made where it is missing. What a process that was killed has left
// there is removed. The options are those of the run, with the start that it has: files name
// it. Resume is not used, and SingleFile an error, as index.html would need the pages of all
// sites. What Past and Watch see is as of a Run; Kept says that the files are handed out.
//
// Files need not be handed out where into is not "": they get their final names in that folder of
// the run, as the report of a site is finished. It is on the same disk as o.Dir, and stays.
func OpenSites(o Options, into string) (*Sites, error) {
	if o.SingleFile {
		return nil, fmt.Errorf("%s: %w", o.Dir, errSingleFile)
	}
	if o.disk == nil {
		o.disk = disk.OS{} // files get their names in another folder, and both are of this machine's own
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
	if err == nil && into != "" && r.ofSites() { // elsewhere who puts the run together has them
		err = r.makeAssets()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Dir, errors.Join(err, r.lock.Unlock()))
	}
	return s, nil
}

// Close removes all files of sites that were to be handed out, and unlocks the folder. No site is in work any more.
func (s *Sites) Close() error {
	if err := errors.Join(os.RemoveAll(s.own), s.run.lock.Unlock()); err != nil {
		return fmt.Errorf("%s: %w", s.run.Dir, err)
	}
	return nil
}

// Begin begins the report of a site with the record that opens it: ErrInWork where one of
// the site was begun before, and is neither discarded nor are its files removed.
func (s *Sites) Begin(of *audit.Site) (*SiteReport, error) {
	site := newSiteRun(s.run, of)
	if !s.take(site.base) {
		return nil, fmt.Errorf("%s: %s: %w", s.run.Dir, of.Name, ErrInWork)
	}
	site.addRecord(audit.Record{Domain: of.Name, Site: of})
	return &SiteReport{sites: s, site: site}, nil
}

// take takes the names of a site's files; false = they are taken.
func (s *Sites) take(base string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inWork[base] {
		return false
	}
	s.inWork[base] = true
	return true
}

// remove removes what there is of a site, with its final names.
func (s *Sites) remove(base string) error {
	var err error
	for _, name := range s.run.siteFiles(base) {
		err = errors.Join(err, s.run.folder.FS.Remove(s.run.path(name)))
	}
	s.give(base)
	return err
}

// give says that a site's names may be taken again.
func (s *Sites) give(base string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.inWork, base)
}
