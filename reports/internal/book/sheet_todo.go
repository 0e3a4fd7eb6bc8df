package book

import (
	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// toDoRow is a cause with its place in the order of effects.
type toDoRow struct {
	*site.Cause
	number int
}

// toDoName is the name of the sheet to which the summary sheet links first.
const toDoName = "To do"

// toDoSheet has the decisions to make and the issues to fix; its rows take several lines. The last
// columns are the position in the file, which a page gives in a sentence.
func toDoSheet(o *sheetOptions) sheetDefinition {
	described := site.CauseColumns(o.Segments, o.hitsOf)
	columns := []xlsx.Column[toDoRow]{
		{Title: "No.", Width: 6, Value: func(r *toDoRow) xlsx.Cell {
			if r.number == 0 { // the lead
				return xlsx.Cell{}
			}
			return xlsx.Identifier(r.number)
		}},
	}
	for _, c := range described {
		column := xlsx.Column[toDoRow]{Title: c.Title, Width: float64(c.Width)}
		if c.Value != nil {
			column.Value = func(r *toDoRow) xlsx.Cell { return figureValue(c.Value(r.Cause)) }
		} else {
			column.Value = func(r *toDoRow) xlsx.Cell { return xlsx.Wrapped(c.Text(r.Cause)) }
		}
		columns = append(columns, column)
	}
	columns = append(columns, []xlsx.Column[toDoRow]{
		{Title: "Line", Width: 7, Value: func(r *toDoRow) xlsx.Cell {
			if r.Line == 0 {
				return xlsx.Cell{}
			}
			return xlsx.Identifier(r.Line)
		}},
		{Title: "Rule", Width: 28, Value: func(r *toDoRow) xlsx.Cell { return xlsx.Wrapped(r.Rule) }},
		{Title: "Origin", Width: 30, Value: func(r *toDoRow) xlsx.Cell { return xlsx.TopAligned(r.Origin) }},
		{Title: "Rows on sheet", Width: 10, Value: func(r *toDoRow) xlsx.Cell { return xlsx.TopAligned(r.Sheet) }, Link: func(r *toDoRow) string { return xlsx.LinkToSheet(r.Sheet) }},
	}...)
	t := xlsx.NewTable(toDoName, columns)
	t.Height = func(r *toDoRow) (height float64) {
		for _, c := range described {
			if c.Height > 0 {
				height = max(height, min(c.Height, xlsx.TextHeight(c.Text(r.Cause), c.Width)))
			}
		}
		return height
	}
	return define(o, t, hooks[toDoRow]{
		end: func(s *sheet[toDoRow], d *audit.Done) {
			todo := s.workbook.site.ToDo(d)
			if todo.Lead.What != "" {
				s.write(&toDoRow{&site.Cause{What: todo.Lead.What, Do: todo.Lead.Do}, 0})
			}
			for i := range todo.List {
				s.write(&toDoRow{&todo.List[i], i + 1})
			}
			if todo.Nothing != "" {
				s.Note(&s.workbook.Workbook, todo.Nothing)
			}
			if todo.More > 0 {
				s.write(&toDoRow{&site.Cause{What: todo.MoreWords()}, len(todo.List) + 1})
			}
		},
	})
}
