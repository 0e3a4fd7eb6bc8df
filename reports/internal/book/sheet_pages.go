package book

import (
	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// pageSheet has the URLs that were requested while links were followed, and URLs that robots.txt
// blocks for this program.
func pageSheet(o *sheetOptions) sheetDefinition {
	crawlers := o.Crawlers
	table := xlsx.NewTable("Pages", []xlsx.Column[audit.Page]{
		{Title: "URL", Width: 72, Value: func(p *audit.Page) xlsx.Cell { return xlsx.Text(p.URL) }},
		{Title: "Status", Width: 8, Value: func(p *audit.Page) xlsx.Cell { return status(p.Status) }},
		{Title: "In words", Width: 44, Value: func(p *audit.Page) xlsx.Cell { return xlsx.Text(p.Outcome()) }},
		{Title: "Worth knowing", Width: 64, Value: func(p *audit.Page) xlsx.Cell { return xlsx.Text(site.WorthKnowing(p, crawlers)) }},
		{Title: "Blocked for", Width: 30, Value: func(p *audit.Page) xlsx.Cell { return xlsx.Text(site.BlockedForWords(p, crawlers)) }},
		{Title: "By line", Width: 9, Value: func(p *audit.Page) xlsx.Cell { return xlsx.Text(site.BlockingLines(p)) }},
		{Title: "Noindex by meta", Width: 20, Value: func(p *audit.Page) xlsx.Cell { return xlsx.Text(site.NoIndexWords(p, p.Meta)) }},
		{Title: "Noindex by X-Robots-Tag", Width: 20, Value: func(p *audit.Page) xlsx.Cell { return xlsx.Text(site.NoIndexWords(p, p.Header)) }},
		{Title: "Canonical", Width: 60, Value: func(p *audit.Page) xlsx.Cell { return xlsx.Text(p.Canonical) }},
		{Title: "Canonical is", Width: 30, Value: func(p *audit.Page) xlsx.Cell { return xlsx.Text(site.CanonicalWords(p, crawlers)) }},
		{Title: "Redirects to", Width: 60, Value: func(p *audit.Page) xlsx.Cell { return xlsx.Text(p.Location) }},
		{Title: "Clicks from home", Width: 9, Extra: true, Value: func(p *audit.Page) xlsx.Cell { return xlsx.Identifier(p.Depth) }},
		{Title: "In a sitemap", Width: 9, Extra: true, Value: func(p *audit.Page) xlsx.Cell {
			if len(p.Verdicts) == 0 {
				return unmeasured // records of versions that did not record it
			}
			return xlsx.YesNo(p.Listed)
		}},
		{Title: "Links", Width: 8, Extra: true, Value: func(p *audit.Page) xlsx.Cell { return count(int64(p.Links), p.Answered()) }},
	})
	return define(o, table, hooks[audit.Page]{
		page: (*sheet[audit.Page]).write,
		absent: func(_ *site.Site, d *audit.Done) absence {
			if d.Links == nil {
				return absence{why: "no pages were asked for: links are followed with -crawl"}
			}
			return absence{why: "no page of the site was asked for"}
		},
	})
}
