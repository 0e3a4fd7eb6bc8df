package crawls

import (
	"strconv"

	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// SheetColumns are the columns of a table on a sheet.
func SheetColumns[T any](columns []Column[T]) []xlsx.Column[T] {
	list := make([]xlsx.Column[T], len(columns))
	for i := range columns {
		c := &columns[i]
		list[i] = xlsx.Column[T]{Title: c.Title, Width: c.Width, Value: func(row *T) xlsx.Cell { return CellOf(c, row) }}
	}
	return list
}

// CellOf is the cell of a row in a column.
func CellOf[T any](c *Column[T], row *T) xlsx.Cell {
	if c.Time != nil {
		t := c.Time(row)
		if c.Days && !t.IsZero() {
			return xlsx.Day(t.Unix()/86400 + xlsx.UnixDay)
		}
		return xlsx.Time(t)
	}
	switch v := c.Value(row); v.Kind {
	case site.TextValue:
		if n, err := strconv.Atoi(v.Text); err == nil && c.Kind == ID {
			return xlsx.Identifier(n)
		}
		return xlsx.Text(v.Text)
	case site.NumberValue:
		return xlsx.Number(int64(v.Num))
	case site.ShareValue:
		return xlsx.Cell{Kind: xlsx.KindNumber, Style: xlsx.StylePercent, Number: v.Num}
	}
	return xlsx.Cell{}
}
