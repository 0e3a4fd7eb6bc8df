package serve

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// registry knows the runs that can be shown.
type registry struct {
	o    Options
	past *past

	mu   sync.Mutex
	byID map[string]*run // by Key
}

// maxRuns limits the list of runs to the newest.
const maxRuns = 1000

// find returns a run by its key.
func (g *registry) find(key string) (*run, error) {
	g.mu.Lock()
	r := g.byID[key]
	g.mu.Unlock()
	if r != nil {
		return r, nil
	}
	list, err := g.all()
	if err != nil {
		return nil, err
	}
	l := runsByKey(list)[key]
	switch {
	case l != nil && l.Gone, l == nil && g.past.has(key):
		return nil, removed(key)
	case l == nil:
		return nil, notFound("there is no run " + short(key))
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.byID[key] == nil { // otherwise another request was faster
		g.byID[key] = &run{Key: key, dir: l.dir, reader: g.o.Version}
	}
	return g.byID[key], nil
}

// removed is the answer for a run whose folder retention has removed.
func removed(key string) error {
	return &failure{http.StatusGone, "the folder of the run " + key + " was removed. The history keeps only its figures"}
}

// list returns the newest runs, newest first.
func (g *registry) list() ([]*listed, error) {
	list, err := g.all()
	return list[:min(len(list), maxRuns)], err
}

// all returns all runs with a folder, and the newest of the others, newest first.
func (g *registry) all() ([]*listed, error) {
	var list []*listed
	seen := map[string]bool{}
	add := func(dir string) {
		l := &listed{Run: filepath.Base(dir), dir: dir}
		for n := 2; seen[l.Run]; n++ {
			l.Run = fmt.Sprintf("%s-%d", filepath.Base(dir), n)
		}
		seen[l.Run] = true
		l.read()
		list = append(list, l)
	}
	for _, dir := range g.o.Runs {
		add(dir)
	}
	if g.o.History != "" {
		remembered, err := g.past.runs()
		if err != nil {
			return nil, err
		}
		for _, l := range remembered {
			if !seen[l.Run] {
				seen[l.Run] = true
				list = append(list, l)
			}
		}
		found, err := listIn(g.o.History, "runs") // runs that are not in the history, such as a running one
		if err != nil && !errors.Is(err, errNoFile) {
			return nil, err
		}
		for _, entry := range found {
			if name := entry.Name(); entry.IsDir() && !strings.HasPrefix(name, ".") && !seen[name] {
				add(filepath.Join(g.o.History, "runs", name))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *listed) int { return b.Started.Compare(a.Started) })
	for _, l := range list {
		l.Link = g.o.runLink(l.Run)
	}
	return list, nil
}
