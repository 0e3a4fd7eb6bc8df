package book

import (
	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// directorySheet has the top directories with the verdicts for their URLs.
func directorySheet(o *sheetOptions) sheetDefinition {
	columns := []xlsx.Column[site.Directory]{
		{Title: "Directory", Width: 40, Value: func(r *site.Directory) xlsx.Cell { return xlsx.Text(site.DirectoryName(r.Name)) }},
		{Title: "URLs", Width: 11, Value: func(r *site.Directory) xlsx.Cell { return xlsx.Number(r.URLs) }},
		{Title: "URLs blocked", Width: 11, Value: func(r *site.Directory) xlsx.Cell { return xlsx.Number(r.Blocked) }},
		{Title: "URLs allowed", Width: 11, Value: func(r *site.Directory) xlsx.Cell { return xlsx.Number(r.URLs - r.Blocked - r.Unclear) }},
		{Title: "Without a clear verdict", Width: 12, Value: func(r *site.Directory) xlsx.Cell { return xlsx.Number(r.Unclear) }},
	}
	columns = append(columns, hitsColumns(o, func(r *site.Directory) site.Hits { return r.Hits })...)
	table := xlsx.NewTable("Directories", columns, xlsx.DataBar(2))
	table.Kind.Optional = true
	return define(o, table, hooks[site.Directory]{end: func(s *sheet[site.Directory], _ *audit.Done) {
		for _, r := range s.workbook.site.Directories.Ranked() {
			s.write(r)
		}
	}})
}
