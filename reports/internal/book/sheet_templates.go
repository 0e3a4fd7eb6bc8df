package book

import (
	"cmp"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// templateRow is a template with its deciding lines in words.
type templateRow struct {
	*site.Template
	tallyRow
	lines string
}

// The chart of the sheet Templates has the first templates with blocked URLs.
const (
	placeholderTemplates = "1040004" // the number of its last row
	maxTemplateBars      = 10
)

var templateChart = xlsx.Chart{
	Type: xlsx.BarChart, Title: "URLs blocked by template", Rows: placeholderTemplates,
	Categories: "A", Values: []string{"C"}, Colours: []string{"C0504D"}, Height: 420, Width: 560,
}

// templateSheet has the templates that probably made the addresses of the pages found, with the
// number of blocked pages for each.
func templateSheet(o *sheetOptions) sheetDefinition {
	columns := []xlsx.Column[templateRow]{{Title: "Template", Width: 60, Value: func(r *templateRow) xlsx.Cell { return xlsx.Text(cmp.Or(r.Name, "(others)")) }}}
	columns = append(columns, tallyColumns(o, func(r *templateRow) *tallyRow { return &r.tallyRow })...)
	columns = append(columns,
		xlsx.Column[templateRow]{Title: "Deciding lines", Width: 50, Value: func(r *templateRow) xlsx.Cell { return xlsx.Text(r.lines) }},
		xlsx.Column[templateRow]{Title: "Example", Width: 72, Value: func(r *templateRow) xlsx.Cell { return xlsx.Text(r.Example) }},
	)
	table := xlsx.NewTable("Templates", columns, xlsx.DataBar(2))
	table.Kind.Optional = true
	return define(o, table, hooks[templateRow]{end: func(s *sheet[templateRow], d *audit.Done) {
		of, ranked, bars := s.workbook.site, s.workbook.site.Templates.Ranked(), 0
		for bars < min(len(ranked), maxTemplateBars) && ranked[bars].BlockedAny > 0 {
			bars++
		}
		if bars > 1 {
			s.Table, s.workbook.templateBars = s.WithChart(templateChart), bars
		}
		for _, t := range ranked {
			s.write(&templateRow{t, s.workbook.tallyRow(&t.Tally, d), of.LineCounts(t.Lines)})
		}
	}})
}
