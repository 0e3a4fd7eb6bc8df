package book

import (
	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// segmentRow is a segment with its pages.
type segmentRow struct {
	site.SegmentRow
	tallyRow
}

// segmentSheet has the segments that the user has named, if there are any.
func segmentSheet(o *sheetOptions) sheetDefinition {
	columns := []xlsx.Column[segmentRow]{{Title: "Segment", Width: 30, Value: func(r *segmentRow) xlsx.Cell { return xlsx.Text(r.Name) }}}
	columns = append(columns, tallyColumns(o, func(r *segmentRow) *tallyRow { return &r.tallyRow })...)
	columns = append(columns,
		xlsx.Column[segmentRow]{Title: "% of all clicks", Width: 10, Value: func(r *segmentRow) xlsx.Cell { return xlsx.Percent(r.tally.Clicks, r.allClicks) }},
		xlsx.Column[segmentRow]{Title: "% of all URLs", Width: 10, Value: func(r *segmentRow) xlsx.Cell { return xlsx.Percent(r.tally.URLs, r.allURLs) }},
		xlsx.Column[segmentRow]{Title: "Pattern", Width: 60, Value: func(r *segmentRow) xlsx.Cell { return xlsx.Text(r.Pattern) }},
	)
	table := xlsx.NewTable("Segments", columns, xlsx.DataBar(2))
	table.Kind.Optional = true
	return define(o, table, hooks[segmentRow]{end: func(s *sheet[segmentRow], d *audit.Done) {
		for _, row := range s.workbook.site.Segments() {
			s.write(&segmentRow{row, s.workbook.tallyRow(row.Tally, d)})
		}
	}})
}
