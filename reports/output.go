package reports

import (
	"iter"

	"robots-audit/audit"
	"robots-audit/reports/internal/book"
	"robots-audit/reports/internal/brief"
	"robots-audit/reports/internal/export"
	"robots-audit/reports/internal/page"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// siteOutput makes one kind of file of a site. It gets the site's records as they come
// (site.Output), writes a temporary file, and renames it to its final name when all files of the
// site are complete.
type siteOutput interface {
	site.Output
	Err() error                 // the first write error; nothing is written after it
	Finish(*audit.Done) error   // completes the temporary file; the site has all its records
	Commit(*summary.Line) error // renames it to its final name, and sets its size in the line
	Discard()                   // removes temporary files; does nothing after Commit
}

// outputKinds are the kinds of files made for a site. They are finished in this order and renamed
// in reverse: once the workbook exists, all others do too. A new kind needs its own package here
// and an entry in this list.
var outputKinds = []struct {
	name  string                                  // in Options.Reports; "" = separate options decide whether it is made
	begin func(s *siteRun, whole bool) siteOutput // whole = all records of the site are already available
	files func(o *Options, base string) []string  // all files and folders that a site may have, relative to the run's folder
}{
	{
		name: kindWorkbook,
		begin: func(s *siteRun, whole bool) siteOutput {
			return s.run.workbooks.Begin(s.data, s.base, whole, s.readRecords)
		},
		files: func(_ *Options, base string) []string { return book.SiteFiles(base) },
	},
	{
		name: kindPage,
		begin: func(s *siteRun, _ bool) siteOutput {
			p := page.NewSite(s.data, &s.run.folder, s.base, s.run.Version)
			p.Options = s.run.pageOptions()
			return p
		},
		files: func(_ *Options, base string) []string { return page.SiteFiles(base) },
	},
	{
		begin: func(s *siteRun, whole bool) siteOutput {
			r := s.run
			about := export.Metadata{
				Site: s.site.Name, Run: r.id(), Version: r.Version, Build: Build(), Started: r.Started, Crawlers: r.Crawlers, Rows: r.Rows, CSVMark: r.CSVMark,
			}
			return export.NewSite(s.data, &r.folder, s.base, r.Formats, about, whole, s.readRecords)
		},
		files: func(o *Options, base string) []string { return export.SiteFiles(base, o.Formats) },
	},
}

// readRecords reads the records of the site, once they are complete.
func (s *siteRun) readRecords() iter.Seq2[audit.Record, error] {
	return readRecords(s.records.disk(), s.records.name())
}

// runOutput makes one kind of file of the run as a whole.
type runOutput interface {
	AddSite(*summary.Site) error // adds a finished site; sites come in the order of summary.Place
	Finish(*summary.Run) error   // writes the file under its final name
}

// newRunOutputs returns the kinds of files made for the run. A new kind needs a line here.
func (r *Run) newRunOutputs() []runOutput {
	index := func() runOutput {
		p := page.NewIndex(&r.folder, r.Crawlers, len(r.done.journal.entries))
		p.Options = r.pageOptions()
		return p
	}
	if r.pagesOnly {
		return []runOutput{index(), &page.Matrix{Options: r.pageOptions(), Folder: &r.folder}}
	}
	outputs := []runOutput{&summaryJSON{run: r}, &summaryMarkdown{run: r}}
	if r.writesOfRun(kindPage) {
		outputs = append([]runOutput{index()}, outputs...)
	}
	if r.writesOfRun(kindWorkbook) {
		outputs = append([]runOutput{book.NewRun(r.bookOptions(), r.listProblems, r.done.totals)}, outputs...)
	}
	if r.writesOfRun(kindBrief) {
		outputs = append(outputs, r.briefs())
	}
	return outputs
}

// briefs returns the briefs of the run.
func (r *Run) briefs() *brief.Run {
	return brief.NewRun(&r.folder, r.Brief, r.Started, r.Crawlers, r.wantsBrief)
}

// wantsBrief reports whether a brief of a finished site is made.
func (r *Run) wantsBrief(s *summary.Site) bool {
	return r.level() == levelAll || r.level() == levelBlocked && (s.State != audit.OK || s.BlockedURLs > 0)
}

// pageOptions are the options that the run's pages share.
func (r *Run) pageOptions() page.Options {
	return page.Options{NoWorkbooks: !r.writes(kindWorkbook), SingleFile: r.SingleFile, OnDemand: r.onDemand() && !r.pagesOnly, Editor: r.Editor}
}

// bookOptions are the options that the run's workbooks share.
func (r *Run) bookOptions() book.Options {
	return book.Options{Folder: &r.folder, Crawlers: r.Crawlers, Started: r.Started, AllRows: r.Rows == "all", AllSheets: r.AllSheets, Segments: r.segments != nil, RowLimit: r.RowLimit}
}
