package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"robots-audit/reports"
)

// maker makes the pages of runs that the dashboard shows. Those that lie in a run's folder are never
// shown: whoever made the run could have put anything into them. What is made is kept until the
// desk is closed, or others have been asked for since.
type maker struct {
	dir string

	making sync.Mutex // one page is made at a time
	mu     sync.Mutex
	pages  []madePage // the one asked for last is the last
}

// madePage is a page that was made from a state of its run or site.
type madePage struct {
	run   string // key
	base  string // of the site's files; "" = the page of the run
	state string // "" = not known: the page is made each time
}

// maxMade bounds the pages that are kept.
const maxMade = 1000

// run makes the page of a run, and returns the folder that holds it.
func (m *maker) run(r *run) (string, error) {
	return m.page(r, "", madePage{r.Key, "", stateOf(filepath.Join(r.dir, "run.json"), filepath.Join(r.dir, ".robots-audit"))})
}

// site makes the page of a site of a run, and returns the folder that holds it.
func (m *maker) site(r *run, s reports.StoredSite) (string, error) {
	if s.Damage != nil {
		return "", s.Damage
	}
	return m.page(r, s.Name, madePage{r.Key, s.Base, s.State()})
}

// page makes a page unless it was made from the very same.
func (m *maker) page(r *run, site string, p madePage) (string, error) {
	dir := m.folder(p.run)
	if m.known(p) {
		return dir, nil
	}
	m.making.Lock()
	defer m.making.Unlock()
	if m.known(p) { // somebody else has had it made
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := (reports.Options{Dir: r.dir}).MakePage(site, dir); err != nil {
		return "", fmt.Errorf("the page could not be made: %w", err)
	}
	m.enter(p)
	return dir, nil
}

// folder is where the pages of a run are made. A history may give a run any key, of any length.
func (m *maker) folder(key string) string {
	return filepath.Join(m.dir, fmt.Sprintf("made-%x", hashed(key)))
}

// known reports whether a page was made, which is then the one asked for last.
func (m *maker) known(p madePage) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := slices.Index(m.pages, p)
	if at < 0 || p.state == "" {
		return false
	}
	m.pages = append(slices.Delete(m.pages, at, at+1), p)
	return true
}

// enter enters a page in place of its earlier states, and removes the one that was not asked for the longest
// if there are too many.
func (m *maker) enter(p madePage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pages = slices.DeleteFunc(m.pages, func(o madePage) bool { return o.run == p.run && o.base == p.base })
	if m.pages = append(m.pages, p); len(m.pages) <= maxMade {
		return
	}
	oldest := m.pages[0]
	m.pages = slices.Delete(m.pages, 0, 1)
	if oldest.base == "" {
		return // it is made again in its place
	}
	for _, end := range []string{".html", ".rows"} {
		os.RemoveAll(filepath.Join(m.folder(oldest.run), "pages", oldest.base+end)) // best effort: the dashboard removes all of it when it is closed
	}
}
