package book

import (
	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// urlRow is a URL with what its rows on all sheets have in common.
type urlRow struct {
	url                                  *site.URL
	source, lastMod, directory, kind, id xlsx.Cell
	pattern                              xlsx.Cell // blank until it is asked for
}

// verdictRow is a URL with the verdict of one crawler.
type verdictRow struct {
	*urlRow
	cells *verdictCells
}

// writeURL writes the rows of a URL on the sheets that have any.
func (b *Site) writeURL(u *site.URL) {
	row := &b.row
	row.url, row.source, row.lastMod, row.directory = u, b.sources.cell(&b.Strings, u.URL), lastModified(u.LastMod), b.directory(u)
	row.kind, row.pattern = b.Strings.Cell(site.KindName(u.Kind)), xlsx.Cell{}
	var id string
	id, b.scratch = site.URLID(b.scratch, b.site.Robots(u.Origin).Origin, u.Loc)
	row.id = xlsx.Text(id)
	for _, write := range b.onURL {
		write(row)
	}
}

// setPattern makes the cell of the pattern of a URL's path, once for all of its rows.
func (b *Site) setPattern(row *urlRow) {
	if row.pattern.Kind == xlsx.KindBlank {
		b.scratch = site.AppendPattern(b.scratch[:0], row.url.Loc)
		row.pattern = b.Strings.CellOf(b.scratch)
	}
}

// blockedSheet has the pages that a crawler may not fetch, a row for each such
// crawler. It has no sentence in place of rows: programs count its rows.
func blockedSheet() sheetDefinition {
	return define(xlsx.NewTable("Blocked", verdictColumns(false), xlsx.ConditionalFormat{Column: 3, Highlights: verdictColours}), hooks[verdictRow]{url: writeBlocked})
}

// undecidedSheet has the pages on which a verdict is unknown or undefined.
func undecidedSheet() sheetDefinition {
	table := xlsx.NewTable("Undecided", verdictColumns(false), xlsx.ConditionalFormat{Column: 3, Highlights: verdictColours})
	table.Kind.Optional = true
	return define(table, hooks[verdictRow]{url: writeUndecided})
}

// resourceSheet has images, videos and alternates with a verdict other than allow.
func resourceSheet() sheetDefinition {
	table := xlsx.NewTable("Resources", verdictColumns(true), xlsx.ConditionalFormat{Column: 3, Highlights: verdictColours})
	return define(table, hooks[verdictRow]{url: writeResource, empty: func(_ *site.Site, d *audit.Done) string {
		resources := int64(0)
		for _, k := range d.Kinds {
			resources += k.URLs
		}
		if resources == 0 && d.KindsSkipped > 0 {
			return "No images, videos or alternates were tested: -kinds leaves " + wording.Thousands(d.KindsSkipped) + " out."
		}
		if resources == 0 {
			return "No images, videos or alternates of pages are known of this site."
		}
		return "Images, videos, alternates: none is blocked from crawling (" + wording.Known(resources) + " beside the pages)."
	}})
}

func writeBlocked(s *sheet[verdictRow], row *urlRow) {
	if !row.url.Page || !row.url.Blocked {
		return
	}
	for i, v := range s.workbook.verdictsOf(row.url) {
		if v == engine.Disallow {
			writePage(s, row, i)
		}
	}
}

func writeUndecided(s *sheet[verdictRow], row *urlRow) {
	if !row.url.Page || !row.url.Unclear {
		return
	}
	for i, v := range s.workbook.verdictsOf(row.url) {
		if v != engine.Disallow && v != engine.Allow {
			writePage(s, row, i)
		}
	}
}

func writeResource(s *sheet[verdictRow], row *urlRow) {
	if row.url.Page {
		return
	}
	for i, v := range s.workbook.verdictsOf(row.url) {
		if v != engine.Allow {
			s.workbook.verdictRow = verdictRow{row, s.workbook.verdictCells(row.url, i)}
			s.write(&s.workbook.verdictRow)
		}
	}
}

// writePage writes the row of a page for the i-th crawler.
func writePage(s *sheet[verdictRow], row *urlRow, i int) {
	s.workbook.setPattern(row)
	s.workbook.verdictRow = verdictRow{row, s.workbook.verdictCells(row.url, i)}
	s.write(&s.workbook.verdictRow)
}

// verdictsOf are the verdicts of the crawlers asked about.
func (b *Site) verdictsOf(u *site.URL) []engine.Verdict {
	return u.Verdicts[:min(len(u.Verdicts), len(b.site.Crawlers))]
}

// verdictColumns are the columns of the sheets on single verdicts; resources, which
// are no pages, have a kind, and no directory, pattern and clicks.
func verdictColumns(resources bool) []xlsx.Column[verdictRow] {
	columns := []xlsx.Column[verdictRow]{
		{Title: "URL", Width: 72, Value: func(r *verdictRow) xlsx.Cell { return xlsx.Text(r.url.Loc) }},
		{Title: "Crawler", Width: 18, Value: func(r *verdictRow) xlsx.Cell { return r.cells.crawler }},
		{Title: "Profile", Width: 13, Value: func(r *verdictRow) xlsx.Cell { return r.cells.profile }},
		{Title: "Verdict", Width: 11, Value: func(r *verdictRow) xlsx.Cell { return r.cells.verdict }},
		{Title: "Rule", Width: 36, Value: func(r *verdictRow) xlsx.Cell { return r.cells.rule }},
		{Title: "Line", Width: 7, Value: func(r *verdictRow) xlsx.Cell { return r.cells.line }},
		{Title: "Group", Width: 20, Value: func(r *verdictRow) xlsx.Cell { return r.cells.group }},
		{Title: "Why this group", Width: 44, Value: func(r *verdictRow) xlsx.Cell { return r.cells.why }},
		{Title: "Runner-up rule", Width: 30, Value: func(r *verdictRow) xlsx.Cell { return r.cells.runnerUp }},
		{Title: "Runner-up line", Width: 10, Value: func(r *verdictRow) xlsx.Cell { return r.cells.runnerUpLine }},
		{Title: "Margin (octets)", Width: 10, Value: func(r *verdictRow) xlsx.Cell { return r.cells.margin }},
		{Title: "If this line goes", Width: 27, Value: func(r *verdictRow) xlsx.Cell { return r.cells.without }},
		{Title: "Source", Width: 46, Value: func(r *verdictRow) xlsx.Cell { return r.source }},
		{Title: "Last modified", Width: 19, Value: func(r *verdictRow) xlsx.Cell { return r.lastMod }},
	}
	if resources {
		columns = append(columns, xlsx.Column[verdictRow]{Title: "Kind", Width: 14, Value: func(r *verdictRow) xlsx.Cell { return r.kind }})
	} else {
		columns = append(columns,
			xlsx.Column[verdictRow]{Title: "Directory", Width: 22, Value: func(r *verdictRow) xlsx.Cell { return r.directory }},
			xlsx.Column[verdictRow]{Title: "Pattern", Width: 40, Value: func(r *verdictRow) xlsx.Cell { return r.pattern }},
			xlsx.Column[verdictRow]{Title: "Clicks", Width: 10, Value: func(r *verdictRow) xlsx.Cell { return clicks(r.url) }},
			xlsx.Column[verdictRow]{Title: "Impressions", Width: 12, Value: func(r *verdictRow) xlsx.Cell { return impressions(r.url) }},
		)
	}
	return append(columns, xlsx.Column[verdictRow]{Title: "url_id", Width: 18, Value: func(r *verdictRow) xlsx.Cell { return r.id }})
}
