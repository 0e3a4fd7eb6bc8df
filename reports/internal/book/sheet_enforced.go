package book

import (
	"robots-audit/audit"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/enforced"
	"robots-audit/reports/internal/xlsx"
)

// enforcedName is the name of the sheets with treatments of crawlers, of a site and of a run.
const enforcedName = "Crawlers"

// enforcedSheet has what the site writes for the crawlers in whose names it was asked, and how it treats them.
func enforcedSheet(o *sheetOptions) sheetDefinition {
	return enforcedTable(o, enforcedName, enforced.Columns, func(s *enforced.Site) []*enforced.Crawler { return s.Crawlers })
}

// replySheet has each answer.
func replySheet(o *sheetOptions) sheetDefinition {
	return enforcedTable(o, "Crawler answers", enforced.ReplyColumns, (*enforced.Site).ReplyRows)
}

// wideColumn is the width from which the text of a column takes several lines.
const wideColumn = 30

func enforcedTable[T any](o *sheetOptions, name string, columns []crawls.Column[T], rows func(*enforced.Site) []*T) sheetDefinition {
	list := crawls.SheetColumns(columns)
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
		if of := enforced.New(s.workbook.site, d); of != nil {
			for _, row := range rows(of) {
				s.write(row)
			}
		}
	}})
}
