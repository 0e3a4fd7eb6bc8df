package logs

import (
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/crawls"
)

// table is a table of the page.
type table struct {
	Caption string
	Label   string // for readers who do not see it: different on a page
	Notes   []columnNote
	Head    []headCell
	Rows    []tableRow
	Count   int // of rows
	More    int // rows that are only in the workbook
}

// columnNote says what a column's title means.
type columnNote struct{ Title, Note string }

type headCell struct {
	Title  string
	Number bool
}

// tableRow is a row, or a heading over the rows below.
type tableRow struct {
	Heading string
	Cells   []tableCell
}

// tableCell is a cell; Link is the address of something on this page.
type tableCell struct {
	Title, Text, Below, Class, Link string
	Number, Name, Time              bool
}

// longest and longestName bound a text in a cell of the page, and the name of a row.
const (
	longest     = 300
	longestName = 120
)

// of says whose table it is.
func (t *table) of(name string) *table {
	if t != nil {
		t.Label = t.Caption + ": " + escape.Cut(name, longestName)
	}
	return t
}

// newTable makes a table of the columns that have something to say; nil = there are no rows. Links and headings are by
// row; nil = none.
func newTable[T any](caption string, columns []crawls.Column[T], rows []*T, most int, link, heading func(*T) string) *table {
	if len(rows) == 0 {
		return nil
	}
	t := &table{Caption: caption, Label: caption, Count: len(rows), More: max(0, len(rows)-most)}
	rows = rows[:min(len(rows), most)]
	last := ""
	for _, row := range rows {
		if heading != nil && heading(row) != last {
			last = heading(row)
			t.Rows = append(t.Rows, tableRow{Heading: last})
		}
		t.Rows = append(t.Rows, tableRow{})
	}
	for _, c := range crawls.Shown(columns, rows) {
		addColumn(t, c, rows, link)
	}
	return t
}

// addColumn adds the cells of a column.
func addColumn[T any](t *table, c *crawls.Column[T], rows []*T, link func(*T) string) {
	var cells []tableCell
	number := false
	for _, row := range rows {
		text, isNumber := c.Text(row)
		most := longest
		if c.Kind == crawls.Name {
			most = longestName
		}
		cell := tableCell{Title: c.Title, Text: escape.Cut(text, most), Number: isNumber, Name: c.Kind == crawls.Name, Time: c.Time != nil}
		number = number || isNumber
		if text != "" && c.Below != nil {
			cell.Below = c.Below(row)
		}
		if text != "" && (c.Only == "" || c.Only == text) {
			cell.Class = c.Class
		}
		if cell.Name && link != nil {
			cell.Link = link(row)
		}
		cells = append(cells, cell)
	}
	t.Head = append(t.Head, headCell{c.Title, number})
	if c.Note != "" {
		t.Notes = append(t.Notes, columnNote{c.Title, c.Note})
	}
	at := 0
	for i := range t.Rows {
		if t.Rows[i].Heading == "" {
			cells[at].Number = number
			t.Rows[i].Cells = append(t.Rows[i].Cells, cells[at])
			at++
		}
	}
}
