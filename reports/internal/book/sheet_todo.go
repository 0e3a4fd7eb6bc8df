package book

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// toDoRow is a cause with its place in the order of effects.
type toDoRow struct {
	*site.Cause
	number int
}

// toDoName is the name of the sheet to which the summary sheet leads first.
const toDoName = "To do"

// toDoSheet has what is to be decided on or fixed. It is read from left to right, and
// over several lines: what it is, whom and how much it concerns, whether it is meant,
// what to do, and what happens then.
func toDoSheet(segments bool) sheetDefinition {
	const what, templates, meant, do, proof, examples = 40, 34, 40, 44, 38, 60
	columns := []xlsx.Column[toDoRow]{
		{Title: "No.", Width: 6, Value: func(r *toDoRow) xlsx.Cell { return xlsx.Identifier(r.number) }},
		{Title: "What", Width: what, Value: func(r *toDoRow) xlsx.Cell { return xlsx.Wrapped(r.What) }},
		{Title: "Crawlers", Width: 22, Value: func(r *toDoRow) xlsx.Cell { return xlsx.Wrapped(r.ForWhom()) }},
		{Title: "URLs", Width: 10, Value: func(r *toDoRow) xlsx.Cell { return figureValue(r.URLCount()) }},
		{Title: "Share of URLs", Width: 9, Value: func(r *toDoRow) xlsx.Cell { return figureValue(r.Share) }},
		{Title: "Clicks", Width: 10, Value: func(r *toDoRow) xlsx.Cell { return figureValue(r.ClickCount()) }},
		{Title: "Share of clicks", Width: 9, Value: func(r *toDoRow) xlsx.Cell { return figureValue(r.ClickShare) }},
		{Title: "Templates", Width: templates, Value: func(r *toDoRow) xlsx.Cell { return xlsx.Wrapped(r.InTemplates()) }},
		{Title: "Is it meant?", Width: meant, Value: func(r *toDoRow) xlsx.Cell { return xlsx.Wrapped(r.Meant) }},
		{Title: "What to do", Width: do, Value: func(r *toDoRow) xlsx.Cell { return xlsx.Wrapped(r.Do) }},
		{Title: "What happens then", Width: proof, Value: func(r *toDoRow) xlsx.Cell { return xlsx.Wrapped(r.Proof) }},
		{Title: "Owner", Width: 16, Value: func(*toDoRow) xlsx.Cell { return xlsx.Cell{} }}, // for the reader
		{Title: "Examples", Width: examples, Value: func(r *toDoRow) xlsx.Cell { return xlsx.Wrapped(strings.Join(r.Cause.Examples, " ")) }},
		{Title: "Line", Width: 7, Value: func(r *toDoRow) xlsx.Cell {
			if r.Line == 0 {
				return xlsx.Cell{}
			}
			return xlsx.Identifier(r.Line)
		}},
		{Title: "Rule", Width: 28, Value: func(r *toDoRow) xlsx.Cell { return xlsx.Wrapped(r.Rule) }},
		{Title: "Origin", Width: 30, Value: func(r *toDoRow) xlsx.Cell { return xlsx.TopAligned(r.Origin) }},
		{Title: "Rows on sheet", Width: 10, Value: func(r *toDoRow) xlsx.Cell { return xlsx.TopAligned(r.Sheet) }, Link: func(r *toDoRow) string { return xlsx.LinkToSheet(r.Sheet) }},
	}
	if segments {
		columns = slices.Insert(columns, 8, xlsx.Column[toDoRow]{Title: "Segments", Width: templates, Value: func(r *toDoRow) xlsx.Cell { return xlsx.Wrapped(r.InSegments()) }}) // behind Templates
	}
	t := xlsx.NewTable(toDoName, columns)
	t.Height = func(r *toDoRow) float64 {
		const most = 120 // for addresses and rules, which may be of any length
		return max(xlsx.TextHeight(r.What, what), xlsx.TextHeight(r.ForWhom(), 22), xlsx.TextHeight(r.Meant, meant), xlsx.TextHeight(r.Do, do), xlsx.TextHeight(r.Proof, proof),
			min(most, xlsx.TextHeight(r.InTemplates(), templates)), min(most, xlsx.TextHeight(strings.Join(r.Cause.Examples, " "), examples)))
	}
	return define(t, hooks[toDoRow]{
		end: func(s *sheet[toDoRow], d *audit.Done) {
			todo := s.workbook.site.ToDo(d)
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
