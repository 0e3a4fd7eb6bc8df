package book

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// lintRow is a finding about one robots.txt.
type lintRow struct {
	*audit.Finding
	origin string
}

// lintTable is read rather than filtered: its sentences run over several lines.
func lintTable() *xlsx.Table[lintRow] {
	t := xlsx.NewTable("Lint", []xlsx.Column[lintRow]{
		{Title: "ID", Width: 9, Value: func(r *lintRow) xlsx.Cell { return xlsx.TopAligned(r.ID) }},
		{Title: "Name", Width: 26, Value: func(r *lintRow) xlsx.Cell { return xlsx.Wrapped(r.Name()) }},
		{Title: "Severity", Width: 10, Value: func(r *lintRow) xlsx.Cell { return xlsx.TopAligned(r.Severity.String()) }},
		{Title: "Profile", Width: 24, Value: func(r *lintRow) xlsx.Cell { return xlsx.TopAligned(strings.Join(r.Profiles, ", ")) }},
		{Title: "Line", Width: 7, Value: func(r *lintRow) xlsx.Cell {
			if r.Line == 0 {
				return xlsx.Cell{} // the file as a whole
			}
			return xlsx.Identifier(r.Line)
		}},
		{Title: "Text", Width: 44, Value: func(r *lintRow) xlsx.Cell { return xlsx.Wrapped(r.Text) }},
		{Title: "What", Width: 70, Value: func(r *lintRow) xlsx.Cell { return xlsx.Wrapped(r.What) }},
		{Title: "Why it matters", Width: 60, Value: func(r *lintRow) xlsx.Cell { return xlsx.Wrapped(r.Why) }},
		{Title: "What to do", Width: 60, Value: func(r *lintRow) xlsx.Cell { return xlsx.Wrapped(r.Fix) }},
		{Title: "URLs touched", Width: 12, Value: func(r *lintRow) xlsx.Cell {
			if !r.Counted {
				return xlsx.Cell{}
			}
			return xlsx.Number(r.URLs)
		}},
		{Title: "Sample URLs", Width: 70, Value: func(r *lintRow) xlsx.Cell { return xlsx.TopAligned(strings.Join(r.Samples, " ")) }},
		{Title: "Line as it should be", Width: 44, Value: func(r *lintRow) xlsx.Cell { return xlsx.Wrapped(r.Replacement) }},
		{Title: "More of this kind", Width: 12, Value: func(r *lintRow) xlsx.Cell { return xlsx.NumberOrBlank(int64(r.More)) }},
		{Title: "Origin", Width: 30, Value: func(r *lintRow) xlsx.Cell { return xlsx.TopAligned(r.origin) }},
		{Title: "URLs touched are", Width: 36, Value: func(r *lintRow) xlsx.Cell { return xlsx.Wrapped(r.Touched) }},
	}, xlsx.ConditionalFormat{Column: 2, Highlights: severityColours}, xlsx.DataBar(9))
	t.Height = func(r *lintRow) float64 {
		const most = 90 // for a line of the file, which may be of any length
		return max(xlsx.TextHeight(r.What, 72), xlsx.TextHeight(r.Why, 62), xlsx.TextHeight(r.Fix, 62), min(most, xlsx.TextHeight(r.Text, 46)), min(most, xlsx.TextHeight(r.Replacement, 46)))
	}
	return t
}

// lintSheet has the findings.
func lintSheet(o *sheetOptions) sheetDefinition {
	return define(o, lintTable(), hooks[lintRow]{
		findings: func(s *sheet[lintRow], of *audit.Findings) {
			origins := s.workbook.site.OriginsOf(s.workbook.site.Robots(of.Origin))
			for _, found := range site.ByEffect(of) {
				s.write(&lintRow{found, origins})
			}
		},
		absent: func(of *site.Site, d *audit.Done) absence {
			switch {
			case d.Findings == nil:
				return absence{why: "findings were not looked for when this site was audited"}
			case !of.Looked():
				return absence{why: whyNoFile(of) + ", and there was no file to look for findings in"}
			}
			return nothing
		},
	})
}
