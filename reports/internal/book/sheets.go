package book

import (
	"slices"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// sheetOptions decide which sheets and columns the workbooks of sites have.
type sheetOptions struct {
	Options
	siteKind
	hitter int    // index of hitsOf
	hitsOf string // crawler of the columns of hits; "" = the sites have no access logs
}

// TitleHits returns the title of a column of hits.
func (o *sheetOptions) titleHits() string { return o.hitsOf + " hits" }

// siteSheets returns the sheets of a site's workbook after its summary, in their order. A new sheet
// needs a line here, and a file with its columns and hooks.
func siteSheets(o *sheetOptions) []sheetDefinition {
	type sheet struct {
		there  bool
		define func(*sheetOptions) sheetDefinition
	}
	var list []sheetDefinition
	for _, s := range []sheet{
		{o.AllSheets, toDoSheet},
		{true, blockedSheet},
		{true, templateSheet},
		{o.AllSheets, directorySheet},
		{o.Segments, segmentSheet},
		{true, undecidedSheet},
		{o.AllRows || o.AllSheets, urlSheet},
		{o.AllSheets, writtenSheet},
		{true, disagreementSheet},
		{true, lineSheet},
		{o.AllSheets, agentSheet},
		{true, policySheet},
		{o.asked, enforcedSheet},
		{o.asked && o.AllSheets, replySheet},
		{true, sitemapSheet},
		{true, hostSheet},
		{o.logged, logSheet},
		{o.logged, logRuleSheet},
		{o.logged, logURLSheet},
		{o.logged, logDaySheet},
		{true, cleanParamSheet},
		{true, resourceSheet},
		{true, pageSheet},
		{true, leftOutSheet},
		{true, problemSheet},
		{o.AllSheets, evidenceSheet},
		{true, timelineSheet},
	} {
		if s.there {
			list = append(list, s.define(o))
		}
	}
	return list
}

// sheetDefinition is a sheet of the workbooks of all sites of a run.
type sheetDefinition struct {
	kind  *xlsx.SheetKind
	begin func(*Site) xlsx.AnySheet // begins that sheet in the workbook of one site
}

// sheet is a sheet with rows T in the workbook of one site.
type sheet[T any] struct {
	xlsx.Sheet[T]
	workbook *Site
	clicked  *clickedURLs   // of rowsByClicks; nil = no rows have clicks
	whole    *xlsx.Table[T] // with all possible columns
	used     []bool         // columns with a value, while they are collected; nil = rows are written
	shown    []bool         // columns with a value in the rows so far; nil = all are shown
	late     bool           // a column got its first value after rows without it: all rows are written at the end
}

// write writes a row, or collects its columns with a value. The first row decides which columns are
// shown.
func (s *sheet[T]) write(row *T) {
	switch {
	case s.used != nil:
		s.whole.Mark(row, s.used)
		return
	case s.shown == nil:
	case !s.Begun() && !s.late:
		s.whole.Mark(row, s.shown)
		s.narrow(s.shown)
	case s.whole.Mark(row, s.shown):
		s.Restart()
		s.late = true
	}
	if !s.late {
		s.AddRow(&s.workbook.Workbook, row)
	}
}

// narrow makes the sheet, which has no rows yet, show only those columns.
func (s *sheet[T]) narrow(columns []bool) {
	shown := slices.Clone(columns)
	for i, c := range s.whole.Columns {
		shown[i] = shown[i] || c.Title == TitleNote // people write into it
	}
	s.Table = s.whole
	s.Narrow(shown)
}

// hooks say when a sheet gets its rows: with each record of a kind, or at the site's end. nil =
// never.
type hooks[T any] struct {
	url      func(*sheet[T], *urlRow) // with each URL that has rows
	robots   func(*sheet[T], *audit.Robots)
	sitemap  func(*sheet[T], *audit.Sitemap)
	page     func(*sheet[T], *audit.Page)
	problem  func(*sheet[T], *audit.Problem)
	findings func(*sheet[T], *audit.Findings)
	end      func(*sheet[T], *audit.Done)
	absent   func(*site.Site, *audit.Done) absence // for sheets that are omitted if they have no rows
	concerns func(*site.Site, *audit.Done) bool    // whether its rows interest a reader who did not request them; nil = they do
}

// absence says why a sheet has no rows and is omitted. The summary lists all absences.
type absence struct {
	sheet string
	why   string // as a sentence without a full stop; "" = everything was checked, and nothing was found
}

// nothing is the absence of a sheet for which nothing was found.
var nothing = absence{}

// define makes a definition of columns and hooks. Unless all sheets are requested, the workbook has
// no Extra columns and no sheet without rows. Sheets that are written at the end then have no
// column without a value.
func define[T any](o *sheetOptions, table *xlsx.Table[T], h hooks[T]) sheetDefinition {
	table.Kind.Optional = table.Kind.Optional || h.absent != nil
	if !o.AllSheets {
		table = lean(&o.Options, table)
		table.Kind.Optional = true
	}
	return (&h).definition(table)
}

// lean returns the table without its Extra columns, unless all sheets are requested.
func lean[T any](o *Options, table *xlsx.Table[T]) *xlsx.Table[T] {
	if o.AllSheets {
		return table
	}
	shown := make([]bool, len(table.Columns))
	for i, c := range table.Columns {
		shown[i] = !c.Extra
	}
	return table.With(shown)
}

// atEnd reports whether all rows are written at the end.
func (h *hooks[T]) atEnd() bool {
	return h.end != nil && h.url == nil && h.robots == nil && h.sitemap == nil && h.page == nil && h.problem == nil && h.findings == nil
}

// finish writes the rows that can be written only at the site's end.
func (h *hooks[T]) finish(s *sheet[T], d *audit.Done) {
	switch {
	case s.workbook.shared.AllSheets:
		if h.end != nil {
			h.end(s, d)
		}
	case h.concerns != nil && !h.concerns(s.workbook.site, d):
		s.Restart()
	case h.atEnd() && len(s.Kind.Charts) == 0:
		s.used = make([]bool, len(s.Columns))
		h.end(s, d)
		used := s.used
		if s.used = nil; slices.Contains(used, true) {
			s.narrow(used)
			h.end(s, d)
		}
	case h.end != nil:
		h.end(s, d)
	case s.late:
		s.narrow(s.shown)
		s.shown, s.late = nil, false
		s.workbook.again(func(u *site.URL) { h.url(s, s.workbook.urlRow(u)) })
	}
}

// definition wraps the hooks. A site keeps only a pointer to them, since hundreds of sites are
// open.
func (h *hooks[T]) definition(table *xlsx.Table[T]) sheetDefinition {
	return sheetDefinition{table.Kind, func(b *Site) xlsx.AnySheet {
		s := &sheet[T]{Sheet: xlsx.Sheet[T]{Table: table}, workbook: b, whole: table}
		if h.url != nil && !b.shared.AllSheets {
			s.shown = make([]bool, len(table.Columns))
		}
		if h.url != nil {
			b.onURL = append(b.onURL, func(row *urlRow) { h.url(s, row) })
		}
		if h.robots != nil {
			b.onRobots = append(b.onRobots, func(r *audit.Robots) { h.robots(s, r) })
		}
		if h.sitemap != nil {
			b.onSitemap = append(b.onSitemap, func(file *audit.Sitemap) { h.sitemap(s, file) })
		}
		if h.page != nil {
			b.onPage = append(b.onPage, func(p *audit.Page) { h.page(s, p) })
		}
		if h.problem != nil {
			b.onProblem = append(b.onProblem, func(p *audit.Problem) { h.problem(s, p) })
		}
		if h.findings != nil {
			b.onFindings = append(b.onFindings, func(f *audit.Findings) { h.findings(s, f) })
		}
		b.onEnd = append(b.onEnd, func(d *audit.Done) {
			h.finish(s, d)
			switch {
			case s.Begun():
			case h.absent != nil:
				why := h.absent(b.site, d)
				why.sheet = table.Kind.Name
				b.absent = append(b.absent, why)
			case !s.Optional():
				s.Open(&b.Workbook)
			}
		})
		return s
	}}
}

// Conditional formats: verdicts, states, severities, the access of AI crawlers, and treatments.
var (
	verdictColours  = []xlsx.Highlight{{Text: "blocked", Colour: xlsx.Red}, {Text: "undefined", Colour: xlsx.Amber}, {Text: "unknown", Colour: xlsx.Grey}}
	stateColours    = []xlsx.Highlight{{Text: "Critical", Colour: xlsx.Red}, {Text: "Warning", Colour: xlsx.Amber}, {Text: "Unknown", Colour: xlsx.Grey}, {Text: "OK", Colour: xlsx.Green}}
	severityColours = []xlsx.Highlight{{Text: "critical", Colour: xlsx.Red}, {Text: "error", Colour: xlsx.Red}, {Text: "warning", Colour: xlsx.Amber}, {Text: "info", Colour: xlsx.Grey}}
	accessColours   = []xlsx.Highlight{{Text: "none", Colour: xlsx.Red}, {Text: "part", Colour: xlsx.Amber}, {Text: "unknown", Colour: xlsx.Grey}, {Text: "all", Colour: xlsx.Green},
		{Text: site.HomeAllowed, Colour: xlsx.Grey}, {Text: site.HomeBlocked, Colour: xlsx.Grey}}
	treatmentColours = []xlsx.Highlight{{Text: audit.Refused.Words(), Colour: xlsx.Red}, {Text: audit.Challenged.Words(), Colour: xlsx.Amber}, {Text: audit.AskedToPay.Words(), Colour: xlsx.Amber},
		{Text: audit.Otherwise.Words(), Colour: xlsx.Amber}, {Text: audit.Unclear.Words(), Colour: xlsx.Grey}, {Text: audit.LetIn.Words(), Colour: xlsx.Green}}
)
