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
	Dir     string   // the run's folder; made where it is missing
	Resume  bool     // go on with the run that Dir holds
	Formats []string // of Formats(): rows of URLs beside the workbooks as well
	CSVMark bool     // files of CSV begin with a byte order mark
	Reports []string // one of Levels, which of Kinds are written, or both; nil = all

	Brief Sender // whose briefs they are, if Reports names them

	SingleFile bool // index.html holds the pages of the sites, so that it can be sent by itself

	AllSheets bool            // the workbooks of sites have every sheet and column, not only those that concern most readers
	Rows      string          // "blocked" (default): rows of URLs that a crawler may not fetch; "all": of every URL as well
	Version   string          // of the program
	Crawlers  []audit.Crawler // as the auditor has them
	Started   time.Time       // of the run; one that is resumed has its first start
	Settings  map[string]any  // what the run was asked for, for run.json; compared when it is resumed
	FailOn    FailOn          // what makes a site fail; see Totals
	Segments  []Segment       // parts of sites by which pages are counted, none = they are not
	RowLimit  int             // rows of a sheet, the header among them [1,048,576]
	// Past says what earlier runs know of a site, by its name; nil = there is no history,
	// and a nil Past is that of a site without one. It is called once a site, when its report
	// is begun, by any of the goroutines that finish reports; what it returns is read only
	// from then on. A trouble is told to Warn, and costs the report its history. What it
	// returned is kept in the site's records: Rebuild does not call it.
	Past func(site string) (*audit.Past, error)
	// Watch returns who sees the records of a site while they are written; nil = nobody does. It
	// is called like Past, and after it.
	Watch func(site *audit.Site) Watcher

	Warn func(string) // called with a sentence about each damage to a run's folder that was found; nil = not called

	disk disk.FS // tests have one that is full
}

// Run is the folder of one run. One goroutine gives it its records; others
// may finish the reports that it hands out, and call Skip and Totals.
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
	source           string // the folder of the records that are read; "" = Dir
	pagesOnly        bool   // of all files, pages alone are made: see MakePage
	ended            bool   // the run had ended when it was opened again, and was not stopped
	listProblems     []audit.Problem
	listProblemCount int // all of them
	remarks          []string

	worst           []summary.NamedSite // known once the run is closed
	checksumBuffers sync.Pool           // see sumBuffer
	unfinished      int                 // sites in work when the run was closed
	stopped         bool                // before the end of its list
}

// Sender has the name and the logo of whoever sends briefs.
type Sender = brief.Sender

// MaxLogo is the number of bytes of a logo's file at most.
const MaxLogo = brief.MaxLogo

// Logo returns the content of a picture's file (PNG, JPEG or SVG) as a Sender has it.
func Logo(file []byte) (string, error) { return brief.Logo(file) }

// FailOn is what makes a site fail, for the exit code.
type FailOn = summary.FailOn

// Totals are the sums of a run so far.
type Totals = summary.Totals

// hidden is the folder within the run's for what is not meant for people.
const hidden = ".robots-audit"

func (r *Run) path(parts ...string) string { return r.folder.Path(parts...) }

// temp returns the path of a temporary file, which can be renamed to any path of the
// run's folder, on the same file system.
func (r *Run) temp(parts ...string) string { return r.folder.TempPath(parts...) }

// RemoveHalfWritten removes the temporary files in a run's folder, while the run may
// still be writing them. From its first step on none of them gets its final name any
// more: reports in work fail as they do when a disk fails.
func RemoveHalfWritten(dir string) {
	temp, ended := filepath.Join(dir, hidden, "tmp"), filepath.Join(dir, hidden, endedFiles)
	root := disk.NewRoot(dir)
	defer root.Close()
	root.Rename(temp, ended)
	for range 10 { // where files in use cannot be moved, others may be added to them
		if errors.Join(root.Remove(temp), root.Remove(ended)) == nil {
			return
		}
	}
}

// endedFiles is the folder to which RemoveHalfWritten moves temporary files.
const endedFiles = "ended"

// Skip reports whether the site is finished already, by an earlier start of
// the run that is resumed. It may be called at any time from any goroutine.
func (r *Run) Skip(name string) bool { return r.finished[name] }

// Earlier returns the names of the sites, in no order, that the folder of a resumed run
// held when it was opened, and whether the run had come to its end then. It is to be
// called before the first record is added.
func (r *Run) Earlier() (names []string, ended bool) {
	names = slices.AppendSeq(slices.Collect(maps.Keys(r.finished)), maps.Keys(r.done.unaudited))
	return names, r.ended
}

// Write takes the next record, and finishes the report of the site whose last
// record it is. It is Add and Report.Finish in one, for those who do not finish
// reports side by side.
func (r *Run) Write(rec audit.Record) error {
	report, err := r.Add(rec)
	if report == nil || err != nil {
		return err
	}
	return report.Finish()
}

// Add takes the next record. Records of different sites may be interleaved. The
// last record of a site hands out its Report, which is to be finished; it is nil
// for all others. An error means that the run's folder cannot be written, or
// that records come in an order that cannot be.
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

// addListProblem adds a problem that belongs to no site: a line of the list.
func (r *Run) addListProblem(p audit.Problem) {
	r.listProblemCount++
	if len(r.listProblems) < maxListProblems {
		r.listProblems = append(r.listProblems, p)
	}
}

// Totals returns the sums of the sites finished so far.
func (r *Run) Totals() Totals { return r.done.currentTotals() }

// WorstSite is a site in a line.
type WorstSite = summary.NamedSite

// Worst are the most severe sites of a closed run, and behind them its unknown sites, in the
// order of its summaries. Each of the two lists has summary.MaxNamed sites at most.
func (r *Run) Worst() []WorstSite { return r.worst }

// Remark adds a sentence about the run as a whole to its reports; "" and one that they have already
// are none.
func (r *Run) Remark(sentence string) {
	if sentence != "" && !slices.Contains(r.remarks, sentence) {
		r.remarks = append(r.remarks, sentence)
	}
}

// Stop notes that the run ends before its list does: it is to be gone on with, also where no
// site was in work.
func (r *Run) Stop() { r.stopped = true }

// Close discards the sites that are not finished, writes the summaries of all that
// are, and unlocks the folder. The summaries count the others as unfinished; a run
// that is resumed audits them again. All reports that Add has returned must be
// finished before.
func (r *Run) Close() error {
	r.unfinished += len(r.sites)
	err := r.enterLost()
	r.done.entered = nil // no more are, and what follows takes memory, too
	if err == nil {
		err = r.end()
	}
	if err == nil {
		err = r.done.journal.packAs(r.zstd, r.journal(), r.temp(journalFile+".zst"))
	} else {
		r.done.journal.close() // best effort: the first error is told
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
	if r.rebuild && !r.ended { // to make the reports of what there is does not end the run
		finished = time.Time{}
	}
	if !r.rebuild && !finished.IsZero() { // run.json says that the run has ended: after a power cut, too, its records are there then
		if err := disk.SyncFiles(r.folder.FS, r.path("records")); err != nil {
			return err
		}
	}
	return r.writeManifest(finished)
}

// closeDisks lets go of the run's folders, which Windows does not let anybody remove before.
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

// release discards the sites in work, and unlocks the folder.
func (r *Run) release() error {
	for _, s := range r.sites {
		s.discard()
	}
	clear(r.sites)
	r.forgetProgress()
	return errors.Join(r.folder.FS.Remove(r.temp()), r.lock.Unlock(), r.closeDisks())
}
