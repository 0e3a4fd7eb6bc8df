package serve

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"robots-audit/engine/wording"
	"robots-audit/reports"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/serve/internal/urlindex"
)

// indexes are the indexes of the URLs of runs. Each is a file in its run's folder, or in the dashboard's
// own folder if the run's cannot be written. They are built one at a time, by jobs that continue after the
// request.
type indexes struct {
	dir     string // the dashboard's own folder
	turn    chan struct{}
	closing context.Context
	jobs    *sync.WaitGroup
	patient time.Duration // how long a request waits for an index that is being built

	mu   sync.Mutex
	runs map[string]*runIndex // by run key
}

// runIndex is the state of one run's index.
type runIndex struct {
	of     *reports.StoredRun // as it was last read: it is read again after any change
	state  string             // state of its records
	last   *urlindex.Index    // as it was last opened; closed since
	job    *indexJob          // job that builds it; nil = none
	err    error              // error of the last job
	failed time.Time
}

// indexJob builds an index.
type indexJob struct {
	ended chan struct{}
	begun atomic.Bool // its turn has come
	read  atomic.Int64
	total int64 // estimate of the URLs to read; 0 = unknown
}

// Limits of indexes.
const (
	indexPatience = 1500 * time.Millisecond
	indexAgain    = time.Minute // time before a failed build is tried again
	maxTables     = 8           // tables of indexes in memory, some MB each
)

func newIndexes(dir string, closing context.Context, jobs *sync.WaitGroup) *indexes {
	return &indexes{dir: dir, turn: make(chan struct{}, 1), closing: closing, jobs: jobs, patient: indexPatience, runs: map[string]*runIndex{}}
}

// indexing is the progress of an index that is being built.
type indexing struct {
	Read  int64  `json:"read"`            // URLs
	Total int64  `json:"total,omitempty"` // estimate; left out = unknown
	Text  string `json:"text"`
}

// find returns the index of a run, which the caller closes. If there is none and wanted is set, it
// builds one, and told is the progress. Both are nil if there is no index.
func (x *indexes) find(ctx context.Context, r *run, stored *reports.StoredRun, wanted bool) (index *urlindex.Index, told *indexing, err error) {
	for waited := false; ; waited = true {
		var job *indexJob
		index, job, err = x.openOrMake(r, stored, wanted)
		switch {
		case job == nil:
			return index, nil, err
		case waited || !job.endsWithin(ctx, x.patient):
			return nil, job.told(), nil
		}
	}
}

// openOrMake opens the index of a run, or returns the job that builds it.
func (x *indexes) openOrMake(r *run, stored *reports.StoredRun, wanted bool) (*urlindex.Index, *indexJob, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := x.runs[r.Key]
	if i == nil {
		i = &runIndex{}
		x.runs[r.Key] = i
	}
	if i.job != nil {
		return nil, i.job, nil
	}
	if i.of != stored {
		if state := recordsState(stored); state != i.state {
			i.state, i.err = state, nil
		}
		i.of = stored
	}
	if index := x.open(r, i); index != nil {
		x.remember(i, index)
		return index, nil, nil
	}
	switch {
	case i.err != nil && time.Since(i.failed) < indexAgain:
		return nil, nil, i.err
	case !wanted || len(stored.Sites) == 0 || x.closing.Err() != nil:
		return nil, nil, nil
	}
	i.job = &indexJob{ended: make(chan struct{})}
	if o, err := reports.ReadOverview(r.dir); err == nil && o.Totals != nil {
		i.job.total = o.Totals.URLs
	}
	job := i.job
	x.jobs.Go(func() { x.make(i, job, r, stored) })
	return nil, job, nil
}

// remember keeps an index's table for the next search of the run, and drops tables of other runs if there
// are too many. mu is locked.
func (x *indexes) remember(i *runIndex, index *urlindex.Index) {
	known := 0
	for _, other := range x.runs {
		if other != i && other.last != nil {
			if known++; known >= maxTables {
				other.last = nil
			}
		}
	}
	i.last = index
}

// open opens the index of a run from either of its places; nil = there is none for this state.
func (x *indexes) open(r *run, i *runIndex) *urlindex.Index {
	if path := indexPath(r); plainFile(r.dir, path) {
		if index, err := urlindex.Open(path, i.state, i.last); err == nil {
			return index
		}
	}
	index, _ := urlindex.Open(x.ownPath(r), i.state, i.last)
	return index
}

// endsWithin waits some time for the end of a job, and reports whether it ended.
func (j *indexJob) endsWithin(ctx context.Context, patience time.Duration) bool {
	select {
	case <-j.ended:
		return true
	case <-time.After(patience):
	case <-ctx.Done():
	}
	return false
}

// make builds the index of a run when it is its turn.
func (x *indexes) make(i *runIndex, job *indexJob, r *run, stored *reports.StoredRun) {
	var err error
	select {
	case x.turn <- struct{}{}:
		job.begun.Store(true)
		err = x.build(job, i.state, r, stored)
		<-x.turn
	case <-x.closing.Done():
		err = x.closing.Err()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	i.job = nil
	if err != nil {
		i.err, i.failed = fmt.Errorf("the index of URLs could not be built: %w", err), time.Now()
	}
	close(job.ended)
}

// build writes the index of a run into its folder, or into the dashboard's own.
func (x *indexes) build(job *indexJob, state string, r *run, stored *reports.StoredRun) error {
	path := indexPath(r)
	if !writable(r.dir, filepath.Dir(path)) {
		path = x.ownPath(r)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
	}
	urls := func(yield func(urlindex.URL, error) bool) {
		for at, site := range stored.Sites {
			for rec, err := range site.Records() {
				if err != nil {
					if _, gone := reports.ReadOverview(r.dir); gone != nil {
						yield(urlindex.URL{}, err)
						return
					}
					break // the search page names sites whose records cannot be read
				}
				if rec.URLs == nil {
					continue
				}
				for k := range rec.URLs.List {
					u := &rec.URLs.List[k]
					if !yield(urlindex.URL{Loc: u.Loc, Site: int32(at), Kind: u.Kind, Listed: u.Indexed || u.Listed || u.HasClicks() || u.HasImpressions()}, nil) {
						return
					}
				}
				job.read.Add(int64(len(rec.URLs.List)))
			}
		}
	}
	return urlindex.Build(x.closing, path, state, urls)
}

// told returns the job's progress.
func (j *indexJob) told() *indexing {
	t := &indexing{Read: j.read.Load(), Total: j.total}
	switch {
	case !j.begun.Load():
		t.Text = "Waiting for the index of another run"
	case t.Total > 0 && t.Read <= t.Total:
		t.Text = fmt.Sprintf("%s of %s URLs read", wording.Thousands(t.Read), wording.Thousands(t.Total))
	default: // the count is of pages: images and other resources are not counted
		t.Text = wording.Plural(t.Read, "URL") + " read"
	}
	return t
}

// remove removes a damaged index, so that it is built again.
func (x *indexes) remove(r *run) {
	root := disk.NewRoot(r.dir)
	defer root.Close()
	root.Remove(indexPath(r)) // best effort: the new index is another file
	os.Remove(x.ownPath(r))
}

// hiddenFolder is the folder for the dashboard's files in a run's folder.
const hiddenFolder = ".robots-audit"

// indexPath is the path of the index of a run's URLs.
func indexPath(r *run) string { return filepath.Join(r.dir, hiddenFolder, "index", "urls") }

// ownPath is the place of the index if the run's folder cannot be written. A history may give a run any key.
func (x *indexes) ownPath(r *run) string {
	return filepath.Join(x.dir, fmt.Sprintf("index-%x", hashed(r.Key)), "urls")
}

// plainFile reports whether a file is below the folder of a run and is not a link.
func plainFile(dir, path string) bool {
	root := disk.NewRoot(dir)
	defer root.Close()
	info, err := root.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// writable reports whether files can be written to the folder of an index, which it makes if it is missing.
// It does not make the run's folder: retention may be removing it.
func writable(run, dir string) bool {
	root := disk.NewRoot(run)
	defer root.Close()
	if root.Mkdir(dir) != nil { // also if a link would lead out of the folder
		return false
	}
	probe := filepath.Join(dir, "probe-"+rand.Text())
	file, err := root.Open(probe, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	return err == nil && errors.Join(file.Close(), root.Remove(probe)) == nil
}

// recordsState changes if any records of the run change.
func recordsState(stored *reports.StoredRun) string {
	sum := sha256.New()
	for i := range stored.Sites {
		s := &stored.Sites[i]
		io.WriteString(sum, s.Base+"\x00"+s.State()+"\x00")
	}
	return hex.EncodeToString(sum.Sum(nil))
}
