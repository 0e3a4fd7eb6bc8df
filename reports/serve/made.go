package serve

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"robots-audit/reports"
)

// maker makes pages that a run has left out, for as long as the desk is open.
type maker struct {
	dir string

	mu      sync.Mutex
	folders map[string]*folder // by the key of the run
	sites   map[string]bool    // made, by key and base
}

// maxMade bounds the sites whose pages are made.
const maxMade = 1000

// site makes the files of a site of a run, and returns the folder that holds them.
func (m *maker) site(r *run, s reports.StoredSite) (*folder, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.folders == nil {
		m.folders, m.sites = map[string]*folder{}, map[string]bool{}
	}
	out := filepath.Join(m.dir, "made-"+r.Key)
	key := r.Key + "\x00" + s.Base
	if !m.sites[key] {
		if len(m.sites) >= maxMade {
			return nil, errors.New("the desk has made pages of many sites that the run left out, and makes no more: robots-audit report makes them, in the run's folder")
		}
		if _, err := (reports.Options{Dir: r.dir}).Demand([]string{s.Name}, out); err != nil {
			return nil, fmt.Errorf("the page of %s could not be made: %w", s.Name, err)
		}
		m.sites[key] = true
	}
	if m.folders[r.Key] == nil {
		f, err := openFolder(out)
		if err != nil {
			return nil, err
		}
		m.folders[r.Key] = f
	}
	return m.folders[r.Key], nil
}

// folder holds what was made of a run; nil = nothing was.
func (m *maker) folder(key string) *folder {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.folders[key]
}

// close lets go of the folders, and removes them.
func (m *maker) close() (err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.folders {
		err = errors.Join(err, f.close())
	}
	return errors.Join(err, os.RemoveAll(m.dir))
}
