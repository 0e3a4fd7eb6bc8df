package book

import (
	"slices"

	"robots-audit/audit"
	"robots-audit/audit/pattern"
	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// urlRow is a URL with the cells that its rows on all sheets share.
type urlRow struct {
	url                                  *site.URL
	source, lastMod, directory, kind, id xlsx.Cell
	pattern                              xlsx.Cell // blank until it is needed
}

// verdictRow is a URL with a line that decides its verdict for some crawlers.
type verdictRow struct {
	*urlRow
	cells *verdictCells
	past  pastCells
}

// writeURL writes the rows of a URL to all sheets that list it.
func (b *Site) writeURL(u *site.URL) {
	row := b.urlRow(u)
	for _, write := range b.onURL {
		write(row)
	}
}

// urlRow makes the cells that all rows of a URL share. They are valid until the next URL.
func (b *Site) urlRow(u *site.URL) *urlRow {
	row := &b.row
	row.url, row.source, row.lastMod, row.directory = u, b.sources.cell(&b.Strings, b.site, u.URL), lastModified(u.LastMod), b.directory(u)
	row.kind, row.pattern = b.Strings.Cell(site.KindName(u.Kind)), xlsx.Cell{}
	var id string
	id, b.scratch = audit.URLID(b.scratch, b.site.Robots(u.Origin).Origin, u.Loc)
	row.id = xlsx.Text(id)
	return row
}

// setPattern makes the cell of the pattern of a URL's path, once for all of its rows.
func (b *Site) setPattern(row *urlRow) {
	if row.pattern.Kind == xlsx.KindBlank {
		b.scratch = pattern.Append(b.scratch[:0], row.url.Loc)
		row.pattern = b.Strings.CellOf(b.scratch)
	}
}

// blockedSheet has the blocked pages, with a row for each line that blocks one; pages with clicks
// or hits come first. It has no sentence instead of rows: programs count its rows.
func blockedSheet(o *sheetOptions) sheetDefinition {
	columns := verdictColumns(o, false)
	if o.past {
		indexed := slices.IndexFunc(columns, func(c xlsx.Column[verdictRow]) bool { return c.Title == "Indexed" })
		columns = slices.Insert(columns, indexed+1, verdictPast()...)
	}
	table := xlsx.NewTable("Blocked", columns, xlsx.ConditionalFormat{Column: 3, Highlights: verdictColours})
	return define(o, table, rowsByClicks(o.hitter,
		func(u *site.URL) bool { return u.Page && u.Blocked },
		func(v engine.Verdict) bool { return v == engine.Disallow },
	))
}

// undecidedSheet has the pages with an unknown or undefined verdict.
func undecidedSheet(o *sheetOptions) sheetDefinition {
	table := xlsx.NewTable("Undecided", verdictColumns(o, false), xlsx.ConditionalFormat{Column: 3, Highlights: verdictColours})
	table.Kind.Optional = true
	return define(o, table, rowsByClicks(o.hitter,
		func(u *site.URL) bool { return u.Page && u.Unclear },
		func(v engine.Verdict) bool { return v != engine.Disallow && v != engine.Allow },
	))
}

// resourceSheet has images, videos and alternates with a verdict other than allow.
func resourceSheet(o *sheetOptions) sheetDefinition {
	table := xlsx.NewTable("Resources", verdictColumns(o, true), xlsx.ConditionalFormat{Column: 3, Highlights: verdictColours})
	write := func(s *sheet[verdictRow], row *urlRow) {
		if !row.url.Page {
			writeVerdicts(s, row, func(v engine.Verdict) bool { return v != engine.Allow })
		}
	}
	return define(o, table, hooks[verdictRow]{url: write, absent: func(_ *site.Site, d *audit.Done) absence {
		resources := int64(0)
		for _, k := range d.Kinds {
			resources += k.URLs
		}
		switch {
		case resources == 0 && d.KindsSkipped > 0:
			return absence{why: "no images, videos or alternates were tested: -kinds leaves " + wording.Thousands(d.KindsSkipped) + " out"}
		case resources == 0:
			return absence{why: "no images, videos or alternates of pages are known of this site"}
		}
		return nothing
	}})
}

// verdictColumns are the columns of the sheets on single verdicts. Resources have a kind, but no
// directory, pattern or clicks, since they are not pages.
func verdictColumns(o *sheetOptions, resources bool) []xlsx.Column[verdictRow] {
	columns := []xlsx.Column[verdictRow]{
		{Title: "URL", Width: 72, Value: func(r *verdictRow) xlsx.Cell { return xlsx.Text(r.url.Loc) }},
		{Title: "Crawlers", Width: 30, Value: func(r *verdictRow) xlsx.Cell { return r.cells.crawlers }},
		{Title: "Profile", Width: 24, Value: func(r *verdictRow) xlsx.Cell { return r.cells.profile }},
		{Title: "Verdict", Width: 11, Value: func(r *verdictRow) xlsx.Cell { return r.cells.verdict }},
		{Title: "Rule", Width: 36, Value: func(r *verdictRow) xlsx.Cell { return r.cells.rule }},
		{Title: "Line", Width: 7, Value: func(r *verdictRow) xlsx.Cell { return r.cells.line }},
	}
	if !resources {
		columns = append(columns,
			xlsx.Column[verdictRow]{Title: "Clicks", Width: 10, Value: func(r *verdictRow) xlsx.Cell { return clicks(r.url) }},
			xlsx.Column[verdictRow]{Title: "Impressions", Width: 12, Value: func(r *verdictRow) xlsx.Cell { return impressions(r.url) }},
			xlsx.Column[verdictRow]{Title: "Indexed", Width: 9, Value: func(r *verdictRow) xlsx.Cell { return xlsx.Text(site.IndexedWord(r.url)) }},
		)
		if o.hitsOf != "" {
			columns = slices.Insert(columns, 6, xlsx.Column[verdictRow]{Title: o.titleHits(), Width: 10, Value: func(r *verdictRow) xlsx.Cell { return xlsx.Number(r.url.HitsOf(o.hitter)) }})
		}
	}
	columns = append(columns, []xlsx.Column[verdictRow]{
		{Title: "Group", Width: 20, Value: func(r *verdictRow) xlsx.Cell { return r.cells.group }},
		{Title: "If this line is deleted", Width: 27, Value: func(r *verdictRow) xlsx.Cell { return r.cells.without }},
		{Title: "Source", Width: 46, Value: func(r *verdictRow) xlsx.Cell { return r.source }},
		{Title: "Last modified", Width: 19, Extra: true, Value: func(r *verdictRow) xlsx.Cell { return r.lastMod }},
	}...)
	if resources {
		columns = append(columns, xlsx.Column[verdictRow]{Title: "Kind", Width: 14, Value: func(r *verdictRow) xlsx.Cell { return r.kind }})
	} else {
		columns = append(columns,
			xlsx.Column[verdictRow]{Title: "Directory", Width: 22, Value: func(r *verdictRow) xlsx.Cell { return r.directory }},
			xlsx.Column[verdictRow]{Title: "Template", Width: 40, Value: func(r *verdictRow) xlsx.Cell { return r.pattern }},
		)
	}
	return append(columns, []xlsx.Column[verdictRow]{
		{Title: "Why this group", Width: 44, Extra: true, Value: func(r *verdictRow) xlsx.Cell { return r.cells.why }},
		{Title: "Runner-up rule", Width: 30, Extra: true, Folded: true, Value: func(r *verdictRow) xlsx.Cell { return r.cells.runnerUp }},
		{Title: "Runner-up line", Width: 10, Extra: true, Folded: true, Value: func(r *verdictRow) xlsx.Cell { return r.cells.runnerUpLine }},
		{Title: "Margin (bytes)", Width: 10, Extra: true, Folded: true, Value: func(r *verdictRow) xlsx.Cell { return r.cells.margin }},
		{Title: TitleURLID, Width: 18, Folded: true, Extra: !o.past, Value: func(r *verdictRow) xlsx.Cell { return r.id }},
	}...)
}
