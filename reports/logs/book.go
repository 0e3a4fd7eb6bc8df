package logs

import (
	"slices"
	"strings"

	"robots-audit/engine/wording"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// book is logs.xlsx while it is written.
type book struct {
	xlsx.Workbook
	tables       []anyTable // rows of sites
	sites, input anyTable   // rows of the summary
	first        *xlsx.SummarySheet
	head         *Head
	top          map[string]*topCrawler
}

// anyTable is a sheet with rows of any type.
type anyTable interface {
	xlsx.AnySheet
	mark(*crawls.Site)
	narrow(sites int)
	add(*xlsx.Workbook, *crawls.Site)
}

// sheet is a sheet with the rows of sites.
type sheet[T any] struct {
	xlsx.Sheet[T]
	rows func(*crawls.Site) []*T
	used []bool
}

// frozenWidth is the width of the columns that stay in view, at most, in characters.
const frozenWidth = 70

// newSheet makes a sheet of columns that page and workbook share.
func newSheet[T any](name string, columns []crawls.Column[T], rows func(*crawls.Site) []*T) *sheet[T] {
	var bars []xlsx.ConditionalFormat
	frozen, width := 0, 0.0
	for i := range columns {
		c := &columns[i]
		if c.Kind == crawls.Bar {
			bars = append(bars, xlsx.DataBar(i))
		}
		if width += c.Width; i == frozen && width <= frozenWidth {
			frozen = i + 1
		}
	}
	s := &sheet[T]{rows: rows, used: make([]bool, len(columns))}
	s.Table = xlsx.NewTable(name, crawls.SheetColumns(columns), bars...)
	s.Kind.Optional, s.Kind.Frozen = true, min(frozen, 2)
	return s
}

// mark notes which columns the rows of a site need.
func (s *sheet[T]) mark(of *crawls.Site) {
	for _, row := range s.rows(of) {
		s.Mark(row, s.used)
	}
}

// narrow leaves out the columns that no row needs: the site too, if there is only one.
func (s *sheet[T]) narrow(sites int) {
	s.used[0] = s.used[0] && (sites > 1 || s.Columns[0].Title != "Site")
	s.Narrow(s.used)
}

func (s *sheet[T]) add(w *xlsx.Workbook, of *crawls.Site) {
	for _, row := range s.rows(of) {
		s.AddRow(w, row)
	}
}

// inputRow is a file, a kind of lines that could not be read, or a host that is no site.
type inputRow struct {
	what, name, format string
	lines, requests    int64
	note               string
}

func newBook(w *writer) *book {
	b := &book{head: &w.Head, top: map[string]*topCrawler{}}
	b.tables = []anyTable{
		newSheet("Crawlers", crawls.CrawlerColumns, func(s *crawls.Site) []*crawls.Crawler { return s.Crawlers }),
		newSheet("Rules", crawls.RuleColumns, crawls.All((*crawls.Crawler).RuleRows)),
		newSheet("Directories", crawls.DirectoryColumns, (*crawls.Site).Directories),
		newSheet("Parts by crawler", crawls.PartColumns, crawls.All((*crawls.Crawler).PartRows)),
		newSheet("robots.txt", crawls.VersionColumns, (*crawls.Site).VersionRows),
		newSheet("robots.txt answers", crawls.AnswerColumns, (*crawls.Site).AnswerRows),
		newSheet("robots.txt reads", crawls.ReadColumns, crawls.All((*crawls.Crawler).ReadRows)),
		newSheet("URLs", crawls.AddressColumns, crawls.All((*crawls.Crawler).AddressRows)),
		newSheet("Days", crawls.DateColumns, crawls.All((*crawls.Crawler).DateRows)),
	}
	b.sites = newSheet("Sites", siteColumns, func(*crawls.Site) []*Site { return w.Summary.severalSites() })
	b.input = newSheet("Files", []crawls.Column[inputRow]{
		{Title: "What", Width: 24, Value: func(r *inputRow) site.Value { return site.Text(r.what) }},
		{Title: "Name", Width: 60, Kind: crawls.Name, Value: func(r *inputRow) site.Value { return site.Text(r.name) }},
		{Title: "Format", Width: 18, Value: func(r *inputRow) site.Value { return site.Text(r.format) }},
		{Title: "Lines", Width: 14, Value: func(r *inputRow) site.Value { return crawls.Count(r.lines) }},
		{Title: "Requests", Width: 14, Value: func(r *inputRow) site.Value { return crawls.Count(r.requests) }},
		{Title: "Note", Width: 60, Value: func(r *inputRow) site.Value { return site.Text(r.note) }},
	}, func(*crawls.Site) []*inputRow { return w.Head.inputRows() })
	for _, t := range b.all() {
		b.Sheets = append(b.Sheets, t)
	}
	b.Disk, b.SpillName, b.RowLimit, b.Whole = w.folder.FS, w.folder.TempPath("spill"), xlsx.MaxRows, true
	return b
}

// inputRows say what was read.
func (h *Head) inputRows() (rows []*inputRow) {
	for i := range h.Files {
		f := &h.Files[i]
		note := ""
		switch {
		case f.Twice:
			note = "same content as another file: counted once"
		case f.Skipped:
			note = "no log: skipped"
		case f.Early != "":
			note = "ends early: " + f.Early
		}
		rows = append(rows, &inputRow{"file", f.Name, f.Format, f.Lines, f.Requests, note})
	}
	for _, e := range h.Errors {
		rows = append(rows, &inputRow{what: "lines that could not be read", name: e.Kind, lines: e.Lines, note: strings.Join(e.Examples, ", ")})
	}
	for _, c := range h.OtherHosts {
		rows = append(rows, &inputRow{what: "host of no site: skipped", name: c.Name, requests: c.Requests})
	}
	return rows
}

// all are the sheets in their order.
func (b *book) all() []anyTable {
	return slices.Concat([]anyTable{b.sites}, b.tables, []anyTable{b.input})
}

// mark takes what the sheets and the chart need to know before the first row.
func (b *book) mark(s *crawls.Site) {
	for _, t := range b.tables {
		t.mark(s)
	}
	for _, c := range s.Crawlers {
		of := b.top[c.Name]
		if of == nil {
			of = &topCrawler{name: c.Name}
			b.top[c.Name] = of
		}
		of.requests += c.Own.Requests
		of.disobeyed += c.Own.Disobeyed
	}
}

// begin begins the workbook, once all is known but the rows.
func (b *book) begin(s *Summary) {
	b.sites.mark(nil)
	b.input.mark(nil)
	for _, t := range b.all() {
		t.narrow(len(s.Sites))
	}
	layout, first := b.summary(s)
	b.first = first
	b.Template = xlsx.NewTemplate(xlsx.Design{
		Creator: "robots-audit", Title: "Crawlers in the logs", Created: b.head.Made, Summary: layout, Sheets: xlsx.KindsOf(b.Sheets),
		PrintNote: func(printed, rows int64) string {
			return "First " + wording.Thousands(printed) + " of " + wording.Thousands(rows) + " rows"
		},
		MoreRows: func(rows int64) string { return wording.Thousands(rows) + " more rows are in " + jsonName },
	})
}

// add adds the rows of a site.
func (b *book) add(s *crawls.Site) {
	for _, t := range b.tables {
		t.add(&b.Workbook, s)
	}
}

// finish writes the workbook.
func (b *book) finish(name string) error {
	b.sites.add(&b.Workbook, nil)
	b.input.add(&b.Workbook, nil)
	return b.Finish(name, b.first)
}
