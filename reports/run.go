package reports

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/klauspost/compress/zstd"

	"robots-audit/audit"
	"robots-audit/reports/internal/book"
	"robots-audit/reports/internal/brief"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// Options are the settings of a run's reports. Dir and Crawlers must be set.
type Options struct {
	Dir     string   // the run's folder; created if it is missing
	Resume  bool     // resume the run in Dir
	Formats []string // of Formats(): also write rows of URLs in these formats
	CSVMark bool     // CSV files begin with a byte order mark
	Reports []string // one of Levels, some of Kinds, or both; nil = all

	Brief Sender // name and logo on briefs, if Reports names them

	Editor string // address of the editor of a site's robots.txt, for MakePage: the page links to it; "" = there is none

	SingleFile bool // index.html contains the pages of the sites, so that it can be sent alone

	AllSheets bool            // the workbooks of sites have every sheet and column, not only the important ones
	Rows      string          // "blocked" (default): only rows of URLs that are blocked for a crawler; "all": of every URL
	Version   string          // of the program
	Crawlers  []audit.Crawler // as the auditor has them
	Started   time.Time       // of the run; a resumed run keeps its first start
	Settings  map[string]any  // settings of the run, for run.json; compared when it is resumed
	FailOn    FailOn          // what makes a site fail; see Totals
	Segments  []Segment       // parts of sites by which pages are counted; none = not counted
	RowLimit  int             // rows of a sheet, including the header [1,048,576]
	// Past returns the history of a site from earlier runs, by its name. nil = no history; a nil
	// *audit.Past = none for this site. It is called once for each site, when its report begins, by
	// any goroutine that finishes reports. Its result must not be changed afterwards. An error goes
	// to Warn, and the report has no history. The result is kept in the site's records: Rebuild
	// does not call Past.
	Past func(site string) (*audit.Past, error)
	// Watch returns the Watcher of a site's records while they are written; nil = none. It is
	// called like Past, and after it.
	Watch func(site *audit.Site) Watcher

	Warn func(string) // called with a sentence about each damage found in a run's folder; nil = not called

	disk disk.FS // tests use one that is full
}

// Run is the folder of one run. One goroutine gives it its records. Other goroutines may finish the
// reports that it returns, and call Skip and Totals.
type Run struct {
	Options
	written          disk.Summed // the file system of folder
	folder           disk.Folder
	workbooks        *book.Sites
	segments         *site.Segments
	zstd             *zstd.Encoder
	lock             *flock.Flock
	done             finishedSites
	finished         map[string]bool // sites that an earlier start of this run has finished, by base; read only
	sites            map[string]*siteRun
	rebuild          bool // records are read, not written
	sourceDisk       disk.FS
	source           string // the folder from which records are read; "" = Dir
	pagesOnly        bool   // only pages are made, no other files: see MakePage
	ended            bool   // the run was finished, not stopped, when it was opened again
	listProblems     []audit.Problem
	listProblemCount int // number of all of them
	remarks          []string

	worst           []summary.NamedSite // known once the run is closed
	checksumBuffers sync.Pool           // see sumBuffer
	unfinished      int                 // sites in progress when the run was closed
	stopped         bool                // before the end of its list
}

// Sender is the name and the logo of the sender of briefs.
type Sender = brief.Sender

// MaxLogo is the maximum size of a logo's file in bytes.
const MaxLogo = brief.MaxLogo

// Logo converts a picture's file (PNG, JPEG or SVG) to the form for a Sender.
func Logo(file []byte) (string, error) { return brief.Logo(file) }

// FailOn says what makes a site fail, for the exit code.
type FailOn = summary.FailOn

// Totals are the sums of a run so far.
type Totals = summary.Totals

// hidden is the folder within the run's folder for internal files.
const hidden = ".robots-audit"

func (r *Run) path(parts ...string) string { return r.folder.Path(parts...) }

// temp returns the path of a temporary file, which can be renamed to any path of the
// run's folder, on the same file system.
func (r *Run) temp(parts ...string) string { return r.folder.TempPath(parts...) }

// RemoveHalfWritten removes the temporary files in a run's folder, even while the run still writes
// them. From its first step on, none of them gets its final name: reports in progress fail as they
// do when a disk fails.
func RemoveHalfWritten(dir string) {
	temp, ended := filepath.Join(dir, hidden, "tmp"), filepath.Join(dir, hidden, endedFiles)
	root := disk.NewRoot(dir)
	defer root.Close()
	root.Rename(temp, ended)
	for range 10 { // if files in use cannot be moved, others may be added to them
		if errors.Join(root.Remove(temp), root.Remove(ended)) == nil {
			return
		}
	}
}

// endedFiles is the folder to which RemoveHalfWritten moves temporary files.
const endedFiles = "ended"

// Skip reports whether an earlier start of the resumed run has finished the site. Any goroutine may
// call it at any time.
func (r *Run) Skip(name string) bool { return r.finished[name] }

// Earlier returns the names of the sites, in no order, that the folder of a resumed run contained
// when it was opened, and whether the run was finished then. Call it before the first record is
// added.
func (r *Run) Earlier() (names []string, ended bool) {
	names = slices.AppendSeq(slices.Collect(maps.Keys(r.finished)), maps.Keys(r.done.unaudited))
	return names, r.ended
}

// Write adds the next record, and finishes the site's report with its last record. It combines Add
// and Report.Finish, for callers that do not finish reports in parallel.
func (r *Run) Write(rec audit.Record) error {
	report, err := r.Add(rec)
	if report == nil || err != nil {
		return err
	}
	return report.Finish()
}

// Add adds the next record. Records of different sites may be interleaved. For the last record of a
// site it returns the Report, which must be finished; for all others it returns nil. An error means
// that the run's folder cannot be written, or that the order of records is impossible.
func (r *Run) Add(rec audit.Record) (*Report, error) {
	if rec.Domain == "" {
		if rec.Problem != nil {
			r.addListProblem(*rec.Problem)
		}
		return nil, nil
	}
	s := r.sites[rec.Domain]
	if rec.Site != nil {
		if s != nil {
			s.discard()
		}
		s = newSiteRun(r, rec.Site)
		r.sites[rec.Domain] = s
	}
	if s == nil {
		return nil, fmt.Errorf("%s: a record of %s before its Site", r.Dir, rec.Domain)
	}
	s.addRecord(rec)
	if rec.Done == nil {
		return nil, nil
	}
	delete(r.sites, rec.Domain)
	return &Report{s, rec.Done}, nil
}

// maxListProblems bounds the problems of the list that the reports name.
const maxListProblems = 1000

// addListProblem adds a problem of a line in the list, which belongs to no site.
func (r *Run) addListProblem(p audit.Problem) {
	r.listProblemCount++
	if len(r.listProblems) < maxListProblems {
		r.listProblems = append(r.listProblems, p)
	}
}

// Totals returns the sums of the sites finished so far.
func (r *Run) Totals() Totals { return r.done.currentTotals() }

// WorstSite is a site, summarized in one line.
type WorstSite = summary.NamedSite

// Worst returns the most severe sites of a closed run, then its unknown sites, in the order of its
// summaries. Each of the two lists has at most summary.MaxNamed sites.
func (r *Run) Worst() []WorstSite { return r.worst }

// Remark adds a sentence about the run as a whole to its reports. It ignores "" and repeated
// sentences.
func (r *Run) Remark(sentence string) {
	if sentence != "" && !slices.Contains(r.remarks, sentence) {
		r.remarks = append(r.remarks, sentence)
	}
}

// Stop notes that the run ends before its list does. It can then be resumed, even if no site was in
// progress.
func (r *Run) Stop() { r.stopped = true }

// Close discards the sites that are not finished, writes the summaries of all finished sites, and
// unlocks the folder. The summaries count the others as unfinished; a resumed run audits them
// again. All reports that Add has returned must be finished before.
func (r *Run) Close() error {
	r.unfinished += len(r.sites)
	err := r.enterLost()
	r.done.entered = nil // no more sites are entered, and the summaries need memory too
	if err == nil {
		err = r.end()
	}
	if err == nil {
		err = r.done.journal.packAs(r.zstd, r.journal(), r.temp(journalFile+".zst"))
	} else {
		r.done.journal.close() // best effort: the first error is returned
	}
	if e := r.release(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.Dir, err)
	}
	return nil
}

// end writes the summaries, and run.json.
func (r *Run) end() error {
	finished, err := r.summarize()
	if err != nil {
		return err
	}
	if r.rebuild && !r.ended { // making reports again does not finish the run
		finished = time.Time{}
	}
	if !r.rebuild && !finished.IsZero() { // run.json says that the run is finished: its records must then exist even after a power cut
		if err := disk.SyncFiles(r.folder.FS, r.path("records")); err != nil {
			return err
		}
	}
	return r.writeManifest(finished)
}

// closeDisks closes the run's folders; on Windows they cannot be removed before.
func (r *Run) closeDisks() (err error) {
	for _, of := range []disk.FS{r.sourceDisk, r.written.FS} {
		if root, ok := of.(*disk.Root); ok {
			err = errors.Join(err, root.Close())
		}
	}
	return err
}

// journal is that of the run.
func (r *Run) journal() journalFiles { return journalIn(r.folder.FS, r.folder.Dir) }

// release discards the sites in progress, and unlocks the folder.
func (r *Run) release() error {
	for _, s := range r.sites {
		s.discard()
	}
	clear(r.sites)
	r.forgetProgress()
	return errors.Join(r.folder.FS.Remove(r.temp()), r.lock.Unlock(), r.closeDisks())
}
