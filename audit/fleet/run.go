package fleet

import (
	"context"
	"errors"
	"time"

	"robots-audit/audit"
)

// Run is a run as it is submitted: a message of RUNS, and fleet/<id>/run.json in the bucket.
type Run struct {
	ID        string            `json:"id"`        // see ValidID
	Submitted time.Time         `json:"submitted"` // UTC; the run's start
	Region    string            `json:"region"`    // whose workers do its sites
	Version   string            `json:"version"`   // of the program that submitted it
	Settings  map[string]string `json:"settings"`  // flags of the audit by name, as they are to be set
	Inputs    []string          `json:"inputs"`    // names of files in the bucket that settings refer to, below fleet/<id>/input/
	Sites     int               `json:"sites"`     // valid, distinct entries of the list; Submit counts them
	Joined    bool              `json:"-"`         // Submit found it: it was submitted before, and has not ended
}

// Job is one site of one run: a message of JOBS.
type Job struct {
	Run     string       `json:"run"`
	Ordinal int          `json:"n"`    // 0-based place among the valid, distinct entries of the run's list
	Site    audit.Domain `json:"site"` // without credentials
}

// Result says that a site's result lies in the bucket: a message of RESULTS.
type Result struct {
	Ordinal int    `json:"n"`
	Key     string `json:"key"`   // of the result, for people: a coordinator goes by the list
	State   string `json:"state"` // the site's, for those who watch
	URLs    int64  `json:"urls"`
	Blocked int64  `json:"blocked"`
	Worker  string `json:"worker"`
	Millis  int64  `json:"ms"`   // of work
	Tries   int    `json:"try"`  // 1-based number of the try that made it
	Why     string `json:"-"`    // as Finding has it, for the worker's own Watcher
	Failed  string `json:"fail"` // why there is nothing but a failed site; "" = it was audited
}

// Finding is what a try at a site came to.
type Finding struct {
	Result  []byte        // what the coordinator is to have, to be stored under the site's key; its files are stored already
	State   string        // the site's: an audit.State
	Why     string        // of a state of unknown: what kept the site from being read
	URLs    int64         // known URLs tested
	Blocked int64         // of them
	Again   bool          // the trouble is one that passes: to be tried again later, if tries are left
	After   time.Duration // what the server asked for by Retry-After; 0 = nothing
}

// Work does sites. Its methods may be called from several goroutines.
type Work interface {
	// Begin prepares for the sites of a run. Its error is one of ours: the sites go back to the queue.
	Begin(ctx context.Context, run *Run) (Sites, error)
}

// Sites does the sites of one run.
type Sites interface {
	// Site does a site and stores its files; what it returns is stored by the caller. It asks the
	// site nothing, and stores nothing, once check returns an error, which it asks before
	// each; ctx ends soon after. slot is the site's place in the worker's pool, and the worker
	// releases it. An error is one of ours: the site goes back to the queue.
	Site(ctx context.Context, slot *audit.Slot, job *Job, check func() error) (*Finding, error)
	// Failed makes and stores what stands for a site that was tried too often, and says why.
	Failed(ctx context.Context, job *Job, why string) (*Finding, error)
	// Close frees what Begin took; no site is in work.
	Close() error
}

// Merge puts runs together.
type Merge interface {
	// Begin begins a run, anew each time: what an earlier coordinator has merged is not there.
	Begin(ctx context.Context, run *Run) (Merged, error)
}

// ErrRefused is that something is not the result of the site under whose key it lies. The site is
// done again, and the run goes on.
var ErrRefused = errors.New("the result is refused")

// Merged is one run that is put together. One goroutine uses it.
type Merged interface {
	// Problem adds a line of the list that names no site.
	Problem(p audit.Problem) error
	// Add adds the result of the site of an ordinal that lies under a key, see SiteKey: each site once,
	// in any order. ErrRefused is that it is no result of that site and run; nothing was added then.
	Add(ordinal int, key string, result []byte) error
	// GiveUp makes a result of a site of which none can be used, and stores its files.
	GiveUp(ctx context.Context, job *Job, why string) (result []byte, err error)
	// Finish writes what there is of the run as a whole into the bucket.
	Finish(ctx context.Context) error
	// Close frees what Begin took; without Finish nothing was written.
	Close() error
}
