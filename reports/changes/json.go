package changes

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/disk"
)

// jsonOutput is changes.json. The data of a site is written, when the site ends, to a file of parts
// without a name. The head has the totals, and the sites are in the order of importance, so
// changes.json is put together at the end.
type jsonOutput struct {
	folder    *disk.Folder
	parts     *disk.Unnamed // nil = closed
	buffer    *bufio.Writer
	at        int64
	places    []place // by Entry.Number
	committed bool
}

// place is the position of a site's part.
type place struct {
	begin  int64
	length int
}

func newJSON(folder *disk.Folder) (model.Output, error) {
	parts, err := disk.CreateUnnamed(folder.FS, folder.Temp)
	if err != nil {
		return nil, err
	}
	return &jsonOutput{folder: folder, parts: parts, buffer: bufio.NewWriter(parts)}, nil
}

// Begin does nothing: a site is written at its end.
func (j *jsonOutput) Begin(*compare.Site) error { return nil }

// Flip does nothing: samples represent the flips.
func (j *jsonOutput) Flip(*compare.Flip) error { return nil }

// End writes the data of a site.
func (j *jsonOutput) End(site *model.Site) error {
	text, err := json.Marshal(siteJSON(site))
	if err != nil {
		return err
	}
	text = escape.JSON(text)
	j.places = append(j.places, place{j.at, len(text)})
	j.at += int64(len(text))
	_, err = j.buffer.Write(text)
	return err
}

// Head is the head of changes.json. The list "sites" follows.
type Head struct {
	Version string           `json:"version"` // of the program that compared
	Lead    string           `json:"lead"`
	Old     runJSON          `json:"old"`
	New     runJSON          `json:"new"`
	Notes   []string         `json:"notes,omitempty"`
	Readers []compare.Change `json:"readers,omitempty"` // differences in crawlers and profiles: not changes of a site
	Totals  totalsJSON       `json:"totals"`
}

type runJSON struct {
	Path     string     `json:"path"`
	ID       string     `json:"id,omitempty"`
	Version  string     `json:"version,omitempty"` // of the program that made it
	Started  *time.Time `json:"started,omitempty"`
	Finished *time.Time `json:"finished,omitempty"` // omitted if it was cut short
	Crawlers []string   `json:"crawlers"`
	Robots   string     `json:"robots,omitempty"` // simulate: the file that replaced robots.txt
}

type totalsJSON struct {
	Sites        int `json:"sites"`
	SitesChanged int `json:"sites_changed"`
	OnlyOld      int `json:"sites_only_old"`
	OnlyNew      int `json:"sites_only_new"`
	compare.Totals
}

func newRunJSON(r Run) runJSON {
	of := runJSON{Path: r.Path, ID: r.ID, Version: r.Version, Started: timeJSON(r.Started), Finished: timeJSON(r.Finished), Crawlers: r.Crawlers, Robots: r.Robots}
	if of.Crawlers == nil {
		of.Crawlers = []string{}
	}
	return of
}

// timeJSON is a time, or nil if it is not known.
func timeJSON(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// Finish puts the file together, one site at a time.
func (j *jsonOutput) Finish(of *Comparison) error {
	t := &of.Totals
	head, err := json.Marshal(Head{of.Version, of.Lead(), newRunJSON(of.Old), newRunJSON(of.New), notesJSON(of.AllNotes()), changesJSON(of.Readers),
		totalsJSON{t.Sites, t.SitesChanged, t.OnlyOld, t.OnlyNew, t.Totals}})
	if err != nil {
		return err
	}
	if err := j.buffer.Flush(); err != nil {
		return err
	}
	defer j.closeParts()
	return write(j.folder, ours, func(w io.Writer) error {
		fmt.Fprintf(w, "%s,\n\"sites\":[", escape.JSON(head[:len(head)-1]))
		comma := ""
		for _, e := range of.Sites {
			io.WriteString(w, comma+"\n")
			at := j.places[e.Number]
			if _, err := io.Copy(w, io.NewSectionReader(j.parts, at.begin, int64(at.length))); err != nil {
				return err
			}
			comma = ","
		}
		_, err := io.WriteString(w, "\n]}\n") // also returns earlier write errors
		return err
	})
}

// closeParts closes the file of parts, if it is still open.
func (j *jsonOutput) closeParts() {
	if j.parts != nil {
		j.parts.Close() // its content is not needed any more
		j.parts = nil
	}
}

// Commit gives the file its name.
func (j *jsonOutput) Commit() error {
	err := j.folder.FS.Rename(j.folder.TempPath(ours), j.folder.Path(ours))
	j.committed = err == nil
	return err
}

// Discard removes the temporary files.
func (j *jsonOutput) Discard() {
	j.closeParts()
	if !j.committed {
		j.folder.FS.Remove(j.folder.TempPath(ours)) // best effort: the folder is emptied at the end
	}
}

// write writes a temporary file, and waits until it is on the disk.
func write(folder *disk.Folder, name string, content func(io.Writer) error) error {
	f, err := folder.FS.Create(folder.TempPath(name))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	err = content(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
