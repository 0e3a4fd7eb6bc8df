package book

import (
	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// evidenceRow is a file that was fetched.
type evidenceRow struct {
	what string
	*audit.Outcome
	file string // in the evidence folder
}

// evidenceSheet has the files that were fetched.
func evidenceSheet(o *sheetOptions) sheetDefinition {
	table := xlsx.NewTable("Evidence", []xlsx.Column[evidenceRow]{
		{Title: "What", Width: 40, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Text(r.what) }},
		{Title: "URL", Width: 60, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Text(r.URL) }},
		{Title: "Time (UTC)", Width: 19, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Time(r.Started) }},
		{Title: "Status", Width: 8, Value: func(r *evidenceRow) xlsx.Cell { return status(r.Status) }},
		{Title: "Bytes", Width: 12, Value: func(r *evidenceRow) xlsx.Cell { return count(r.Bytes, r.Status != 0) }},
		{Title: "Bytes over the wire", Width: 12, Value: func(r *evidenceRow) xlsx.Cell { return count(r.Wire, r.Status != 0) }},
		{Title: "SHA-256", Width: 66, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Text(r.SHA256) }},
		{Title: "Content-Type", Width: 26, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Text(r.Type) }},
		{Title: "Tries", Width: 7, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.NumberOrBlank(int64(r.Tries)) }},
		{Title: "Cut", Width: 7, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.YesNo(r.Truncated) }},
		{Title: "Trouble", Width: 30, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Text(site.FormatProblem(r.Code, r.Detail)) }},
		{Title: "File", Width: 40, Value: func(r *evidenceRow) xlsx.Cell {
			if r.file == "" && r.SHA256 == "" {
				return xlsx.Text("nothing was read")
			}
			if r.file == "" {
				return xlsx.Text("not kept: the hash is of what was read")
			}
			return xlsx.Text(r.file)
		}},
	})
	return define(o, table, hooks[evidenceRow]{
		robots: func(s *sheet[evidenceRow], r *audit.Robots) {
			row := &evidenceRow{"robots.txt of " + r.Origin, &r.File.Outcome, s.workbook.site.Evidence[r.Index]}
			if r.File.Given {
				row.what += ": " + site.NotAsked
				row.Outcome = &audit.Outcome{URL: r.File.URL, SHA256: r.File.SHA256, Truncated: r.File.Truncated}
			}
			s.write(row)
		},
		sitemap: func(s *sheet[evidenceRow], file *audit.Sitemap) { s.write(&evidenceRow{"sitemap", &file.Outcome, ""}) },
	})
}
