package serve

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"robots-audit/reports"
)

// maker makes the pages of runs that the dashboard shows. It never shows the pages in a run's folder:
// whoever made the run could have put anything into them. Pages are kept until the dashboard closes or
// newer pages replace them.
type maker struct {
	dir     string
	making  gate // one page is made at a time, so that a slow one leaves room for other work
	work    gate // of the dashboard
	closing context.Context

	mu    sync.Mutex
	pages []madePage // least recently used first
}

func newMaker(dir string, work gate, closing context.Context) *maker {
	return &maker{dir: dir, making: newGate(1, workWaiting), work: work, closing: closing}
}

// madePage is a page made from one state of its run or site.
type madePage struct {
	run   string // run key
	kind  madeKind
	base  string // name of the site's files; "" = the page of the run
	state string // "" = unknown: the page is made each time
}

// madeKind says what a page is about. Pages of logs have a folder of their own.
type madeKind uint8

const (
	report madeKind = iota
	runLogs
	siteLogs
)

// maxMade limits the pages that are kept.
const maxMade = 1000

// run makes the page of a run, and returns its folder.
func (m *maker) run(r *run) (string, error) {
	return m.page(madePage{r.Key, report, "", stateOfRun(r)}, func(dir string) error { return (reports.Options{Dir: r.dir}).MakePage("", dir) })
}

// stateOfRun changes when sites of a run are finished.
func stateOfRun(r *run) string {
	return stateOf(filepath.Join(r.dir, "run.json"), filepath.Join(r.dir, ".robots-audit"))
}

// site makes the page of a site of a run, and returns its folder.
func (m *maker) site(r *run, s reports.StoredSite) (string, error) {
	if s.Damage != nil {
		return "", s.Damage
	}
	return m.page(madePage{r.Key, report, s.Base, s.State()}, func(dir string) error {
		return (reports.Options{Dir: r.dir, Editor: "../../sites/" + url.PathEscape(s.Base) + "/edit"}).MakePage(s.Name, dir)
	})
}

// page makes a page unless it was made from the same state, and returns its folder.
func (m *maker) page(p madePage, make func(dir string) error) (string, error) {
	dir := m.dirOf(p)
	if m.known(p) {
		return dir, nil
	}
	for _, g := range []gate{m.making, m.work} {
		leave, err := g.enter(m.closing) // not the request's: whoever asks again finds the page
		if err != nil {
			return "", err
		}
		defer leave()
	}
	if m.known(p) { // another request has made it meanwhile
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := make(dir); err != nil {
		return "", fmt.Errorf("the page could not be made: %w", err)
	}
	m.enter(p)
	return dir, nil
}

// folder is the folder for the pages of a run. A history may give a run any key, of any length.
func (m *maker) folder(key string) string {
	return filepath.Join(m.dir, fmt.Sprintf("made-%x", hashed(key)))
}

// dirOf is the folder of a page.
func (m *maker) dirOf(p madePage) string {
	switch p.kind {
	case runLogs:
		return filepath.Join(m.folder(p.run), "logs")
	case siteLogs:
		return filepath.Join(m.folder(p.run), fmt.Sprintf("logs-%x", hashed(p.base)))
	}
	return m.folder(p.run)
}

// known reports whether a page exists, and marks it as most recently used.
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

// enter adds a page in place of its earlier states, and removes the least recently used one if there are
// too many.
func (m *maker) enter(p madePage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pages = slices.DeleteFunc(m.pages, func(o madePage) bool { return o.run == p.run && o.kind == p.kind && o.base == p.base })
	if m.pages = append(m.pages, p); len(m.pages) <= maxMade {
		return
	}
	oldest := m.pages[0]
	m.pages = slices.Delete(m.pages, 0, 1)
	switch {
	case oldest.kind == siteLogs:
		os.RemoveAll(m.dirOf(oldest)) // best effort, like below
		return
	case oldest.base == "":
		return // it was made again in its place
	}
	for _, end := range []string{".html", ".rows"} {
		os.RemoveAll(filepath.Join(m.folder(oldest.run), "pages", oldest.base+end)) // best effort: the dashboard removes everything when it closes
	}
}
