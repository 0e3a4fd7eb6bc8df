package book

import (
	"slices"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// siteSheets are the sheets of a site's workbook behind its summary, in their
// order; past says that they are of a site with history. To add one takes a line here, and a file with its columns and hooks.
func siteSheets(crawlers []audit.Crawler, allRows, segments, past bool) []sheetDefinition {
	list := []sheetDefinition{
		toDoSheet(segments),
		blockedSheet(past),
		templateSheet(crawlers),
		undecidedSheet(),
		urlSheet(crawlers, allRows, past),
		writtenSheet(),
		disagreementSheet(crawlers),
		ruleSheet(past),
		agentSheet(),
		policySheet(),
		fileSheet(crawlers),
		lintSheet(),
		sitemapSheet(crawlers),
		hostSheet(crawlers),
		cleanParamSheet(),
		resourceSheet(),
		pageSheet(crawlers),
		leftOutSheet(),
		problemSheet(),
		evidenceSheet(),
		timelineSheet(crawlers),
	}
	if segments {
		list = slices.Insert(list, 3, segmentSheet(crawlers)) // behind Templates
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
	clicked  *clickedURLs // of rowsByClicks; nil = no rows have clicks
}

// write writes a row.
func (s *sheet[T]) write(row *T) { s.AddRow(&s.workbook.Workbook, row) }

// hooks say when a sheet gets its rows: with each record of a kind, or at the
// site's end. nil = never.
type hooks[T any] struct {
	url      func(*sheet[T], *urlRow) // with each URL that has rows
	robots   func(*sheet[T], *audit.Robots)
	sitemap  func(*sheet[T], *audit.Sitemap)
	page     func(*sheet[T], *audit.Page)
	problem  func(*sheet[T], *audit.Problem)
	findings func(*sheet[T], *audit.Findings)
	end      func(*sheet[T], *audit.Done)
	absent   func(*site.Site, *audit.Done) absence // for sheets that are left out where they have no rows
}

// absence says why a sheet has no rows and is left out. The summary gathers them.
type absence struct {
	sheet string
	why   string // in a sentence without a full stop; "" = all was looked at, and there is nothing to tell
}

// nothing is the absence of what was looked for and is not there.
var nothing = absence{}

// define makes a definition of columns and hooks.
func define[T any](table *xlsx.Table[T], h hooks[T]) sheetDefinition {
	table.Kind.Optional = table.Kind.Optional || h.absent != nil
	return (&h).definition(table)
}

// definition has what a site keeps of the hooks point to them: there are sites in hundreds.
func (h *hooks[T]) definition(table *xlsx.Table[T]) sheetDefinition {
	return sheetDefinition{table.Kind, func(b *Site) xlsx.AnySheet {
		s := &sheet[T]{Sheet: xlsx.Sheet[T]{Table: table}, workbook: b}
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
			if h.end != nil {
				h.end(s, d)
			}
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

// Conditional formats: verdicts, states, severities, and what an AI crawler may fetch.
var (
	verdictColours  = []xlsx.Highlight{{Text: "disallow", Colour: xlsx.Red}, {Text: "undefined", Colour: xlsx.Amber}, {Text: "unknown", Colour: xlsx.Grey}}
	stateColours    = []xlsx.Highlight{{Text: "critical", Colour: xlsx.Red}, {Text: "warn", Colour: xlsx.Amber}, {Text: "unknown", Colour: xlsx.Grey}, {Text: "ok", Colour: xlsx.Green}}
	severityColours = []xlsx.Highlight{{Text: "critical", Colour: xlsx.Red}, {Text: "error", Colour: xlsx.Red}, {Text: "warning", Colour: xlsx.Amber}, {Text: "info", Colour: xlsx.Grey}}
	accessColours   = []xlsx.Highlight{{Text: "none", Colour: xlsx.Red}, {Text: "part", Colour: xlsx.Amber}, {Text: "unknown", Colour: xlsx.Grey}, {Text: "all", Colour: xlsx.Green},
		{Text: site.HomeAllowed, Colour: xlsx.Grey}, {Text: site.HomeBlocked, Colour: xlsx.Grey}}
)
