package reports

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// Exports are made from a site's records once these are complete, one site
// after the other: so the sites in flight hold nothing for them.

// CheckFormats returns an error that says which of the names is no format of
// Options.Formats, or named twice.
func CheckFormats(names []string) error {
	for i, name := range names {
		if formats[name] == nil {
			return fmt.Errorf("there is no format %q; want csv, jsonl, parquet", name)
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("the format %q is named twice", name)
		}
	}
	return nil
}

func (s *siteRun) tempExport(format string) string { return s.run.temp(s.base + "." + format) }

// export writes the site's rows in the further formats that were asked for.
// records is the file of its records, which the workbook has been made from.
func (s *siteRun) export(records string) error {
	if len(s.run.Formats) == 0 {
		return nil
	}
	var outs []io.Closer
	var buffers []*bufio.Writer
	var exporters []exporter
	var err error
	about := &exportAbout{site: s.site.Name, run: s.run, csvMark: s.run.CSVMark}
	for _, format := range s.run.Formats {
		var out io.WriteCloser
		if out, err = s.run.disk.Create(s.tempExport(format)); err != nil {
			break
		}
		outs = append(outs, out)
		buffers = append(buffers, bufio.NewWriterSize(out, 64<<10))
		exporters = append(exporters, formats[format](buffers[len(buffers)-1], about))
	}
	if err == nil {
		err = s.exportRows(records, exporters)
	}
	for i := range outs {
		if i < len(exporters) && err == nil {
			err = cmp.Or(exporters[i].end(), buffers[i].Flush())
		}
		err = errors.Join(err, outs[i].Close())
	}
	return err
}

// exportRows gives every row to all exporters.
func (s *siteRun) exportRows(records string, exporters []exporter) error {
	row := exportRow{Site: escape.ShowInvalid(s.site.Name), Run: s.run.id(), Version: escape.ShowInvalid(s.run.Version)}
	for rec, err := range readRecords(records) {
		if err != nil {
			return err
		}
		if rec.URLs == nil {
			continue
		}
		for i := range rec.URLs.List {
			u := &rec.URLs.List[i]
			first := true
			for c, v := range u.Verdicts[:min(len(u.Verdicts), len(s.site.Crawlers))] {
				if v == engine.Allow && s.run.Rows != "all" {
					continue
				}
				if first {
					s.book.exportURL(&row, u)
					first = false
				}
				s.book.exportVerdict(&row, u, c)
				for _, e := range exporters {
					if err := e.add(&row); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}
