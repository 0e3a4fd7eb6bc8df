package book

import (
	"fmt"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// segmentRow is a segment with its pages.
type segmentRow struct {
	site.SegmentRow
	tallyRow
}

// segmentSheet has the segments that the user has named, where there are any.
func segmentSheet(crawlers []audit.Crawler) sheetDefinition {
	columns := []xlsx.Column[segmentRow]{{Title: "Segment", Width: 30, Value: func(r *segmentRow) xlsx.Cell { return xlsx.Text(r.Name) }}}
	columns = append(columns, tallyColumns(crawlers, func(r *segmentRow) *tallyRow { return &r.tallyRow })...)
	columns = append(columns,
		xlsx.Column[segmentRow]{Title: "% of all clicks", Width: 10, Value: func(r *segmentRow) xlsx.Cell { return xlsx.Percent(r.tally.Clicks, r.allClicks) }},
		xlsx.Column[segmentRow]{Title: "% of all URLs", Width: 10, Value: func(r *segmentRow) xlsx.Cell { return xlsx.Percent(r.tally.URLs, r.allURLs) }},
		xlsx.Column[segmentRow]{Title: "Pattern", Width: 60, Value: func(r *segmentRow) xlsx.Cell { return xlsx.Text(r.Pattern) }},
	)
	table := xlsx.NewTable("Segments", columns, xlsx.DataBar(2))
	table.Kind.Optional = true
	return define(table, hooks[segmentRow]{end: func(s *sheet[segmentRow], d *audit.Done) {
		for _, row := range s.workbook.site.Segments() {
			s.write(&segmentRow{row, newTallyRow(row.Tally, d)})
		}
	}})
}

// segmentTable writes a table of the segments with most blocked pages into the summary,
// from a row on.
func (b *Site) segmentTable(p *xlsx.SummarySheet, at int) {
	list := b.site.RankedSegments()
	if len(list) == 0 {
		return
	}
	p.SetRow(at, 32, headerCells("Known URLs by segment", "Blocked", "All", "Clicks on blocked URLs")...)
	top := list[:min(len(list), chartRows)]
	for i, of := range top {
		p.SetRow(at+1+i, 0, xlsx.Text(of.Name), count(of.BlockedAny, of.JudgedAny()), xlsx.Number(of.URLs), xlsx.NumberOrBlank(of.BlockedClicks))
	}
	if n := len(list) - len(top); n > 0 {
		p.SetRow(at+1+len(top), 0, xlsx.Text(fmt.Sprintf("and %d more segments", n)))
	}
}
