package migration

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"robots-audit/audit"
	"robots-audit/audit/migrate"
	"robots-audit/reports/internal/disk"
)

// Head has the settings of a check. It can be resumed only with the same settings.
type Head struct {
	Kind      string    `json:"kind"` // "robots-audit migrate"
	Version   string    `json:"version"`
	Started   time.Time `json:"started"` // UTC
	Map       string    `json:"map"`     // its name
	MapSHA256 string    `json:"map_sha256"`
	Crawlers  []string  `json:"crawlers"` // labels
	NewHost   string    `json:"new_host,omitempty"`
	Staging   string    `json:"staging,omitempty"`
	Proposed  string    `json:"proposed_sha256,omitempty"`
	Important string    `json:"important_sha256,omitempty"`
	Run       string    `json:"run,omitempty"`     // run with the hits of old URLs
	HitsOf    string    `json:"hits_of,omitempty"` // label of their crawler
}

const kind = "robots-audit migrate"

// Names of the files.
const (
	journalName = "migration.jsonl"
	bookName    = "migration.xlsx"
)

// Options are the settings of a folder.
type Options struct {
	Dir      string
	Resume   bool // resume the existing check
	Head     Head // all except Kind
	Crawlers []audit.Crawler
	RowLimit int // of a sheet [maximum of the format]
}

// Errors of Open: mistakes of the caller.
var (
	ErrExists = errors.New("it already has a check. Continue with -resume, or name another folder")
	ErrNoRun  = errors.New("it has no check to continue. Start one without -resume")
	ErrLocked = errors.New("another program is using it")
)

// MismatchError says that a check was begun with other settings.
type MismatchError struct{ What, Then, Now string }

// Error gives the old and the new value.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("its check was started with another %s (%s, now %s)", e.What, cmp.Or(e.Then, "none"), cmp.Or(e.Now, "none"))
}

// Folder is the folder of a check. Only one goroutine at a time uses it.
type Folder struct {
	Options
	folder  disk.Folder
	lock    *flock.Flock
	journal *journal
	final   map[int32]bool // lines of the map that are done

	Damaged int // unreadable lines of the journal, whose pairs are requested again
}

// Open begins a check in a folder, or resumes it.
func Open(o Options) (_ *Folder, err error) {
	o.Head.Kind = kind
	o.Head.Started = o.Head.Started.UTC().Truncate(time.Second)
	f := &Folder{Options: o, folder: disk.Folder{FS: disk.NewRoot(o.Dir), Dir: o.Dir, Temp: filepath.Join(o.Dir, ".robots-audit")}, final: map[int32]bool{}}
	defer func() {
		if err != nil {
			f.folder.Close() // best effort: the first error is returned
		}
	}()
	name := f.folder.Path(journalName)
	_, err = f.folder.FS.Lstat(name)
	switch missing := errors.Is(err, fs.ErrNotExist); {
	case err != nil && !missing:
		return nil, err
	case missing && o.Resume:
		return nil, fmt.Errorf("%s: %w", o.Dir, ErrNoRun)
	case !missing && !o.Resume:
		return nil, fmt.Errorf("%s: %w", o.Dir, ErrExists)
	}
	if f.lock, err = disk.Lock(f.folder.FS, f.folder.TempPath("lock"), fmt.Errorf("%s: %w", o.Dir, ErrLocked)); err != nil {
		return nil, err
	}
	if err := f.openJournal(name); err != nil {
		f.lock.Unlock()
		return nil, err
	}
	return f, nil
}

func (f *Folder) openJournal(name string) (err error) {
	if !f.Resume {
		f.journal, err = newJournal(f.folder.FS, name, &f.Head)
		return err
	}
	var head *Head
	if f.journal, head, err = openJournal(f.folder.FS, name); err != nil {
		return err
	}
	if err := head.compare(&f.Head); err != nil {
		f.journal.file.Close()
		return err
	}
	f.Head, f.Damaged = *head, f.journal.damaged
	for _, e := range f.journal.entries {
		if e.flags&flagPassing == 0 {
			f.final[e.line] = true
		}
	}
	return nil
}

// compare returns the first difference of the settings; nil = none.
func (h *Head) compare(now *Head) error {
	for _, p := range []struct{ what, then, now string }{
		{"map", h.MapSHA256, now.MapSHA256}, {"list of crawlers", fmt.Sprint(h.Crawlers), fmt.Sprint(now.Crawlers)}, {"new host", h.NewHost, now.NewHost},
		{"staging host", h.Staging, now.Staging}, {"proposed robots.txt", h.Proposed, now.Proposed}, {"list of important URLs", h.Important, now.Important}, {"run", h.Run, now.Run},
	} {
		if p.then != p.now {
			return &MismatchError{p.what, p.then, p.now}
		}
	}
	return nil
}

// Done reports whether a line of the map is done: it was done when the folder was opened, without
// an error that may be temporary.
func (f *Folder) Done(line int) bool { return f.final[int32(line)] }

// Finished returns the number of lines for which Done is true.
func (f *Folder) Finished() int64 { return int64(len(f.final)) }

// Add adds a result. It is in the journal when Add returns.
func (f *Folder) Add(r *migrate.Result) error { return f.journal.append(r) }

// Close closes the folder. Added results stay.
func (f *Folder) Close() error {
	err := errors.Join(f.journal.file.Sync(), f.journal.file.Close(), f.lock.Unlock(), f.folder.FS.Remove(f.folder.Temp), f.folder.Close())
	return err
}

// gravest sorts the entries: important ones that are not as planned, then the highest severity
// first, then by clicks, then by hits, then by class, then in the order of the map.
func (f *Folder) gravest() []entry {
	list := slices.Clone(f.journal.entries)
	fine := uint8(migrate.Rank(migrate.ClassOK))
	matters := func(e *entry) int {
		if e.flags&flagImportant != 0 && e.rank != fine {
			return 0
		}
		return 1
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(matters(&a), matters(&b)), migrate.Classes[a.rank].Severity.Compare(migrate.Classes[b.rank].Severity), cmp.Compare(b.clicks, a.clicks), cmp.Compare(b.hits, a.hits), cmp.Compare(a.rank, b.rank), cmp.Compare(a.line, b.line))
	})
	return list
}

// results reads results again, in the order of their entries.
func (f *Folder) results(list []entry) iter.Seq2[*migrate.Result, error] {
	return func(yield func(*migrate.Result, error) bool) {
		for i := range list {
			r, err := f.journal.read(&list[i])
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}
