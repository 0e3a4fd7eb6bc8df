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
// (site.Output), writes a temporary file, and renames it to its final name when all
// files of the site are complete.
type siteOutput interface {
	site.Output
	Err() error                 // the first error of writing; nothing is written after it
	Finish(*audit.Done) error   // completes the temporary file; the site has all its records
	Commit(*summary.Line) error // renames it to its final name, and sets its size in the line
	Discard()                   // removes temporary files; does nothing after Commit
}

// outputKinds are the kinds of files made of a site. They are finished in this
// order and renamed in reverse: where the workbook is, all others are there
// already. To add a kind takes a package beside these, and an entry here.
var outputKinds = []struct {
	name  string                                  // in Options.Reports; "" = options of its own say whether it is made
	begin func(s *siteRun, whole bool) siteOutput // whole: all records of the site are there already
	files func(o *Options, base string) []string  // all files and folders there may be of a site, relative to the run's folder
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
	AddSite(*summary.Site) error // adds a finished site; they come in the order of summary.Place
	Finish(*summary.Run) error   // writes the file under its final name
}

// newRunOutputs are the kinds of files made of the run. To add one takes a line here.
func (r *Run) newRunOutputs() []runOutput {
	index := func() runOutput {
		p := page.NewIndex(&r.folder, r.Crawlers, len(r.done.journal.entries))
		p.Options = r.pageOptions()
		return p
	}
	if r.pagesOnly {
		return []runOutput{index()}
	}
	outputs := []runOutput{&summaryJSON{run: r}, &summaryMarkdown{run: r}}
	if r.writesOfRun(kindPage) {
		outputs = append([]runOutput{index()}, outputs...)
	}
	if r.writesOfRun(kindWorkbook) {
		outputs = append([]runOutput{book.NewRun(r.bookOptions(), r.listProblems, r.done.totals.Clicks > 0)}, outputs...)
	}
	if r.writesOfRun(kindBrief) {
		outputs = append(outputs, r.briefs())
	}
	return outputs
}

// briefs are those of the run.
func (r *Run) briefs() *brief.Run {
	return brief.NewRun(&r.folder, r.Brief, r.Started, r.Crawlers, r.wantsBrief)
}

// wantsBrief reports whether a brief of a finished site is made.
func (r *Run) wantsBrief(s *summary.Site) bool {
	return r.level() == levelAll || r.level() == levelBlocked && (s.State != audit.OK || s.BlockedURLs > 0)
}

// pageOptions are what the run's pages have in common.
func (r *Run) pageOptions() page.Options {
	return page.Options{NoWorkbooks: !r.writes(kindWorkbook), SingleFile: r.SingleFile, OnDemand: r.onDemand() && !r.pagesOnly}
}

// bookOptions are what the run's workbooks have in common.
func (r *Run) bookOptions() book.Options {
	return book.Options{Folder: &r.folder, Crawlers: r.Crawlers, Started: r.Started, AllRows: r.Rows == "all", AllSheets: r.AllSheets, Segments: r.segments != nil, RowLimit: r.RowLimit}
}
