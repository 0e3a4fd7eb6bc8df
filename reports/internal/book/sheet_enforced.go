package book

import (
	"maps"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/enforced"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// enforcedName is the name of the sheets with treatments of crawlers, of a site and of a run.
const enforcedName = "Crawlers"

// enforcedSheet has what the site writes for the crawlers in whose names it was asked, and how it treats them.
func enforcedSheet(o *sheetOptions) sheetDefinition {
	return askedTable(o, enforcedName, crawls.SheetColumns(enforced.Columns), func(of *site.Site, d *audit.Done) []*enforced.Crawler {
		return enforced.New(of, d).Crawlers
	})
}

// replyRow is the answer for one URL in the name of one crawler, beside ours.
type replyRow struct {
	crawler string
	url     *audit.AskedURL
	*audit.Reply
}

// longestAnswer bounds a text of a server.
const longestAnswer = 2000

// replySheet has each answer.
func replySheet(o *sheetOptions) sheetDefinition {
	column := func(title string, width float64, of func(*replyRow) string) xlsx.Column[replyRow] {
		return xlsx.Column[replyRow]{Title: title, Width: width, Value: func(r *replyRow) xlsx.Cell {
			return xlsx.Text(escape.Cut(escape.Show(of(r)), longestAnswer))
		}}
	}
	columns := []xlsx.Column[replyRow]{
		column("Crawler", 24, func(r *replyRow) string { return r.crawler }),
		column("URL", 60, func(r *replyRow) string { return r.url.URL }),
		column("Kind", 14, func(r *replyRow) string { return string(r.url.Kind) }),
		column("Under our own name", 24, func(r *replyRow) string { return r.url.Ours.Outcome() }),
		column("In its name", 24, func(r *replyRow) string { return r.Outcome() }),
		column(enforced.Treatment, 22, func(r *replyRow) string { return r.Treatment.Words() }),
		column("Reason", 30, func(r *replyRow) string { return r.Reason() }),
		column("Title", 40, func(r *replyRow) string { return r.Title }),
		column("Evidence", 50, func(r *replyRow) string {
			var list []string
			for _, name := range slices.Sorted(maps.Keys(r.Evidence)) {
				list = append(list, name+": "+r.Evidence[name])
			}
			return strings.Join(list, "; ")
		}),
	}
	return askedTable(o, "Crawler answers", columns, func(of *site.Site, _ *audit.Done) (rows []*replyRow) {
		for _, c := range of.Asked.Crawlers {
			for i := range min(len(c.Replies), len(of.Asked.URLs)) {
				rows = append(rows, &replyRow{c.Name, &of.Asked.URLs[i], &c.Replies[i]})
			}
		}
		return rows
	})
}

// wideColumn is the width from which the text of a column takes several lines.
const wideColumn = 30

// askedTable makes a sheet with the rows of a site that was asked in the names of crawlers.
func askedTable[T any](o *sheetOptions, name string, list []xlsx.Column[T], rows func(*site.Site, *audit.Done) []*T) sheetDefinition {
	var formats []xlsx.ConditionalFormat
	for i := range list {
		c := &list[i]
		if c.Title == enforced.Treatment {
			formats = append(formats, xlsx.ConditionalFormat{Column: i, Highlights: treatmentColours})
		}
		value, style := c.Value, xlsx.StyleTop
		if c.Width >= wideColumn {
			style = xlsx.StyleWrapped
		}
		c.Value = func(row *T) xlsx.Cell {
			cell := value(row)
			if cell.Kind == xlsx.KindText {
				cell.Style = style
			}
			return cell
		}
	}
	table := xlsx.NewTable(name, list, formats...)
	table.Kind.Optional, table.Kind.Frozen = true, 1
	table.Height = func(row *T) (height float64) {
		for i := range list {
			if c := &list[i]; c.Width >= wideColumn {
				height = max(height, xlsx.TextHeight(c.Value(row).Text, int(c.Width)))
			}
		}
		return height
	}
	return define(o, table, hooks[T]{end: func(s *sheet[T], d *audit.Done) {
		if of := s.workbook.site; of.Asked != nil {
			for _, row := range rows(of, d) {
				s.write(row)
			}
		}
	}})
}
