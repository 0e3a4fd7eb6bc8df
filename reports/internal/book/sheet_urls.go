package book

import (
	"robots-audit/reports/internal/xlsx"
)

// allRow is a URL with the verdicts of all crawlers.
type allRow struct {
	*urlRow
	workbook *Site
}

// urlSheet has every URL with the verdicts of all crawlers, if this was requested.
func urlSheet(o *sheetOptions) sheetDefinition {
	crawlers := o.Crawlers
	columns := []xlsx.Column[allRow]{{Title: "URL", Width: 72, Value: func(r *allRow) xlsx.Cell { return xlsx.Text(r.url.Loc) }}}
	var marks []xlsx.ConditionalFormat
	for i, c := range crawlers {
		marks = append(marks, xlsx.ConditionalFormat{Column: len(columns), Highlights: verdictColours})
		columns = append(columns, xlsx.Column[allRow]{Title: c.Label, Width: 14, Value: func(r *allRow) xlsx.Cell { return r.workbook.verdictNameOf(r.url, i) }})
	}
	columns = append(columns,
		xlsx.Column[allRow]{Title: "Source", Width: 46, Value: func(r *allRow) xlsx.Cell { return r.source }},
		xlsx.Column[allRow]{Title: "Last modified", Width: 19, Extra: true, Value: func(r *allRow) xlsx.Cell { return r.lastMod }},
		xlsx.Column[allRow]{Title: "Directory", Width: 22, Value: func(r *allRow) xlsx.Cell { return r.directory }},
		xlsx.Column[allRow]{Title: "Kind", Width: 10, Extra: true, Value: func(r *allRow) xlsx.Cell { return r.kind }},
		xlsx.Column[allRow]{Title: "Clicks", Width: 10, Value: func(r *allRow) xlsx.Cell { return clicks(r.url) }},
		xlsx.Column[allRow]{Title: "Impressions", Width: 12, Value: func(r *allRow) xlsx.Cell { return impressions(r.url) }},
	)
	if o.hitsOf != "" {
		for i, c := range crawlers {
			columns = append(columns, xlsx.Column[allRow]{Title: c.Label + " hits", Width: 10, Value: func(r *allRow) xlsx.Cell { return hitsOf(r.url, i) }})
		}
	}
	if o.past {
		columns = append(columns, urlPast()...)
	}
	columns = append(columns, xlsx.Column[allRow]{Title: TitleURLID, Width: 18, Folded: true, Extra: !o.past, Value: func(r *allRow) xlsx.Cell { return r.id }})
	table := xlsx.NewTable("All URLs", columns, marks...)
	table.Kind.Optional = !o.AllRows
	return define(o, table, hooks[allRow]{url: func(s *sheet[allRow], row *urlRow) {
		if o.AllRows {
			s.workbook.allRow = allRow{row, s.workbook}
			s.write(&s.workbook.allRow)
		}
	}})
}
