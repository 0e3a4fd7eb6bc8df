package reports

import (
	"maps"
	"slices"

	"robots-audit/audit"
	"robots-audit/reports/internal/xlsx"
)

// leftOutRow is a number of URLs that were not tested, for one reason.
type leftOutRow struct {
	where  string
	reason string
	urls   int64
}

func leftOutTable() *xlsx.Table[leftOutRow] {
	return xlsx.NewTable("Left out", []xlsx.Column[leftOutRow]{
		{Title: "Sitemap", Width: 70, Value: func(r *leftOutRow) xlsx.Cell { return xlsx.Text(r.where) }},
		{Title: "Reason", Width: 18, Value: func(r *leftOutRow) xlsx.Cell { return xlsx.Text(r.reason) }},
		{Title: "In words", Width: 60, Value: func(r *leftOutRow) xlsx.Cell { return xlsx.Text(meaning(r.reason)) }},
		{Title: "URLs", Width: 12, Value: func(r *leftOutRow) xlsx.Cell { return xlsx.Number(r.urls) }},
	})
}

// addLeftOut writes the URLs that one sitemap names and that were not tested.
func (b *siteBook) addLeftOut(s *audit.Sitemap) {
	for _, reason := range slices.Sorted(maps.Keys(s.LeftOut)) {
		b.leftOut.AddRow(&b.Workbook, &leftOutRow{s.URL, reason, s.LeftOut[reason]})
		if b.left == nil {
			b.left = map[string]int64{}
		}
		b.left[reason] += s.LeftOut[reason]
	}
}

// addRemainder writes the URLs left out that no sitemap accounts for.
func (b *siteBook) addRemainder(d *audit.Done) {
	for _, reason := range slices.Sorted(maps.Keys(d.LeftOut)) {
		if n := d.LeftOut[reason] - b.left[reason]; n > 0 {
			b.leftOut.AddRow(&b.Workbook, &leftOutRow{"", reason, n})
		}
	}
}

func problemTable() *xlsx.Table[audit.Problem] {
	return xlsx.NewTable("Problems", []xlsx.Column[audit.Problem]{
		{Title: "Stage", Width: 10, Value: func(p *audit.Problem) xlsx.Cell { return xlsx.Text(p.Stage) }},
		{Title: "Code", Width: 22, Value: func(p *audit.Problem) xlsx.Cell { return xlsx.Text(p.Code) }},
		{Title: "In words", Width: 56, Value: func(p *audit.Problem) xlsx.Cell { return xlsx.Text(meaning(p.Code)) }},
		{Title: "URL", Width: 60, Value: func(p *audit.Problem) xlsx.Cell { return xlsx.Text(p.URL) }},
		{Title: "Detail", Width: 70, Value: func(p *audit.Problem) xlsx.Cell { return xlsx.Text(p.Detail) }},
	})
}
