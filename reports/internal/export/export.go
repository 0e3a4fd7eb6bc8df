package export

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// Formats returns the names of all formats.
func Formats() (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// CheckFormats returns an error that names the first unknown format, or one that is named twice.
func CheckFormats(names []string) error {
	for i, name := range names {
		if !slices.Contains(Formats(), name) {
			return fmt.Errorf("unknown format %q: expected one of %s", name, strings.Join(Formats(), ", "))
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("the format %q is named twice", name)
		}
	}
	return nil
}

// Site makes the exports of one site.
type Site struct {
	site      *site.Site
	folder    *disk.Folder
	base      string // of the files' names
	formats   []string
	metadata  Metadata
	whole     bool // see NewSite
	committed bool // the files have their final names
	files     []*file
	err       error // the first write error
	records   func() iter.Seq2[audit.Record, error]

	writers []writer
	row     Row    // the one being written
	pattern string // pattern of its URL, as it is

	written, lastMod, indexed optional  // of row
	lastModTime               utcMillis // of row
	hits                      int64     // of row

	verdicts map[*site.VerdictDetails]*verdict
	scratch  []byte
}

// NewSite returns the exports of a site in the given formats, written as base with the format's
// extension in the run's folder. whole = the records of the site are in memory, all sitemaps are
// named, and records come one after the other until Finish: rows are written as they come.
// Otherwise records reads them once they are complete.
func NewSite(of *site.Site, folder *disk.Folder, base string, formats []string, about Metadata, whole bool, records func() iter.Seq2[audit.Record, error]) *Site {
	s := &Site{site: of, folder: folder, base: base, formats: formats, metadata: about, whole: whole, records: records}
	s.row = Row{Site: escape.ShowInvalid(about.Site), Run: about.Run, Version: escape.ShowInvalid(about.Version)}
	return s
}

// URLs writes the rows of URLs, if all records of the site are in memory.
func (s *Site) URLs(list []site.URL) {
	if !s.whole || len(s.formats) == 0 {
		return
	}
	s.open(urlTable)
	for i := range list {
		s.writeURL(&list[i])
	}
}

// Robots does nothing.
func (s *Site) Robots(*audit.Robots) {}

// Sitemap does nothing.
func (s *Site) Sitemap(*audit.Sitemap) {}

// Problem does nothing.
func (s *Site) Problem(*audit.Problem) {}

// Page does nothing: rows are about verdicts.
func (s *Site) Page(*audit.Page) {}

// Findings does nothing.
func (s *Site) Findings(*audit.Findings) {}

// Err is the first write error.
func (s *Site) Err() error { return s.err }

// SiteFiles returns the files that a site may have in the given formats, relative to the run's folder.
func SiteFiles(base string, formats []string) (names []string) {
	for _, t := range tables {
		for _, format := range formats {
			names = append(names, t.fileName(base, format))
		}
	}
	return names
}

// tables are the tables of the site: those of access logs only if it has any.
func (s *Site) tables() []*table {
	if s.site.Crawls == nil {
		return tables[:1]
	}
	return tables
}

// temp differs from the name of the site's records, which are also compressed lines of JSON.
func (s *Site) temp(t *table, format string) string {
	return s.folder.TempPath(s.base + ".rows." + t.name + "." + format)
}

// Finish completes the site's tables in all requested formats, as temporary files.
func (s *Site) Finish(*audit.Done) error {
	if len(s.formats) == 0 {
		return nil
	}
	s.open(urlTable)
	if !s.whole {
		s.write()
	}
	s.close()
	s.writeLogs()
	return s.err
}

// open begins the files of a table, unless they are open.
func (s *Site) open(t *table) {
	if s.files != nil {
		return
	}
	for _, f := range formats {
		if s.err == nil && slices.Contains(s.formats, f.name) {
			out := &file{}
			s.files = append(s.files, out)
			if s.err = out.open(s.folder.FS, s.temp(t, f.name), f.pack); s.err == nil {
				s.writers = append(s.writers, f.open(out, &s.metadata, t))
			}
		}
	}
}

// close completes the files, or gives them up after an error.
func (s *Site) close() {
	for i, out := range s.files {
		if s.err == nil {
			s.err = s.writers[i].close()
		}
		s.err = out.close(s.err)
	}
	s.files, s.writers = nil, nil
}

// write writes the rows of all records.
func (s *Site) write() {
	for rec, err := range s.records() {
		if err != nil {
			s.err = cmp.Or(s.err, err)
		}
		if s.err != nil {
			return
		}
		if rec.URLs == nil {
			continue
		}
		for i := range rec.URLs.List {
			u := s.site.NewURL(&rec.URLs.List[i])
			s.writeURL(&u)
		}
	}
}

// writeURL writes the rows of a URL: one for each crawler for which it is blocked, or for each
// crawler if rows of all URLs were requested.
func (s *Site) writeURL(u *site.URL) {
	row, begun := &s.row, false
	for i, v := range u.Verdicts[:min(len(u.Verdicts), len(s.site.Crawlers))] {
		if v == engine.Allow && s.metadata.Rows != "all" {
			continue
		}
		if !begun {
			begun = true
			s.setURL(row, u)
			for _, w := range s.writers {
				w.beginURL(row)
			}
		}
		of := s.verdict(u, i)
		s.setPast(row, u, i)
		if s.site.Logs != nil {
			s.hits = u.HitsOf(i)
			row.Hits = &s.hits
		}
		for _, w := range s.writers {
			if err := w.write(row, of); err != nil {
				s.err = cmp.Or(s.err, err)
			}
		}
	}
}

// Commit renames the files to their final names.
func (s *Site) Commit(*summary.Line) error {
	for _, t := range s.tables() {
		if t.dir != "" && len(s.formats) > 0 {
			if err := s.folder.FS.MkdirAll(s.folder.Path(t.dir)); err != nil {
				return err
			}
		}
		for _, format := range s.formats {
			if err := s.folder.FS.Rename(s.temp(t, format), s.folder.Path(t.fileName(s.base, format))); err != nil {
				return err
			}
		}
	}
	s.committed = true
	return nil
}

// errDiscarded is the error of files that are given up.
var errDiscarded = errors.New("discarded")

// Discard removes the temporary files.
func (s *Site) Discard() {
	if s.files != nil {
		s.err = cmp.Or(s.err, errDiscarded)
		s.close()
	}
	if s.committed {
		return
	}
	for _, t := range s.tables() {
		for _, format := range s.formats {
			s.folder.FS.Remove(s.temp(t, format)) // best effort: the folder is emptied when the run ends
		}
	}
}
