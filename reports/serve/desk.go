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

// Options are the settings of a desk. Runs or History must be set.
type Options struct {
	Runs      []string // folders of runs
	History   string   // folder of a history; "" = there is none
	Version   string   // of the program
	Hosts     []string // names by which the desk may be asked, beside IP addresses and localhost
	Token     string   // that whoever asks has to have; "" = none is asked for, and nothing that a proxy passes on is answered
	BasePath  string   // path below which the desk is, as CleanBasePath returns it; "" = it has the server for itself
	Proposals string   // folder for what is saved in the editor; "" = below History, or nothing is saved
	Memory    int64    // bytes of the sites that are held for the editor, and of the changes that are looked for; 0 = 512 MB
	Now       func() time.Time

	// Acknowledge enters what somebody answers to an alert: that they want to be told nothing more of
	// it until the end of a day, or, where accept is set, that it is as it should be. It returns what is to
	// be said of it; a *Refusal is an answer that cannot be entered. nil = alerts can only be read.
	Acknowledge func(ctx context.Context, id, until, note string, accept bool) (said string, err error)
}

// Refusal says why something that was asked for is not done, in words for who asked.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return r.Why }

// Desk serves runs and a history. It is safe for concurrent use.
type Desk struct {
	o       Options
	guard   *guard
	mux     *http.ServeMux
	runs    *registry
	past    *past
	held    *holder
	made    *maker
	judges  judges
	indexes *indexes
	work    gate // what takes a core for a while: comparisons, changes that are looked for
	assets  map[string]asset
	places  *strings.Replacer // what answers say in place of the paths of folders: their names

	streams chan struct{} // of runs that go on

	closing context.Context // ends with the desk
	end     context.CancelFunc
	jobs    sync.WaitGroup // what goes on after its request
}

// Bounds of what goes on at once.
const (
	defaultMemory = 512 << 20
	workers       = 2
	workWaiting   = 64
)

// New returns a desk for runs and a history. It looks for them, so that what is none is told
// at once; what is wrong with one of them later is told to whoever asks for it.
func New(o Options) (*Desk, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	if o.Proposals == "" && o.History != "" {
		o.Proposals = filepath.Join(o.History, "proposals")
	}
	if len(o.Runs) == 0 && o.History == "" {
		return nil, errors.New("serve: no run and no history. Name the folder of one")
	}
	guard, err := newGuard(o.Hosts, o.Token, o.BasePath)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", fmt.Sprintf("robots-audit-serve-*-%d", os.Getpid()))
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	d := &Desk{o: o, guard: guard, work: newGate(workers, workWaiting), streams: make(chan struct{}, maxStreams)}
	d.closing, d.end = context.WithCancel(context.Background())
	d.past = &past{dir: o.History, base: o.BasePath}
	d.runs = &registry{o: o, past: d.past, byID: map[string]*run{}}
	d.held = newHolder(o.Memory)
	d.made = &maker{dir: temp}
	d.indexes = newIndexes(temp, d.closing, &d.jobs)
	d.assets = newAssets()
	d.places = newPlaces(slices.Concat(o.Runs, []string{o.Proposals, o.History, temp}))
	d.mux = d.newMux()
	return d, nil
}

// newPlaces puts the names of folders in place of their paths, which are nobody's business.
func newPlaces(dirs []string) *strings.Replacer {
	var pairs []string
	for _, dir := range dirs {
		full, err := filepath.Abs(dir)
		if dir == "" || err != nil {
			continue
		}
		for _, path := range []string{full, filepath.Clean(dir)} {
			if !strings.ContainsRune(path, filepath.Separator) {
				continue // a name says nothing of where it lies
			}
			for _, end := range []string{string(filepath.Separator), ":"} { // no name that only begins so
				pairs = append(pairs, path+end, filepath.Base(full)+end)
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// Close ends what goes on, and removes what the desk has made for itself.
func (d *Desk) Close() error {
	d.end()
	d.jobs.Wait()
	return errors.Join(d.past.close(), os.RemoveAll(d.made.dir))
}

// ServeHTTP answers a request.
func (d *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.guard.serve(d.mux, w, r) }
