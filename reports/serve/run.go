package serve

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"robots-audit/reports"
)

// run is a run's folder.
type run struct {
	Key    string // its name in the dashboard's URLs
	dir    string
	reader string // version of this program

	mu     sync.Mutex // guards the fields below
	stored *reports.StoredRun
	sites  []reports.StoredSite // sites of stored, most severe first
	logged []reports.StoredSite // of sites, those with access logs
	state  string               // state of the files from which it was read
}

// open reads the run, again only if its files have changed.
func (r *run) open() (*reports.StoredRun, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	state := stateOf(filepath.Join(r.dir, "run.json"), filepath.Join(r.dir, ".robots-audit"), filepath.Join(r.dir, "records"))
	if r.stored != nil && r.state == state {
		return r.stored, nil
	}
	stored, err := reports.OpenUnchecked(r.dir, r.reader)
	switch {
	case errors.Is(err, reports.ErrNoRun), errors.Is(err, os.ErrNotExist):
		r.stored = nil
		return nil, &failure{410, fmt.Sprintf("the run %s is gone. Its folder was moved or removed while the dashboard was open", r.Key)}
	case errors.Is(err, reports.ErrNoRecords) && stored != nil:
	case err != nil:
		r.stored = nil
		return nil, err
	}
	r.stored, r.state = stored, state
	place := reports.SiteOrder(r.dir)
	r.sites = slices.Clone(stored.Sites)
	slices.SortStableFunc(r.sites, func(a, b reports.StoredSite) int { return cmp.Compare(place(a.Name), place(b.Name)) })
	r.logged = slices.DeleteFunc(slices.Clone(r.sites), func(s reports.StoredSite) bool { return !s.Logged })
	return stored, nil
}

// made is the time of reports about the run: when it finished or, until then, when it started.
func (r *run) made() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stored == nil {
		return time.Time{}
	}
	return cmp.Or(r.stored.Finished, r.stored.Started)
}

// ordered are the sites of the run, most severe first.
func (r *run) ordered() []reports.StoredSite {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sites
}

// stateOf changes if files or folders change.
func stateOf(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			fmt.Fprintf(&b, "%d %d;", info.Size(), info.ModTime().UnixNano())
		} else {
			b.WriteString("-;")
		}
	}
	return b.String()
}

// site finds a site of the run by the name of its files, or by its own name.
func (r *run) site(base string) (*reports.StoredRun, reports.StoredSite, error) {
	stored, err := r.open()
	if err != nil {
		return nil, reports.StoredSite{}, err
	}
	at := slices.IndexFunc(stored.Sites, func(s reports.StoredSite) bool { return s.Base == base })
	if at < 0 {
		at = slices.IndexFunc(stored.Sites, func(s reports.StoredSite) bool { return s.Name == base })
	}
	if at < 0 {
		return nil, reports.StoredSite{}, notFound("the run " + r.Key + " has no site " + short(base))
	}
	return stored, stored.Sites[at], nil
}

// short is a text of a request, shortened for an error message.
func short(text string) string {
	if len(text) > 100 {
		text = text[:100] + "…"
	}
	return fmt.Sprintf("%q", text)
}
