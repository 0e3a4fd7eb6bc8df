package book

import (
	"robots-audit/audit/compare"
	"robots-audit/reports/internal/xlsx"
)

// robotsName is the name of the sheet of files side by side.
const robotsName = "Robots.txt"

// robotsRow is a changed line of a robots.txt, or a line near one.
type robotsRow struct {
	*pair
	site, origin xlsx.Cell
}

// notCounted replaces the effect of a line if there are too many lines to test each.
var notCounted = xlsx.TopAligned("not counted")

// unchanged is the word for a line that is the same in both files.
const unchanged = "unchanged"

// robotsTable has both files of each origin side by side, if they differ.
func robotsTable() *xlsx.Table[robotsRow] {
	count := func(title string, of func(*compare.Line) int64) xlsx.Column[robotsRow] {
		return xlsx.Column[robotsRow]{Title: title, Width: 12, Value: func(r *robotsRow) xlsx.Cell {
			switch {
			case r.change == nil:
				return xlsx.Cell{}
			case r.change.NotCounted:
				return notCounted
			}
			return xlsx.Number(of(r.change))
		}}
	}
	t := xlsx.NewTable(robotsName, []xlsx.Column[robotsRow]{
		{Title: "Site", Width: 26, Value: func(r *robotsRow) xlsx.Cell { return r.site }},
		{Title: "Change", Width: 11, Value: func(r *robotsRow) xlsx.Cell {
			if r.change == nil {
				return xlsx.Text(unchanged)
			}
			return xlsx.Text(r.change.Op.Words())
		}},
		{Title: "Old line", Width: 7, Value: func(r *robotsRow) xlsx.Cell { return line(r.oldLine) }},
		{Title: "Old text", Width: 54, Value: func(r *robotsRow) xlsx.Cell { return xlsx.Text(r.old) }},
		{Title: "New line", Width: 7, Value: func(r *robotsRow) xlsx.Cell { return line(r.newLine) }},
		{Title: "New text", Width: 54, Value: func(r *robotsRow) xlsx.Cell { return xlsx.Text(r.new) }},
		count("Newly blocked", func(l *compare.Line) int64 { return l.NewlyBlocked }),
		count("Newly allowed", func(l *compare.Line) int64 { return l.NewlyAllowed }),
		count("Other changes", func(l *compare.Line) int64 { return l.OtherFlips }),
		count("With other lines", func(l *compare.Line) int64 { return l.Together }),
		count("Weight", func(l *compare.Line) int64 { return l.Weight }),
		{Title: "Origin", Width: 36, Value: func(r *robotsRow) xlsx.Cell { return r.origin }},
	}, lineMarks()...)
	t.Kind.Optional = true
	return t
}

// addOrigin writes the rows of an origin's files, and returns a link to the first of them; "" = none.
// It writes nothing for files that another origin also serves: that origin has the rows.
func (b *Book) addOrigin(o *compare.Origin) (link string) {
	if o.SameAs != "" {
		return ""
	}
	row := robotsRow{site: b.siteName(b.site), origin: b.Strings.Cell(o.Name)}
	sideBySide(o, func(p *pair) {
		row.pair = p
		b.robots.AddRow(&b.Workbook, &row)
		if link == "" {
			link = xlsx.LinkToRow(b.robots.Last())
		}
	})
	return link
}
