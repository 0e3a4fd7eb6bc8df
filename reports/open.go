package reports

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"robots-audit/reports/internal/book"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/export"
	"robots-audit/reports/internal/page"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
	"robots-audit/reports/internal/xlsx"

	"github.com/klauspost/compress/zstd"
)

// Errors that Open returns.
var (
	ErrLocked     = errors.New("another run is writing to this folder")
	ErrExists     = errors.New("the folder holds a run already; resume it or name another")
	ErrNoRun      = errors.New("the folder holds no run that could be resumed")
	ErrNoManifest = errors.New("the folder holds sites of a run, but its run.json is missing: put it back, or name another folder")
)

// Open begins a run in its folder, or resumes one. The error is ErrLocked if another run works
// there. It is ErrExists if the folder contains a run and Resume is not set, and ErrNoRun if it
// contains none and Resume is set. It is *MismatchError if the run has other settings, and
// ErrNoManifest if only run.json is missing. Open removes temporary files of a run that was killed.
func Open(o Options) (*Run, error) { return openAs(o, false) }

// openAs opens a run, to write it or to make it again from its records.
func openAs(o Options, again bool) (*Run, error) {
	r, err := open(o, again)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Dir, err)
	}
	return r, nil
}

func open(o Options, again bool) (*Run, error) {
	r, err := newRun(o, again)
	if err != nil {
		return nil, err
	}
	if o.Resume { // before the lock is made: a mistyped name must not create a folder
		if _, err := o.manifest(); errors.Is(err, ErrNoRun) {
			r.closeDisks()
			return nil, err
		}
	}
	if err := r.takeLock(); err != nil {
		r.closeDisks()
		return nil, err
	}
	if err := r.begin(); err != nil {
		if r.done.journal != nil {
			r.done.journal.close()
		}
		r.lock.Unlock()
		r.closeDisks()
		return nil, err
	}
	return r, nil
}

// newRun checks the options; it writes nothing to disk.
func newRun(o Options, again bool) (*Run, error) {
	if o.Rows == "" {
		o.Rows = "blocked"
	}
	if err := export.CheckFormats(o.Formats); err != nil {
		return nil, err
	}
	if n := len(o.Crawlers); n > MaxCrawlers {
		return nil, fmt.Errorf("%d crawlers, and a run has %d at most", n, MaxCrawlers)
	}
	if o.Reports != nil {
		if err := CheckKinds(o.Reports); err != nil {
			return nil, err
		}
		o.Reports = ordered(o.Reports)
	}
	if err := o.Brief.Check(); err != nil {
		return nil, err
	}
	if len(o.Formats) == 0 {
		o.Formats = nil
	}
	if len(o.Segments) == 0 {
		o.Segments = nil
	}
	segments, err := site.NewSegments(o.Segments)
	if err != nil {
		return nil, err
	}
	if o.RowLimit == 0 {
		o.RowLimit = xlsx.MaxRows
	}
	if o.disk == nil {
		o.disk = disk.NewRoot(o.Dir)
	}
	o.Started = o.Started.UTC().Truncate(time.Second)
	r := &Run{Options: o, written: disk.Summed{FS: o.disk}, folder: o.folder(), segments: segments, sites: map[string]*siteRun{}, finished: map[string]bool{}, rebuild: again}
	r.folder.FS, r.sourceDisk = &r.written, o.disk
	r.done.totals.FailOn = o.FailOn
	return r, nil
}

// takeLock keeps other processes out of the run's folder.
func (r *Run) takeLock() (err error) {
	r.lock, err = disk.Lock(r.sourceDisk, filepath.Join(r.Dir, hidden, "lock"), ErrLocked)
	return err
}

// begin makes the folders and reads their content. The run already has its lock.
func (r *Run) begin() error {
	old, err := readManifest(r.path("run.json"))
	switch {
	case err != nil:
		return err
	case old == nil && holdsSites(r.folder):
		return ErrNoManifest
	case old == nil && r.Resume:
		return ErrNoRun
	case old != nil && !r.Resume && !r.rebuild:
		return ErrExists
	}
	if old != nil {
		if r.rebuild { // all workbooks are made again, plus any other report that was requested
			old.AllSheets, old.Reports = r.AllSheets, r.Reports
		}
		r.Brief = r.Brief.Or(old.Brief)
		if err := old.compare(&r.Options); err != nil {
			return err
		}
		r.Started, r.remarks, r.ended = old.Started, old.Remarks, old.Finished != nil && old.Unfinished == 0 && !old.Stopped
		if old.Version != r.Version {
			r.remarks = append(r.remarks, "Version "+old.Version+" began this run, and version "+r.Version+" went on with it.")
		}
	}
	if err := errors.Join(r.folder.FS.Remove(r.temp()), r.folder.FS.Remove(r.path(hidden, endedFiles))); err != nil {
		return err
	}
	if err := r.makeFolders(); err != nil {
		return err
	}
	if err := r.makeShared(); err != nil {
		return err
	}
	r.forgetProgress() // progress of a run that was killed
	if r.ofSites() {
		if err := r.makeAssets(); err != nil {
			return err
		}
	}
	if r.rebuild { // a new journal replaces the old one at the end
		r.done.journal, err = newJournal(r.folder.FS, r.temp(journalFile))
		return err
	}
	if r.Resume {
		r.done.journal, err = openJournal(r.journal(), r.temp())
	} else {
		r.done.journal, err = newJournal(r.folder.FS, r.path(hidden, journalFile))
	}
	if err != nil {
		return err
	}
	if err := r.readFinished(); err != nil {
		return err
	}
	return r.writeManifest(time.Time{})
}

// makeFolders makes the folders for files of sites.
func (r *Run) makeFolders() error {
	dirs := []string{r.temp()}
	if !r.rebuild {
		dirs = append(dirs, r.path("records"))
	}
	for _, dir := range dirs {
		if err := r.folder.FS.MkdirAll(dir); err != nil {
			return err
		}
	}
	if !r.ofSites() {
		return nil
	}
	return r.makeFoldersOfSites()
}

// makeFoldersOfSites makes the folders that only sites with files need.
func (r *Run) makeFoldersOfSites() error {
	var dirs []string
	if r.writes(kindEvidence) {
		dirs = append(dirs, r.path("evidence"))
	}
	if r.writes(kindPage) {
		dirs = append(dirs, r.path("pages"))
	}
	for _, dir := range dirs {
		if err := r.folder.FS.MkdirAll(dir); err != nil {
			return err
		}
	}
	return nil
}

// makeAssets writes the files that the pages of sites share, into the final folder of these pages.
func (r *Run) makeAssets() error {
	if !r.writes(kindPage) || r.SingleFile {
		return nil
	}
	return page.WriteAssets(&r.folder)
}

// folder is the run's folder.
func (o *Options) folder() disk.Folder {
	return disk.Folder{FS: o.disk, Dir: o.Dir, Temp: filepath.Join(o.Dir, hidden, "tmp")}
}

// holdsSites reports whether a folder contains sites of a run.
func holdsSites(folder disk.Folder) bool {
	journal := journalIn(folder.FS, folder.Dir)
	for _, name := range []string{journal.lines, journal.before} {
		if info, err := folder.FS.Lstat(name); err == nil && info.Size() > 0 {
			return true
		}
	}
	records, err := folder.FS.ReadDir(folder.Path("records"))
	return err == nil && len(records) > 0
}

// readFinished finds the sites in the journal whose files match it. The others are audited again.
func (r *Run) readFinished() error {
	j := r.done.journal
	if unread := j.unread(); unread != "" {
		r.warn(unread + " of the journal could not be read; the sites that they tell of are audited again")
	}
	r.done.unaudited = map[string]lostSite{}
	for i := len(j.entries) - 1; i >= 0; i-- { // a later line of a site replaces an earlier one
		line, err := j.read(i)
		if err != nil {
			return err
		}
		if r.finished[line.Name] {
			j.entries[i].dropped = true
			continue
		}
		var why *summary.Error
		if line.Records > 0 {
			why = r.whyLost(line)
		}
		if why != nil || line.Records == 0 { // 0: its report could not be written then; now it may work
			j.entries[i].dropped = true
			if _, later := r.done.unaudited[line.Name]; !later {
				r.done.unaudited[line.Name] = lostSite{j.entries[i], why}
			}
			continue
		}
		delete(r.done.unaudited, line.Name)
		r.finished[line.Name] = true
		r.done.totals.Count(line)
	}
	j.compact()
	return nil
}

// makeShared makes the objects that all sites share: the compressor and the workbooks' template.
func (r *Run) makeShared() error {
	var err error
	if r.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(128<<10)); err != nil {
		return err
	}
	r.workbooks = book.NewSites(r.bookOptions())
	return nil
}
