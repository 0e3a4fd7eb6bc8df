package book

import (
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/reports/internal/xlsx"
)

// changeRow is a difference.
type changeRow struct {
	site int
	compare.Change
}

// severities are all severities, in the order of the sheet.
var severities = [...]compare.Severity{compare.Critical, compare.High, compare.Medium, compare.Info}

// addChange keeps a change until more severe ones are written.
func (b *Book) addChange(c *compare.Change) error {
	at := len(severities) - 1
	for i, s := range severities {
		if s == c.Severity {
			at = i
		}
	}
	row := appendNumber(b.row[:0], b.site)
	for _, text := range []string{c.Kind, c.What, c.Before, c.After, string(c.Severity), c.Condition} {
		row = appendText(row, text)
	}
	b.row = row
	return b.changeRows[at].add(row)
}

// writeChanges writes the rows of all changes.
func (b *Book) writeChanges() error {
	for i := range b.changeRows {
		for row, err := range b.changeRows[i].all() {
			if err != nil {
				return err
			}
			f := fields(row)
			r := changeRow{site: int(f.number())}
			r.Kind, r.What, r.Before, r.After, r.Severity, r.Condition = f.text(), f.text(), f.text(), f.text(), compare.Severity(f.text()), f.text()
			b.changes.AddRow(&b.Workbook, &r)
		}
	}
	return nil
}

// changeTable has a row for each difference, the most severe first.
func (b *Book) changeTable() *xlsx.Table[changeRow] {
	const what, value = 60, 54
	t := xlsx.NewTable("Changes", []xlsx.Column[changeRow]{
		{Title: "Site", Width: 26, Value: func(r *changeRow) xlsx.Cell { return top(b.siteName(r.site)) }},
		{Title: "Severity", Width: 10, Value: func(r *changeRow) xlsx.Cell { return xlsx.TopAligned(r.Severity.Word()) }},
		{Title: "Kind", Width: 18, Value: func(r *changeRow) xlsx.Cell { return xlsx.TopAligned(strings.ReplaceAll(r.Kind, "_", " ")) }},
		{Title: "What", Width: what, Value: func(r *changeRow) xlsx.Cell { return xlsx.Wrapped(r.What) }},
		{Title: "Before", Width: value, Value: func(r *changeRow) xlsx.Cell { return xlsx.Wrapped(r.Before) }},
		{Title: "After", Width: value, Value: func(r *changeRow) xlsx.Cell { return xlsx.Wrapped(r.After) }},
		{Title: "Condition", Width: 10, Value: func(r *changeRow) xlsx.Cell { return xlsx.TopAligned(r.Condition) }},
	}, xlsx.ConditionalFormat{Column: 1, Highlights: severityColours})
	t.Height = func(r *changeRow) float64 {
		const most = 120 // for texts of sites, which may be of any length
		return min(most, max(xlsx.TextHeight(r.What, what), xlsx.TextHeight(r.Before, value), xlsx.TextHeight(r.After, value)))
	}
	t.Kind.Optional = true
	return t
}
