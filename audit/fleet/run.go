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
	Region    string            `json:"region"`    // region whose workers do its sites
	Version   string            `json:"version"`   // version of the program that submitted it
	Settings  map[string]string `json:"settings"`  // flags of the audit by name, as given
	Inputs    []string          `json:"inputs"`    // names of files in the bucket that settings refer to, below fleet/<id>/input/
	Sites     int               `json:"sites"`     // valid, distinct entries of the list; Submit counts them
	Joined    bool              `json:"-"`         // the run was submitted before and has not ended: Submit joined it
}

// Job is one site of one run: a message of JOBS.
type Job struct {
	Run     string       `json:"run"`
	Ordinal int          `json:"n"`    // 0-based place among the valid, distinct entries of the run's list
	Site    audit.Domain `json:"site"` // without credentials
}

// Result says that a site's result is in the bucket: a message of RESULTS.
type Result struct {
	Ordinal int    `json:"n"`
	Key     string `json:"key"`   // site of the result, for people: a coordinator uses the list
	State   string `json:"state"` // the site's state, for status
	URLs    int64  `json:"urls"`
	Blocked int64  `json:"blocked"`
	Worker  string `json:"worker"`
	Millis  int64  `json:"ms"`   // duration of the work
	Tries   int    `json:"try"`  // 1-based number of the try that made it
	Why     string `json:"-"`    // as Finding has it, for the worker's own Watcher
	Failed  string `json:"fail"` // why the result is only a failed site; "" = the site was audited
}

// Finding is the outcome of one try at a site.
type Finding struct {
	Result  []byte        // result for the coordinator, to be stored under the site's key; its files are stored already
	State   string        // the site's: an audit.State
	Why     string        // for a state of unknown: why the site could not be read
	URLs    int64         // known URLs tested
	Blocked int64         // of URLs: blocked
	Again   bool          // the error is temporary: try again later, if tries are left
	After   time.Duration // what the server asked for by Retry-After; 0 = no request
}

// Work does sites. Its methods may be called from several goroutines.
type Work interface {
	// Begin prepares for the sites of a run. Its error is our own: the sites go back to the queue.
	Begin(ctx context.Context, run *Run) (Sites, error)
}

// Sites does the sites of one run.
type Sites interface {
	// Site does a site and stores its files. The caller stores the returned result. Before each request to
	// the site and each stored object it calls check, and stops if check returns an error; ctx ends soon
	// after. slot is the site's place in the worker's pool, and the worker releases it. An error is our
	// own: the site goes back to the queue.
	Site(ctx context.Context, slot *audit.Slot, job *Job, check func() error) (*Finding, error)
	// Failed makes and stores the result of a site that was tried too often, with the reason.
	Failed(ctx context.Context, job *Job, why string) (*Finding, error)
	// Close frees the resources of Begin. No site is in work.
	Close() error
}

// Merge merges the results of runs.
type Merge interface {
	// Begin begins a run from the start: it has nothing of an earlier coordinator's merge.
	Begin(ctx context.Context, run *Run) (Merged, error)
}

// ErrRefused says that an object is not the result of the site under whose key it is. The site is done
// again, and the run goes on.
var ErrRefused = errors.New("the result is refused")

// Merged is one run that is being merged. One goroutine uses it.
type Merged interface {
	// Problem adds a line of the list that names no site.
	Problem(p audit.Problem) error
	// Add adds the result of the site of an ordinal, which is under a key (see SiteKey): each site once, in
	// any order. ErrRefused says that it is not a result of that site and run; then nothing was added.
	Add(ordinal int, key string, result []byte) error
	// GiveUp makes a result for a site without a usable one, and stores its files.
	GiveUp(ctx context.Context, job *Job, why string) (result []byte, err error)
	// Finish writes the files of the whole run into the bucket.
	Finish(ctx context.Context) error
	// Close frees the resources of Begin. Without Finish nothing was written.
	Close() error
}
