package reports

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/klauspost/compress/zstd"

	"robots-audit/audit"
	"robots-audit/engine"
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

// readRecords reads a file of records.
func readRecords(name string) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		f, err := os.Open(name)
		if err != nil {
			yield(audit.Record{}, err)
			return
		}
		defer f.Close()
		z, err := zstd.NewReader(bufio.NewReader(f), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			yield(audit.Record{}, err)
			return
		}
		defer z.Close()
		for rec, err := range audit.Decode(z) {
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
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
	for _, format := range s.run.Formats {
		var out io.WriteCloser
		if out, err = s.run.disk.Create(s.tempExport(format)); err != nil {
			break
		}
		outs = append(outs, out)
		buffers = append(buffers, bufio.NewWriterSize(out, 64<<10))
		exporters = append(exporters, formats[format](buffers[len(buffers)-1]))
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
	var row exportRow
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

// exportURL fills in what a row says of its URL.
func (b *siteBook) exportURL(row *exportRow, u *audit.URL) {
	b.row.number++
	row.URL, row.LastMod, row.Clicks, row.Impressions = u.Loc, u.LastMod, u.Clicks, u.Impressions
	row.URLID, b.scratch = urlID(b.scratch, b.origin(u.Origin).Origin, u.Loc)
	b.scratch = appendPattern(b.scratch[:0], u.Loc)
	row.Pattern = string(b.scratch)
	row.Directory = topDirectory(u.Loc)
	row.Kind = "page"
	if !isPage(u.Kind) {
		row.Kind = u.Kind.String()
	}
	switch {
	case u.Kind == audit.KindList:
		row.Source = "your list of URLs"
	case u.Sitemap < 0:
		row.Source = "link on a page"
	case u.Sitemap < len(b.sitemapURLs):
		row.Source = b.sitemapURLs[u.Sitemap]
	default:
		row.Source = "sitemap no. " + itoa(u.Sitemap+1)
	}
}

// exportVerdict fills in what a row says of the verdict for crawler c.
func (b *siteBook) exportVerdict(row *exportRow, u *audit.URL, c int) {
	r := b.reading(u, c)
	for _, f := range [...]struct {
		to   *string
		from *cell
	}{
		{&row.Crawler, &r.crawler}, {&row.Profile, &r.profile}, {&row.Verdict, &r.verdict}, {&row.Rule, &r.rule}, {&row.Group, &r.group},
		{&row.Why, &r.why}, {&row.RunnerUp, &r.runnerUp}, {&row.Without, &r.without},
	} {
		*f.to = b.words.text(f.from)
	}
	row.Line, row.RunnerUpLine, row.Margin = int64(r.line.num), int64(r.runnerUpLine.num), int64(r.margin.num)
}
