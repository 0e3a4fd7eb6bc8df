package serve

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMaker removes the least recently used page.
func TestMaker(t *testing.T) {
	m := &maker{dir: t.TempDir()}
	pages := filepath.Join(m.folder("monday"), "pages")
	noError(t, os.MkdirAll(pages, 0o700))
	page := func(n int) madePage { return madePage{"monday", report, fmt.Sprint(n), "state"} }
	for n := range maxMade {
		noError(t, os.WriteFile(filepath.Join(pages, fmt.Sprintf("%d.html", n)), nil, 0o600))
		m.enter(page(n))
	}
	if !m.known(page(0)) || m.known(madePage{"monday", report, "0", "another"}) {
		t.Error("a page is not known, or by another state")
	}
	m.enter(page(maxMade))
	left, err := filepath.Glob(filepath.Join(pages, "*"))
	if err != nil || len(left) != maxMade-1 || !m.known(page(0)) || m.known(page(1)) {
		t.Errorf("%d pages are left of %d, page 0 is known: %v, page 1: %v; %v", len(left), maxMade, m.known(page(0)), m.known(page(1)), err)
	}
	ofLogs := madePage{"monday", siteLogs, "0", "state"}
	noError(t, os.MkdirAll(m.dirOf(ofLogs), 0o700))
	m.enter(ofLogs)
	if !m.known(page(0)) { // they are of one site
		t.Error("logs replace a page")
	}
	for n := range maxMade {
		m.enter(page(maxMade + n))
	}
	if left, err := filepath.Glob(filepath.Join(m.folder("monday"), "*")); err != nil || len(left) != 1 {
		t.Errorf("%q, want only pages; %v", left, err)
	}
}

// TestOwnFolders checks that files made for a run are in the folder of the dashboard, whatever its key in a history.
func TestOwnFolders(t *testing.T) {
	const dir = "desk"
	for _, key := range []string{"monday", "../../up", "a/../../../up", "/etc", strings.Repeat("ä", 200)} {
		index := filepath.Dir((&indexes{dir: dir}).ownPath(&run{Key: key}))
		for _, folder := range []string{index, (&maker{dir: dir}).folder(key)} {
			if filepath.Dir(folder) != dir || len(filepath.Base(folder)) > maxName {
				t.Errorf("%s: %s", key, folder)
			}
		}
	}
}

// A page that takes long leaves a place for other work, and pages that are there need none.
func TestMakerLeavesPlaces(t *testing.T) {
	work := newGate(2, 1)
	m := newMaker(t.TempDir(), work, t.Context())
	there := madePage{"monday", report, "0", "state"}
	m.enter(there)
	begun, end := make(chan bool), make(chan bool)
	for n := range 2 {
		go m.page(madePage{"monday", report, fmt.Sprint(n + 1), "state"}, func(string) error {
			begun <- true
			<-end
			return nil
		})
	}
	<-begun
	for len(m.making.waiting) < 2 {
		time.Sleep(time.Millisecond)
	}
	soon, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	leave, err := work.enter(soon)
	if err != nil || len(work.at) != 2 {
		t.Fatalf("two pages take both places: %v", err)
	}
	if _, err := m.page(there, nil); err != nil {
		t.Error(err)
	}
	leave()
	end <- true
	<-begun
	end <- true
}
