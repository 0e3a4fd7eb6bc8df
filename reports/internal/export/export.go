package export

import (
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

// Formats are the names of all formats.
func Formats() (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// CheckFormats returns an error that says which of the names is no format, or
// named twice.
func CheckFormats(names []string) error {
	for i, name := range names {
		if !slices.Contains(Formats(), name) {
			return fmt.Errorf("there is no format %q; want %s", name, strings.Join(Formats(), ", "))
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
	committed bool // the files have their final names
	records   func() iter.Seq2[audit.Record, error]

	writers []writer
	row     Row    // the one being written
	pattern string // of its URL, as it is

	written, lastMod, indexed optional  // of row
	lastModTime               utcMillis // likewise

	fields  map[*site.VerdictDetails]*verdictFields
	scratch []byte
}

// NewSite returns the exports of a site in the formats named, written as base
// with the format's extension in the run's folder. records reads all records of
// the site once they are complete.
func NewSite(of *site.Site, folder *disk.Folder, base string, formats []string, about Metadata, records func() iter.Seq2[audit.Record, error]) *Site {
	return &Site{site: of, folder: folder, base: base, formats: formats, metadata: about, records: records}
}

// Exports use no record as it comes, and so need no memory for sites in work: Finish
// reads the site's records once they are complete.

// URLs does nothing.
func (s *Site) URLs([]site.URL) {}

// Robots does nothing.
func (s *Site) Robots(*audit.Robots) {}

// Sitemap does nothing.
func (s *Site) Sitemap(*audit.Sitemap) {}

// Problem does nothing.
func (s *Site) Problem(*audit.Problem) {}

// Page does nothing: rows are of verdicts.
func (s *Site) Page(*audit.Page) {}

// Findings does nothing.
func (s *Site) Findings(*audit.Findings) {}

// Err is nil: nothing is written as records come.
func (s *Site) Err() error { return nil }

// SiteFiles are the files of a site in the formats named, relative to the run's folder.
func SiteFiles(base string, formats []string) (names []string) {
	for _, format := range formats {
		names = append(names, base+"."+format)
	}
	return names
}

// temp is another name than that of the site's records, which are compressed lines of JSON, too.
func (s *Site) temp(format string) string { return s.folder.TempPath(s.base + ".rows." + format) }

// Finish writes the site's rows in all formats asked for, as temporary files.
func (s *Site) Finish(*audit.Done) error {
	if len(s.formats) == 0 {
		return nil
	}
	var files []*file
	var err error
	for _, f := range formats {
		if err == nil && slices.Contains(s.formats, f.name) {
			out := &file{}
			err = out.open(s.folder.FS, s.temp(f.name), f.pack)
			files = append(files, out)
			s.writers = append(s.writers, f.open(out, &s.metadata))
		}
	}
	if err == nil {
		err = s.write()
	}
	for i, out := range files {
		if err == nil {
			err = s.writers[i].close()
		}
		err = out.close(err)
	}
	s.writers = nil
	return err
}

// write gives every row to all writers.
func (s *Site) write() error {
	s.row = Row{Site: escape.ShowInvalid(s.metadata.Site), Run: s.metadata.Run, Version: escape.ShowInvalid(s.metadata.Version)}
	for rec, err := range s.records() {
		if err != nil {
			return err
		}
		if rec.URLs == nil {
			continue
		}
		for i := range rec.URLs.List {
			if err := s.writeURL(&rec.URLs.List[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeURL writes the rows of a URL: one for each crawler that may not fetch it,
// or for each crawler where rows of all URLs were asked for.
func (s *Site) writeURL(loc *audit.URL) error {
	row := &s.row
	var u site.URL
	for i, v := range loc.Verdicts[:min(len(loc.Verdicts), len(s.site.Crawlers))] {
		if v == engine.Allow && s.metadata.Rows != "all" {
			continue
		}
		if u.URL == nil {
			u = s.site.NewURL(loc)
			s.setURL(row, &u)
			for _, w := range s.writers {
				w.beginURL(row)
			}
		}
		of := s.setVerdict(row, &u, i)
		for _, w := range s.writers {
			if err := w.write(row, of); err != nil {
				return err
			}
		}
	}
	return nil
}

// Commit renames the files to their final names.
func (s *Site) Commit(*summary.Line) error {
	for _, format := range s.formats {
		if err := s.folder.FS.Rename(s.temp(format), s.folder.Path(s.base+"."+format)); err != nil {
			return err
		}
	}
	s.committed = true
	return nil
}

// Discard removes the temporary files.
func (s *Site) Discard() {
	for _, format := range s.formats {
		if s.committed {
			return
		}
		s.folder.FS.Remove(s.temp(format)) // best effort: the folder is emptied when the run ends
	}
}
