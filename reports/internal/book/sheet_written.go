package book

import "robots-audit/reports/internal/xlsx"

// writtenSheet has the URLs of the other sheets that a sitemap, or the user's own list, writes in
// another form than crawlers request them. It is a separate sheet, since most sites have none.
func writtenSheet(o *sheetOptions) sheetDefinition {
	table := xlsx.NewTable("As written", []xlsx.Column[urlRow]{
		{Title: "URL", Width: 72, Value: func(r *urlRow) xlsx.Cell { return xlsx.Text(r.url.Loc) }},
		{Title: "As written", Width: 72, Value: func(r *urlRow) xlsx.Cell { return xlsx.Text(r.url.Written) }},
		{Title: "Source", Width: 46, Value: func(r *urlRow) xlsx.Cell { return r.source }},
		{Title: "Kind", Width: 10, Value: func(r *urlRow) xlsx.Cell { return r.kind }},
		{Title: "url_id", Width: 18, Folded: true, Value: func(r *urlRow) xlsx.Cell { return r.id }},
	})
	table.Kind.Optional = true
	return define(o, table, hooks[urlRow]{url: func(s *sheet[urlRow], row *urlRow) {
		if row.url.Written != "" {
			s.write(row)
		}
	}})
}
