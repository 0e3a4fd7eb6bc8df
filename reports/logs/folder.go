package logs

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/disk"
)

// Head says what was read. The records of a run do not have it: then only Version and Made are set.
type Head struct {
	Version    string    `json:"version"`
	Made       time.Time `json:"made"`           // UTC
	Files      []File    `json:"files,omitzero"` // nil = not known
	Lines      int64     `json:"lines,omitzero"`
	Visitors   int64     `json:"visitors,omitzero"` // requests that no crawler's name is in
	Crawlers   int64     `json:"crawlers,omitzero"` // requests of crawlers
	Unparsed   int64     `json:"unparsed,omitzero"` // lines
	Errors     []Error   `json:"errors,omitzero"`   // of them, most lines first
	From       time.Time `json:"from,omitzero"`     // first and last request, UTC; zero = there is none
	To         time.Time `json:"to,omitzero"`
	OtherHosts []Count   `json:"other_hosts,omitzero"` // hosts that are no site of the run, at most 20
	Ranges     string    `json:"ranges,omitzero"`      // day of the published address ranges: "2026-05-05"
	Notes      []string  `json:"notes,omitzero"`       // further sentences about what was read
}

// File is a log file.
type File struct {
	Name     string `json:"name"`
	Format   string `json:"format"`
	Lines    int64  `json:"lines"`
	Requests int64  `json:"requests"`
	Twice    bool   `json:"twice,omitempty"`   // another file has the same content: it was not counted
	Skipped  bool   `json:"skipped,omitempty"` // it is in a folder that was named, and is no log: it was not counted
	Early    string `json:"early,omitempty"`   // why it ends early: "the gzip file is cut off"
}

// Error is a reason for which lines could not be read.
type Error struct {
	Kind     string   `json:"kind"`
	Lines    int64    `json:"lines"`
	Examples []string `json:"examples"` // "access.log:17"
}

// Count is a number of requests with some name.
type Count = audit.LogCount

// Names of the files.
const (
	pageName = "index.html"
	bookName = "logs.xlsx"
	jsonName = "logs.json"
)

// Errors of Write: mistakes of the caller.
var (
	ErrOther  = errors.New("it has another report. Name another folder")
	ErrLocked = errors.New("another program is using it")
)

// Write writes the folder. It reads the sites once, and keeps none of them.
func Write(dir string, h Head, sites iter.Seq2[audit.Logs, error]) (*Summary, error) {
	return writeFolder(dir, h, nil, sites)
}

// Overview writes the folder of a server that makes pages of single sites on request: link returns the address of such a
// page. It writes no workbook. The page says which sites could not be read.
func Overview(dir string, h Head, link func(site string) string, sites iter.Seq2[audit.Logs, error]) error {
	_, err := writeFolder(dir, h, link, sites)
	return err
}

func writeFolder(dir string, h Head, link func(site string) string, sites iter.Seq2[audit.Logs, error]) (_ *Summary, err error) {
	h.Made, h.From, h.To = h.Made.UTC().Truncate(time.Second), h.From.UTC(), h.To.UTC()
	if h.Files != nil { // nil: which files were read is not known
		h.Errors, h.OtherHosts, h.Notes = notNil(h.Errors), notNil(h.OtherHosts), notNil(h.Notes)
	}
	w := &writer{Summary: &Summary{Head: h}, folder: disk.Folder{FS: disk.NewRoot(dir), Dir: dir, Temp: filepath.Join(dir, ".robots-audit")}, link: link}
	defer func() { err = errors.Join(err, w.folder.Close()) }()
	if err := w.free(); err != nil {
		return nil, err
	}
	lock, err := disk.Lock(w.folder.FS, w.folder.TempPath("lock"), fmt.Errorf("%s: %w", dir, ErrLocked))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Unlock(), w.folder.FS.Remove(w.folder.Temp)) }()
	if err := w.write(sites); err != nil {
		return nil, err
	}
	return w.Summary, nil
}

// notNil makes an empty list [] in JSON.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// writer is a folder while it is written.
type writer struct {
	*Summary
	folder   disk.Folder
	link     func(site string) string // of an overview; nil = the page has the sites
	book     *book                    // nil in an overview
	sections map[int]*section         // by place in logs.json
	unread   []string                 // sites
}

// free returns an error if the folder has a page that is not ours: that of an audit, for example.
func (w *writer) free() error {
	has := func(name string) bool {
		_, err := w.folder.FS.Lstat(w.folder.Path(name))
		return !errors.Is(err, fs.ErrNotExist)
	}
	if has(pageName) && !has(jsonName) {
		return fmt.Errorf("%s: %w", w.folder.Dir, ErrOther)
	}
	return nil
}

// write writes all files under temporary names, then renames them. The sites are read twice: a sheet has only
// columns with a value, and the page begins with the most severe site. The second time they come from logs.json.
func (w *writer) write(sites iter.Seq2[audit.Logs, error]) error {
	if w.link == nil {
		w.book, w.sections = newBook(w), map[int]*section{}
		defer w.book.Discard()
	}
	if err := w.writeJSON(sites); err != nil {
		return err
	}
	w.Summary.sort()
	names := []string{jsonName, pageName}
	if w.book != nil {
		names = []string{jsonName, bookName, pageName}
		w.book.begin(w.Summary)
		if err := w.again(); err != nil {
			return err
		}
		if err := w.book.finish(w.folder.TempPath(bookName)); err != nil {
			return err
		}
	}
	page, err := w.page()
	if err != nil {
		return err
	}
	if err := disk.WriteFile(w.folder.FS, w.folder.TempPath(pageName), w.folder.TempPath("page"), page); err != nil {
		return err
	}
	// All files are complete. The page comes last: it says that the others are there.
	for _, name := range names {
		if err := w.folder.FS.Rename(w.folder.TempPath(name), w.folder.Path(name)); err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes logs.json, and takes the figures of each site.
func (w *writer) writeJSON(sites iter.Seq2[audit.Logs, error]) error {
	out, err := w.folder.FS.Create(w.folder.TempPath(jsonName))
	if err != nil {
		return err
	}
	buf := bufio.NewWriterSize(out, 64<<10)
	err = w.sitesJSON(buf, sites)
	if err == nil {
		err = errors.Join(buf.Flush(), out.Sync())
	}
	return errors.Join(err, out.Close())
}

func (w *writer) sitesJSON(out *bufio.Writer, sites iter.Seq2[audit.Logs, error]) error {
	head, err := json.Marshal(&w.Head)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "{\"head\":%s,\n\"sites\":[", escape.JSON(head))
	separator := "\n"
	var total Head
	for logs, err := range sites {
		switch {
		case err != nil && w.link != nil && logs.Site != "":
			w.unread = append(w.unread, logs.Site)
			continue
		case err != nil:
			return err
		}
		text, err := json.Marshal(&logs)
		if err != nil {
			return err
		}
		out.WriteString(separator)
		out.Write(escape.JSON(text))
		separator = ",\n"
		s := crawls.New(&logs)
		total.add(s)
		w.Sites = append(w.Sites, newSite(s, len(w.Sites)))
		if w.book != nil {
			w.book.mark(s)
		} else {
			w.Sites[len(w.Sites)-1].Answers = nil // an overview has no space for them
		}
	}
	if h := &w.Head; h.Files == nil {
		h.From, h.To, h.Ranges = total.From, total.To, total.Ranges
	}
	_, err = out.WriteString("\n]}\n")
	return err
}

// add adds the logs of a site to a head that does not know what was read.
func (h *Head) add(s *crawls.Site) {
	if h.From.IsZero() || !s.From.IsZero() && s.From.Before(h.From) {
		h.From = s.From
	}
	if s.To.After(h.To) {
		h.To = s.To
	}
	h.Ranges = max(h.Ranges, s.Ranges)
}

// again reads the sites once more, for the workbook and the page.
func (w *writer) again() error {
	in, err := w.folder.FS.Open(w.folder.TempPath(jsonName), os.O_RDONLY)
	if err != nil {
		return err
	}
	defer in.Close()
	shown := map[int]bool{}
	for i := range w.Sites[:min(len(w.Sites), pageSites)] {
		shown[w.Sites[i].at] = true
	}
	d := json.NewDecoder(bufio.NewReaderSize(in, 64<<10))
	for range 2 { // {"head"
		if _, err := d.Token(); err != nil {
			return err
		}
	}
	if err := d.Decode(new(json.RawMessage)); err != nil {
		return err
	}
	for range 2 { // "sites":[
		if _, err := d.Token(); err != nil {
			return err
		}
	}
	for at := 0; d.More(); at++ {
		var logs audit.Logs
		if err := d.Decode(&logs); err != nil {
			return err
		}
		s := crawls.New(&logs)
		w.book.add(s)
		if shown[at] {
			w.sections[at] = newSection(s, "site-"+strconv.Itoa(w.place(at)+1), pageDetails/len(shown))
		}
	}
	return w.book.Err()
}

// place is the place of a site among the most severe.
func (w *writer) place(at int) int {
	return slices.IndexFunc(w.Sites, func(s Site) bool { return s.at == at })
}
