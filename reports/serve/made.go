package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"robots-audit/reports"
)

// maker makes the pages of runs that the desk shows. Those that lie in a run's folder are never
// shown: whoever made the run could have put anything into them. What is made is kept until the
// desk is closed, or others have been asked for since.
type maker struct {
	dir string

	making sync.Mutex // one page is made at a time
	mu     sync.Mutex
	runs   map[string]*madeRun // by the key of the run
	sites  []madeSite          // the last that was asked for is the last
}

// madeRun is a folder that has pages of a run.
type madeRun struct {
	dir    string
	states map[string]string // of what each page was made from, by the base of the site; "" = the page of the run
}

// madeSite is a page that was made.
type madeSite struct{ key, base string }

// maxMade bounds the sites whose pages are kept.
const maxMade = 1000

// run makes the page of a run, and returns the folder that holds it.
func (m *maker) run(r *run) (string, error) {
	return m.page(r, "", "", stateOf(filepath.Join(r.dir, "run.json"), filepath.Join(r.dir, ".robots-audit")))
}

// site makes the page of a site of a run, and returns the folder that holds it.
func (m *maker) site(r *run, s reports.StoredSite) (string, error) {
	if s.Damage != nil {
		return "", s.Damage
	}
	return m.page(r, s.Base, s.Name, s.State())
}

// page makes a page unless it was made from the very same.
func (m *maker) page(r *run, base, name, state string) (string, error) {
	if dir := m.known(r.Key, base, state); dir != "" {
		return dir, nil
	}
	m.making.Lock()
	defer m.making.Unlock()
	if dir := m.known(r.Key, base, state); dir != "" { // somebody else has had it made
		return dir, nil
	}
	made, err := m.of(r.Key)
	if err != nil {
		return "", err
	}
	if err := (reports.Options{Dir: r.dir}).MakePage(name, made.dir); err != nil {
		return "", fmt.Errorf("the page could not be made: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	made.states[base] = state
	m.note(madeSite{r.Key, base})
	return made.dir, nil
}

// known is the folder that has a page which was made from that state; "" = none has.
func (m *maker) known(key, base, state string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	made := m.runs[key]
	if made == nil || state == "" || made.states[base] != state {
		return ""
	}
	m.note(madeSite{key, base})
	return made.dir
}

// of is the folder for pages of a run.
func (m *maker) of(key string) (*madeRun, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if made := m.runs[key]; made != nil {
		return made, nil
	}
	dir, err := os.MkdirTemp(m.dir, "made-")
	if err != nil {
		return nil, err
	}
	if m.runs == nil {
		m.runs = map[string]*madeRun{}
	}
	m.runs[key] = &madeRun{dir, map[string]string{}}
	return m.runs[key], nil
}

// note says that a page was asked for, and removes the one that nobody has asked for the longest
// where there are too many. m.mu is held.
func (m *maker) note(page madeSite) {
	if page.base == "" {
		return
	}
	if at := slices.Index(m.sites, page); at >= 0 {
		m.sites = slices.Delete(m.sites, at, at+1)
	}
	if m.sites = append(m.sites, page); len(m.sites) <= maxMade {
		return
	}
	oldest := m.sites[0]
	m.sites = slices.Delete(m.sites, 0, 1)
	made := m.runs[oldest.key]
	delete(made.states, oldest.base)
	for _, end := range []string{".html", ".rows"} {
		os.RemoveAll(filepath.Join(made.dir, "pages", oldest.base+end)) // best effort: the desk removes all of it when it is closed
	}
}
