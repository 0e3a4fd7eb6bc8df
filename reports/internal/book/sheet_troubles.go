package book

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// leftOutSheet has the URLs that were not tested, by sitemap and reason.
func leftOutSheet(o *sheetOptions) sheetDefinition {
	table := xlsx.NewTable("Skipped", []xlsx.Column[site.LeftOut]{
		{Title: "Sitemap", Width: 70, Value: func(r *site.LeftOut) xlsx.Cell { return xlsx.Text(r.Sitemap) }},
		{Title: "Reason", Width: 18, Extra: true, Value: func(r *site.LeftOut) xlsx.Cell { return xlsx.Text(r.Reason) }},
		{Title: "In words", Width: 60, Value: func(r *site.LeftOut) xlsx.Cell { return xlsx.Text(site.Meaning(r.Reason)) }},
		{Title: "URLs", Width: 12, Value: func(r *site.LeftOut) xlsx.Cell { return xlsx.Number(r.URLs) }},
	})
	write := func(s *sheet[site.LeftOut], list []site.LeftOut) {
		for i := range list {
			s.write(&list[i])
		}
	}
	return define(o, table, hooks[site.LeftOut]{
		sitemap: func(s *sheet[site.LeftOut], file *audit.Sitemap) { write(s, site.LeftOutOf(file)) },
		end:     func(s *sheet[site.LeftOut], d *audit.Done) { write(s, s.workbook.site.LeftOutElsewhere(d)) },
		absent: func(of *site.Site, d *audit.Done) absence {
			switch unread := of.Unread(d); {
			case len(unread) > 0:
				return absence{why: "URLs may be missing that were not read: " + strings.Join(unread, "; ")}
			case d.URLs == 0:
				return absence{why: "no URL was found that could be left out"}
			}
			return nothing
		},
	})
}

// problemSheet has the problems of the site.
func problemSheet(o *sheetOptions) sheetDefinition {
	columns := []xlsx.Column[audit.Problem]{
		{Title: "Stage", Width: 10, Extra: true, Value: func(p *audit.Problem) xlsx.Cell { return xlsx.Text(p.Stage) }},
		{Title: "Code", Width: 22, Extra: true, Value: func(p *audit.Problem) xlsx.Cell { return xlsx.Text(p.Code) }},
		{Title: "In words", Width: 56, Extra: true, Value: func(p *audit.Problem) xlsx.Cell { return xlsx.Text(site.Meaning(p.Code)) }},
		{Title: "URL", Width: 60, Value: func(p *audit.Problem) xlsx.Cell { return xlsx.Text(p.URL) }},
		{Title: "Detail", Width: 70, Extra: true, Value: func(p *audit.Problem) xlsx.Cell { return xlsx.Text(p.Detail) }},
	}
	if !o.AllSheets {
		columns = append(columns, xlsx.Column[audit.Problem]{Title: "Error", Width: 80, Value: func(p *audit.Problem) xlsx.Cell { return xlsx.Text(site.FormatProblem(p.Code, p.Detail)) }})
	}
	table := xlsx.NewTable("Errors", columns)
	return define(o, table, hooks[audit.Problem]{
		problem: (*sheet[audit.Problem]).write,
		absent: func(of *site.Site, _ *audit.Done) absence {
			if of.OriginCount() == 0 {
				return absence{why: "nothing was asked for"}
			}
			return nothing
		},
	})
}
