package reports

import (
	"iter"

	"robots-audit/audit"
	"robots-audit/reports/internal/book"
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

// newOutputs are the kinds of files made of a site. They are finished in this order
// and renamed in reverse: where the workbook is, all others are there already. To add
// a kind takes a package beside these, and a line here. whole says that all records
// of the site are in memory.
func (s *siteRun) newOutputs(whole bool) []siteOutput {
	r := s.run
	about := export.Metadata{
		Site: s.site.Name, Run: r.id(), Version: r.Version, Build: Build(), Started: r.Started, Crawlers: r.Crawlers, Rows: r.Rows, CSVMark: r.CSVMark,
	}
	records := func() iter.Seq2[audit.Record, error] { return readRecords(s.records.name()) }
	return []siteOutput{
		r.workbooks.Begin(s.data, s.base, whole),
		page.NewSite(s.data, &r.folder, s.base, r.Version),
		export.NewSite(s.data, &r.folder, s.base, r.Formats, about, records),
	}
}

// runOutput makes one kind of file of the run as a whole.
type runOutput interface {
	AddSite(*summary.Site) error // adds a finished site; they come in the order of the list
	Finish(*summary.Run) error   // writes the file under its final name
}

// newRunOutputs are the kinds of files made of the run. To add one takes a line here.
func (r *Run) newRunOutputs() ([]runOutput, error) {
	workbook, err := book.NewRun(r.bookOptions(), r.listProblems)
	if err != nil {
		return nil, err
	}
	return []runOutput{workbook, page.NewIndex(&r.folder, r.Crawlers), &summaryJSON{run: r}, &summaryMarkdown{run: r}}, nil
}

// bookOptions are what the run's workbooks have in common.
func (r *Run) bookOptions() book.Options {
	return book.Options{Folder: &r.folder, Crawlers: r.Crawlers, Started: r.Started, AllRows: r.Rows == "all", RowLimit: r.RowLimit}
}
