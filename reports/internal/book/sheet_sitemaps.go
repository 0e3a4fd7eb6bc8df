package book

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// sitemapSheet has the sitemaps that were read.
func sitemapSheet(o *sheetOptions) sheetDefinition {
	crawlers := o.Crawlers
	read := func(s *audit.Sitemap, n int64) xlsx.Cell { return count(n, site.SitemapWasRead(s)) }
	columns := []xlsx.Column[audit.Sitemap]{
		{Title: "No.", Width: 7, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Identifier(s.Index + 1) }},
		{Title: "Sitemap", Width: 70, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(s.URL) }},
		{Title: "Found in", Width: 24, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(site.NamedBy(s)) }},
		{Title: "Status", Width: 8, Value: func(s *audit.Sitemap) xlsx.Cell { return status(s.Status) }},
		{Title: "Trouble", Width: 24, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(site.FormatProblem(s.Code, s.Detail)) }},
		{Title: "Format", Width: 9, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(s.Format) }},
		{Title: "Gzip", Width: 7, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.YesNo(s.Gzip) }},
		{Title: "Bytes", Width: 12, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell { return count(s.Bytes, s.Status != 0) }},
		{Title: "Entries", Width: 10, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell { return read(s, s.URLs) }},
		{Title: "URLs tested", Width: 10, Value: func(s *audit.Sitemap) xlsx.Cell { return read(s, s.Tested) }},
		{Title: "Named before", Width: 10, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell { return read(s, s.Repeated) }},
		{Title: "Skipped", Width: 9, Value: func(s *audit.Sitemap) xlsx.Cell { return read(s, site.Total(s.LeftOut)) }},
	}
	for i, c := range crawlers {
		columns = append(columns, xlsx.Column[audit.Sitemap]{Title: "Blocked for " + c.Label, Width: 14, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell {
			if i >= len(s.Blocked) {
				return xlsx.Cell{}
			}
			return count(s.Blocked[i], s.Tested > 0)
		}})
	}
	columns = append(columns,
		xlsx.Column[audit.Sitemap]{Title: "Sitemap itself blocked for", Width: 30, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(site.SelfBlocked(s, crawlers)) }},
		xlsx.Column[audit.Sitemap]{Title: "XML error", Width: 50, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(site.XMLError(s.Notes)) }},
		xlsx.Column[audit.Sitemap]{Title: "Notes", Width: 50, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(site.NoteCodes(s.Notes)) }},
		xlsx.Column[audit.Sitemap]{Title: "Notes in words", Width: 60, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(site.DescribeNotes(s.Notes)) }},
		xlsx.Column[audit.Sitemap]{Title: "Fetched (UTC)", Width: 19, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Time(s.Started) }},
		xlsx.Column[audit.Sitemap]{Title: "ms", Width: 9, Extra: true, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Float(s.Millis) }},
	)
	if !o.AllSheets {
		columns = append(columns,
			xlsx.Column[audit.Sitemap]{Title: "URLs blocked", Width: 10, Value: func(s *audit.Sitemap) xlsx.Cell {
				return count(slices.Max(append([]int64{0}, s.Blocked...)), s.Tested > 0)
			}},
			xlsx.Column[audit.Sitemap]{Title: "Notes", Width: 60, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(sitemapResult(s, crawlers)) }},
		)
	}
	table := xlsx.NewTable("Sitemaps", columns)
	if !o.AllSheets {
		return define(o, table, hooks[audit.Sitemap]{end: func(s *sheet[audit.Sitemap], _ *audit.Done) {
			for _, file := range s.workbook.sitemaps {
				s.write(s.workbook.site.KnownSelf(file))
			}
		}})
	}
	return define(o, table, hooks[audit.Sitemap]{
		sitemap: func(s *sheet[audit.Sitemap], file *audit.Sitemap) { s.write(s.workbook.site.KnownSelf(file)) },
		absent: func(of *site.Site, _ *audit.Done) absence {
			if !site.Answered(of.Robots(0)) {
				return absence{why: "no sitemap was asked for: there was no answer to the request for robots.txt"}
			}
			return absence{why: "no sitemap was asked for"}
		},
	})
}

// sitemapResult says whether a sitemap could be read, and lists its errors.
func sitemapResult(s *audit.Sitemap, crawlers []audit.Crawler) string {
	parts := []string{"read"}
	if trouble := site.FormatProblem(s.Code, s.Detail); trouble != "" {
		parts[0] = trouble
	}
	if self := site.SelfBlocked(s, crawlers); self != "" {
		parts = append(parts, "robots.txt blocks this sitemap for "+self)
	}
	if notes := site.SitemapNotes(s); notes != "" {
		parts = append(parts, notes)
	}
	return strings.Join(parts, "; ")
}
