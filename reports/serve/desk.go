package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Options are the settings of a dashboard. Runs or History must be set.
type Options struct {
	Runs      []string // folders of runs
	History   string   // folder of a history; "" = there is none
	Version   string   // version of the program
	Hosts     []string // host names of the dashboard, in addition to IP addresses and localhost
	Token     string   // token that visitors need; "" = none, and requests through a proxy are refused
	BasePath  string   // path of the dashboard on its server, as CleanBasePath returns it; "" = the root
	Proposals string   // folder for files that users save in the editor; "" = a folder of History, or saving is off
	Memory    int64    // bytes for the sites in the editor and for the search of edits; 0 = 512 MB
	ReadOnly  bool     // write nothing into the folders: no index of a run, no proposals, no answers to alerts
	Now       func() time.Time

	// Acknowledge saves an answer to alerts, to all of them or to none. It returns a sentence for the user.
	// The error is a *Refusal if the answer is not possible. nil = the dashboard shows alerts only.
	Acknowledge func(context.Context, Answer) (said string, err error)
}

// Answer is an answer to alerts: pause them until the end of a day, accept the site as it is, or only say who
// works on them.
type Answer struct {
	Alerts []string // their IDs
	Accept bool
	Until  string // a day
	Note   string
	Assign bool   // only set Owner
	Owner  string // "" = as before, with Assign nobody
}

// Refusal is a reason, in words for the user, why a request is not carried out.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return r.Why }

// Desk serves runs and a history. It is safe for concurrent use.
type Desk struct {
	o         Options
	guard     *guard
	mux       *http.ServeMux
	runs      *registry
	past      *past
	held      *holder
	made      *maker
	judges    judges
	shared    sharedFiles
	indexes   *indexes
	compared  comparisons
	work      gate // limits work that keeps a core busy: comparisons, the search of edits
	searching gate // one search at a time, since it keeps all cores busy
	assets    map[string]asset
	places    *strings.Replacer // replaces paths of folders by their names in answers

	streams gate // progress streams of running runs

	closing context.Context // ends with the dashboard
	end     context.CancelFunc
	jobs    sync.WaitGroup // work that continues after its request
}

// Limits of concurrent work.
const (
	defaultMemory = 512 << 20
	workers       = 2
	workWaiting   = 64
)

// New returns a dashboard for runs and a history. Later problems with
// a run are shown to the user who opens it.
func New(o Options) (*Desk, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	if o.ReadOnly {
		o.Proposals, o.Acknowledge = "", nil
	} else if o.Proposals == "" && o.History != "" {
		o.Proposals = filepath.Join(o.History, "proposals")
	}
	if len(o.Runs) == 0 && o.History == "" {
		return nil, errors.New("serve: no run and no history. Name the folder of one")
	}
	temp, err := os.MkdirTemp("", fmt.Sprintf("robots-audit-serve-*-%d", os.Getpid()))
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	d := &Desk{o: o, guard: newGuard(o.Hosts, o.Token, o.BasePath), work: newGate(workers, workWaiting), searching: newGate(1, workWaiting), streams: newGate(maxStreams, 0)}
	d.closing, d.end = context.WithCancel(context.Background())
	d.past = &past{dir: o.History, base: o.BasePath}
	d.runs = &registry{o: o, past: d.past, byID: map[string]*run{}}
	d.held = newHolder(o.Memory)
	d.made = newMaker(temp, d.work, d.closing)
	d.compared = comparisons{patient: comparePatience, long: compareLong, by: map[string]*comparing{}}
	d.indexes = newIndexes(temp, d.closing, &d.jobs)
	d.indexes.readOnly = o.ReadOnly
	d.assets = newAssets()
	d.places = newPlaces(slices.Concat(o.Runs, []string{o.Proposals, o.History, temp}))
	d.mux = d.newMux()
	return d, nil
}

// newPlaces replaces the paths of folders by their names. Visitors must not see the paths.
func newPlaces(dirs []string) *strings.Replacer {
	var pairs []string
	for _, dir := range dirs {
		full, err := filepath.Abs(dir)
		if dir == "" || err != nil {
			continue
		}
		for _, path := range []string{full, filepath.Clean(dir)} {
			if !strings.ContainsRune(path, filepath.Separator) {
				continue // a plain name does not show where the folder is
			}
			for _, end := range []string{string(filepath.Separator), ":", " "} { // not a longer name that begins with it
				pairs = append(pairs, path+end, filepath.Base(full)+end)
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// Close stops all work and removes the files that the dashboard made for itself.
func (d *Desk) Close() error {
	d.end()
	d.jobs.Wait()
	return errors.Join(d.past.close(), os.RemoveAll(d.made.dir))
}

// ServeHTTP answers a request.
func (d *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.guard.serve(d.mux, w, r) }
