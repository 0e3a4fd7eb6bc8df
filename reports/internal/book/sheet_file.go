package book

import (
	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// fileSheet has every robots.txt line by line.
func fileSheet(o *sheetOptions) sheetDefinition {
	crawlers := o.Crawlers
	columns := []xlsx.Column[site.FileLine]{
		{Title: "Line", Width: 7, Value: func(r *site.FileLine) xlsx.Cell { return xlsx.Identifier(r.Number) }},
		{Title: "Text", Width: 80, Value: func(r *site.FileLine) xlsx.Cell { return xlsx.Text(r.Text) }},
		{Title: "Counts as", Width: 34, Value: func(r *site.FileLine) xlsx.Cell { return xlsx.Text(r.Kind) }},
		{Title: "Lint", Width: 18, Value: func(r *site.FileLine) xlsx.Cell { return xlsx.Text(r.Findings) }},
	}
	for i, c := range crawlers {
		columns = append(columns, xlsx.Column[site.FileLine]{Title: "Decides for " + c.Label, Width: 15, Value: func(r *site.FileLine) xlsx.Cell {
			if r.Decided == nil || r.Decided[i] < 0 {
				return xlsx.Cell{}
			}
			return count(r.Decided[i], r.Tested)
		}})
	}
	columns = append(columns,
		xlsx.Column[site.FileLine]{Title: "Why it does not count", Width: 60, Value: func(r *site.FileLine) xlsx.Cell { return xlsx.Text(r.Why) }},
		xlsx.Column[site.FileLine]{Title: "Origin", Width: 30, Value: func(r *site.FileLine) xlsx.Cell { return xlsx.Text(r.Origin) }},
		xlsx.Column[site.FileLine]{Title: "Byte offset", Width: 12, Folded: true, Value: func(r *site.FileLine) xlsx.Cell { return xlsx.Number(int64(r.Offset)) }},
	)
	return define(o, xlsx.NewTable("File", columns), hooks[site.FileLine]{
		end: func(s *sheet[site.FileLine], _ *audit.Done) { s.workbook.site.FileLines(s.write) },
		absent: func(of *site.Site, _ *audit.Done) absence {
			if why := whyNoLines(of); why != "" {
				return absence{why: why}
			}
			return absence{why: whyNoFile(of)}
		},
	})
}

// whyNoLines says why there is no line of a robots.txt; "" = there are some.
func whyNoLines(of *site.Site) string {
	own := of.Robots(0)
	switch {
	case own.File.Bytes > 0:
		return ""
	case site.Read(own, 0).Access == engine.Parsed:
		return "the robots.txt is empty"
	}
	return whyNoFile(of)
}

func whyNoFile(of *site.Site) string {
	return "no robots.txt was read: " + site.Read(of.Robots(0), 0).Why
}
