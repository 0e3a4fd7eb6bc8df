package serve

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
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

// registry knows the runs that can be shown.
type registry struct {
	o    Options
	past *past

	mu   sync.Mutex
	byID map[string]*run // by Key
}

// maxRuns limits the list of runs to the newest.
const maxRuns = 1000

// listed is a run in the list of runs.
type listed struct {
	Run      string              `json:"run"`
	Link     string              `json:"link"`
	Schedule string              `json:"schedule,omitempty"`
	Started  time.Time           `json:"started"`
	Finished time.Time           `json:"finished,omitzero"` // left out = it is running, or was interrupted
	Version  string              `json:"version,omitempty"`
	Sites    *int64              `json:"sites,omitempty"` // left out = unknown, as for a running run
	Known    *int64              `json:"known_urls,omitempty"`
	Blocked  *int64              `json:"blocked_urls,omitempty"`
	Critical *int64              `json:"critical_sites,omitempty"` // likewise
	Warn     *int64              `json:"warn_sites,omitempty"`
	Unknown  *int64              `json:"unknown_sites,omitempty"`
	OK       *int64              `json:"ok_sites,omitempty"`
	Before   string              `json:"run_before,omitempty"`          // the run before of the same schedule; left out = there is none
	Newly    *int64              `json:"newly_blocked_sites,omitempty"` // sites with newly blocked URLs since then; left out = unknown
	Freed    *int64              `json:"newly_allowed_sites,omitempty"` // likewise
	Alerts   *int64              `json:"open_alerts,omitempty"`         // open alerts that the run raised; left out = there is no history
	Gone     bool                `json:"gone,omitempty"`                // the history has it, but its folder was removed
	Trouble  string              `json:"error,omitempty"`               // why it could not be read
	Changes  *compare.Severities `json:"changes,omitempty"`             // changes since the run before, on all sites; left out = unknown
	Compared string              `json:"compared,omitempty"`
	Progress *reports.Progress   `json:"progress,omitempty"` // progress of a running run
	Partial  bool                `json:"partial,omitempty"`  // it audited only the sites of its schedule whose robots.txt had changed

	dir    string
	before *listed // Before; nil = none
}

// Share is the share of blocked URLs; "" = unknown.
func (l *listed) Share() string {
	if l.Known == nil || *l.Known == 0 {
		return ""
	}
	return strings.ReplaceAll(wording.Percent(*l.Blocked, *l.Known), " %", "\u00a0%") // no line begins with the sign
}

// Moved is the difference of the blocked share to the run before, in percentage points: "+1.2"; "" = unknown, "0" = less
// than 0.05.
func (l *listed) Moved() string {
	if l.before == nil || l.Share() == "" || l.before.Share() == "" {
		return ""
	}
	percent := func(l *listed) float64 { return 100 * float64(*l.Blocked) / float64(*l.Known) }
	text := fmt.Sprintf("%+.1f", percent(l)-percent(l.before))
	if text == "+0.0" || text == "-0.0" {
		return "0"
	}
	return strings.Replace(text, "-", "\u2212", 1)
}

// done reports whether the run has finished, with figures.
func (l *listed) done() bool { return !l.Finished.IsZero() && l.Sites != nil && l.Trouble == "" }

// changeWords are the important changes: "changes: 2 critical, 1 warning".
func changeWords(all *compare.Severities) string {
	counts := *all
	counts.Info = 0
	if counts.Changes() == 0 {
		return ""
	}
	return "changes: " + counts.Words()
}

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
	for _, l := range list {
		if l.Run != key {
			continue
		}
		if l.Gone {
			return nil, removed(key)
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.byID[key] == nil { // otherwise another request was faster
			g.byID[key] = &run{Key: key, dir: l.dir, reader: g.o.Version}
		}
		return g.byID[key], nil
	}
	if g.past.has(key) {
		return nil, removed(key)
	}
	return nil, notFound("there is no run " + short(key))
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

// read reads the description of a run from its folder.
func (l *listed) read() {
	o, err := reports.ReadOverview(l.dir)
	if err != nil {
		l.Trouble = err.Error()
		if errors.Is(err, reports.ErrNoRun) {
			l.Trouble = "there is no run in this folder"
		}
		return
	}
	l.Started, l.Finished, l.Version = o.Started, o.Finished, o.Version
	if o.Totals != nil {
		sites := int64(o.Totals.Sites)
		l.Sites, l.Known, l.Blocked = &sites, &o.Totals.URLs, &o.Totals.Blocked
		critical, warn, unknown := int64(o.Totals.Critical), int64(o.Totals.Warn), int64(o.Totals.Unknown)
		ok := int64(o.Totals.OK)
		l.Critical, l.Warn, l.Unknown, l.OK = &critical, &warn, &unknown, &ok
	}
	if l.Finished.IsZero() {
		l.Progress = readProgress(l.dir)
	}
}
