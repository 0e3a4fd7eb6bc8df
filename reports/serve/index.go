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

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/serve/internal/urlindex"
)

// indexes are the indexes of the URLs of runs. Each is a file in its run's folder, or in the dashboard's
// own folder if the run's cannot be written. They are built one at a time, by jobs that continue after the
// request.
type indexes struct {
	dir      string // the dashboard's own folder
	readOnly bool   // write only to dir
	turn     chan struct{}
	closing  context.Context
	jobs     *sync.WaitGroup
	patient  time.Duration // how long a request waits for an index that is being built
	files    gate          // one file with the results of a search is made at a time
	rows     int           // limit for such a file

	mu   sync.Mutex
	runs map[string]*runIndex // by run key
}

// runIndex is the state of one run's index.
type runIndex struct {
	of      *reports.StoredRun // as it was last read: it is read again after any change
	state   string             // state of its records
	last    *urlindex.Index    // as it was last opened; closed since
	damaged bool               // the index in the run's folder is damaged, and this dashboard must not remove it
	job     *indexJob          // job that builds it; nil = none
	err     error              // error of the last job
	failed  time.Time
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
	filesWaiting  = 8
	maxTables     = 8 // tables of indexes in memory, some MB each
)

func newIndexes(dir string, closing context.Context, jobs *sync.WaitGroup) *indexes {
	return &indexes{dir: dir, turn: make(chan struct{}, 1), closing: closing, jobs: jobs, patient: indexPatience, files: newGate(1, filesWaiting), rows: urlindex.MaxSorted, runs: map[string]*runIndex{}}
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
		case waited || !endsWithin(ctx, job.ended, x.patient):
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
		x.keepTable(i, index)
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

// keepTable keeps an index's table for the next search of the run, and drops tables of other runs if there
// are too many. mu is locked.
func (x *indexes) keepTable(i *runIndex, index *urlindex.Index) {
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
	if path := indexPath(r); !i.damaged && plainFile(r.dir, path) {
		if index, err := urlindex.Open(path, i.state, i.last); err == nil {
			return index
		}
	}
	index, _ := urlindex.Open(x.ownPath(r), i.state, i.last)
	return index
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
	if x.readOnly || !writable(r.dir, filepath.Dir(path)) {
		path = x.ownPath(r)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
	}
	d := urlindex.NewDictionary()
	return urlindex.Build(x.closing, path, state, d, func(yield func(urlindex.Entry, error) bool) {
		for at := range stored.Sites {
			if err := job.addSite(d, at, stored, yield); errors.Is(err, errNoMore) {
				return
			} else if err != nil {
				if _, gone := reports.ReadOverview(r.dir); gone != nil {
					yield(urlindex.Entry{}, err)
					return
				}
				// The search page names sites whose records cannot be read.
			}
		}
	})
}

// errNoMore says that the index takes no more URLs.
var errNoMore = errors.New("the index was stopped")

// addSite yields the URLs of a site, and the answers of its pages.
func (j *indexJob) addSite(d *urlindex.Dictionary, at int, stored *reports.StoredRun, yield func(urlindex.Entry, error) bool) error {
	var s *urlindex.Site
	for rec, err := range stored.Sites[at].Records() {
		if s == nil { // records begin with the site
			var crawlers []audit.Crawler
			if rec.Site != nil {
				crawlers = rec.Site.Crawlers
			}
			s = d.Site(at, crawlers)
			defer s.End()
		}
		switch {
		case err != nil:
			return err
		case rec.Robots != nil:
			s.AddRobots(rec.Robots)
		case rec.Page != nil:
			if e, ok := s.Page(rec.Page); ok && !yield(e, nil) {
				return errNoMore
			}
		case rec.URLs != nil:
			for k := range rec.URLs.List {
				u, segment := &rec.URLs.List[k], ""
				if site.IsPage(u.Kind) {
					segment = stored.SegmentOf(u.Loc)
				}
				if !yield(s.URL(u, segment), nil) {
					return errNoMore
				}
			}
			j.read.Add(int64(len(rec.URLs.List)))
		}
	}
	return nil
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
	if x.readOnly {
		x.mu.Lock()
		x.runs[r.Key].damaged = true
		x.mu.Unlock()
		os.Remove(x.ownPath(r)) // best effort: the new index is another file
		return
	}
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
