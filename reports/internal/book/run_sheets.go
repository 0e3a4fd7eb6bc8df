package book

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
	"robots-audit/reports/internal/xlsx"
)

// errorRow is a problem of a site, or of the list if domain is empty.
type errorRow struct {
	domain string
	summary.Error
}

// siteLeftOut is the number of a site's URLs that were not tested for one reason.
type siteLeftOut struct {
	domain string
	site.LeftOut
}

// errorTable has the problems of sites, and of the list.
func errorTable() *xlsx.Table[errorRow] {
	return xlsx.NewTable("Errors", []xlsx.Column[errorRow]{
		{Title: "Site", Width: 34, Value: func(r *errorRow) xlsx.Cell { return xlsx.Text(r.domain) }},
		{Title: "Stage", Width: 10, Value: func(r *errorRow) xlsx.Cell { return xlsx.Text(r.Stage) }},
		{Title: "Code", Width: 22, Value: func(r *errorRow) xlsx.Cell { return xlsx.Text(r.Code) }},
		{Title: "In words", Width: 56, Value: func(r *errorRow) xlsx.Cell { return xlsx.Text(site.Meaning(r.Code)) }},
		{Title: "URL", Width: 60, Value: func(r *errorRow) xlsx.Cell { return xlsx.Text(r.URL) }},
		{Title: "Detail", Width: 70, Value: func(r *errorRow) xlsx.Cell { return xlsx.Text(r.Detail) }},
	})
}

// siteLeftOutTable has the URLs of all sites that were not tested.
func siteLeftOutTable() *xlsx.Table[siteLeftOut] {
	return xlsx.NewTable("Skipped", []xlsx.Column[siteLeftOut]{
		{Title: "Site", Width: 34, Value: func(r *siteLeftOut) xlsx.Cell { return xlsx.Text(r.domain) }},
		{Title: "Reason", Width: 18, Value: func(r *siteLeftOut) xlsx.Cell { return xlsx.Text(r.Reason) }},
		{Title: "In words", Width: 60, Value: func(r *siteLeftOut) xlsx.Cell { return xlsx.Text(site.Meaning(r.Reason)) }},
		{Title: "URLs", Width: 12, Value: func(r *siteLeftOut) xlsx.Cell { return xlsx.Number(r.URLs) }},
	})
}

// whyWidth is the width of the column Why of the sheet Sites, whose sentences take about two lines.
const whyWidth = 90

// siteTable has a row for every finished site, in the order of summary.Place; clicks and
// hits = some were given.
func siteTable(o *Options, clicks, hits bool) *xlsx.Table[summary.Site] {
	columns := []xlsx.Column[summary.Site]{
		{Title: "No.", Width: 7, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return xlsx.Identifier(l.Ordinal + 1) }},
		{Title: "Site", Width: 34, Value: func(l *summary.Site) xlsx.Cell { return xlsx.TopAligned(audit.DisplayName(l.Name)) }, Link: func(l *summary.Site) string { return l.PageLink("") }},
		{Title: "State", Width: 10, Value: func(l *summary.Site) xlsx.Cell { return xlsx.TopAligned(site.StateName(l.State)) }, Link: func(l *summary.Site) string { return l.PageLink(site.GroundLink(l.Ground)) }},
		{Title: "Why", Width: whyWidth, Value: func(l *summary.Site) xlsx.Cell { return xlsx.Wrapped(l.Why) }},
		{Title: "Clicks blocked", Width: 10, Extra: !clicks, Value: func(l *summary.Site) xlsx.Cell { return count(l.Worst.Clicks, l.Clicks > 0) }},
		{Title: "% of clicks", Width: 10, Extra: !clicks, Value: func(l *summary.Site) xlsx.Cell { return xlsx.Percent(l.Worst.Clicks, l.Clicks) }},
		{Title: "URLs blocked", Width: 10, Value: func(l *summary.Site) xlsx.Cell { return count(l.Worst.URLs, l.Entry.Measured("blocked_urls")) }},
		{Title: "% of URLs", Width: 10, Value: func(l *summary.Site) xlsx.Cell {
			if !l.Entry.Measured("blocked_urls") {
				return xlsx.Cell{}
			}
			return xlsx.Percent(l.Worst.URLs, l.URLs)
		}},
		{Title: "Blocked for", Width: 14, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return xlsx.TopAligned(l.Worst.Crawler) }},
		{Title: "Line that blocks most", Width: 13, Value: func(l *summary.Site) xlsx.Cell {
			if l.Worst.Line == 0 {
				return xlsx.Cell{}
			}
			return xlsx.Identifier(l.Worst.Line)
		}},
		{Title: "Its rule", Width: 30, Value: func(l *summary.Site) xlsx.Cell { return xlsx.TopAligned(l.Worst.Rule) }},
		{Title: "robots.txt status", Width: 10, Value: func(l *summary.Site) xlsx.Cell {
			if l.Entry.Robots.Given {
				return xlsx.TopAligned("not asked")
			}
			return status(l.Entry.Robots.Status)
		}},
		{Title: "Access", Width: 12, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return xlsx.TopAligned(l.Entry.Robots.Access) }},
		{Title: "Trouble", Width: 40, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return xlsx.TopAligned(site.FormatProblem(l.Entry.Robots.Error, "")) }},
		{Title: "Redirects", Width: 10, Extra: true, Value: func(l *summary.Site) xlsx.Cell {
			return count(int64(l.Entry.Robots.Hops), l.Entry.Robots.Status != 0 && !l.Entry.Robots.Given)
		}},
		{Title: "Bytes", Width: 10, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return count(l.Entry.Robots.Bytes, l.Entry.Robots.Status != 0) }},
		{Title: "Sitemaps", Width: 10, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return count(int64(l.Entry.Sitemaps), l.Entry.Measured("sitemaps")) }},
		{Title: "URLs found", Width: 12, Value: func(l *summary.Site) xlsx.Cell { return count(l.URLs, l.Entry.Measured("urls")) }},
		{Title: "Blocked for at least one", Width: 12, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return count(l.BlockedURLs, l.Entry.Measured("blocked_urls")) }},
		{Title: "% blocked", Width: 10, Extra: true, Value: func(l *summary.Site) xlsx.Cell {
			if !l.Entry.Measured("blocked_urls") {
				return xlsx.Cell{}
			}
			return xlsx.Percent(l.BlockedURLs, l.URLs)
		}},
	}
	if hits {
		of := o.Crawlers[audit.Leading(o.Crawlers)[0]].Label + " hits"
		columns = append(columns,
			xlsx.Column[summary.Site]{Title: of, Width: 10, Value: func(l *summary.Site) xlsx.Cell { return xlsx.NumberOrBlank(l.Hits.All) }},
			xlsx.Column[summary.Site]{Title: of + " on blocked URLs", Width: 12, Value: func(l *summary.Site) xlsx.Cell { return count(l.Hits.Blocked, l.Hits.All > 0) }},
		)
	}
	marks := []xlsx.ConditionalFormat{{Column: 2, Highlights: stateColours}, xlsx.DataBar(7)}
	for i, c := range o.Crawlers {
		columns = append(columns, xlsx.Column[summary.Site]{Title: "Blocked for " + c.Label, Width: 14, Extra: true, Value: func(l *summary.Site) xlsx.Cell {
			if i >= len(l.Blocked) {
				return xlsx.Cell{}
			}
			return count(l.Blocked[i], l.Entry.MeasuredFor(c.Label))
		}})
	}
	columns = append(columns, []xlsx.Column[summary.Site]{
		{Title: "Without a clear verdict", Width: 12, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return count(l.Unknown, l.Entry.Measured("unknown_urls")) }},
		{Title: "Verdicts differ", Width: 12, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return count(l.Differing, l.Entry.Measured("differing_urls")) }},
		{Title: "Skipped", Width: 10, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return count(site.Total(l.LeftOut), l.Entry.Measured("left_out")) }},
		{Title: "Errors", Width: 10, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return xlsx.Number(int64(l.Problems)) }},
		{Title: "Findings: critical", Width: 10, Extra: true, Value: func(l *summary.Site) xlsx.Cell {
			return findings(l, func(s *audit.Severities) int64 { return s.Critical })
		}},
		{Title: "Findings: errors", Width: 10, Extra: true, Value: func(l *summary.Site) xlsx.Cell {
			return findings(l, func(s *audit.Severities) int64 { return s.Error })
		}},
		{Title: "Findings: warnings", Width: 10, Extra: true, Value: func(l *summary.Site) xlsx.Cell {
			return findings(l, func(s *audit.Severities) int64 { return s.Warning })
		}},
		{Title: "Findings", Width: 30, Value: func(l *summary.Site) xlsx.Cell {
			if l.Findings == nil || !l.Entry.Measured("findings") {
				return xlsx.Cell{}
			}
			return xlsx.TopAligned(site.DescribeSeverities(*l.Findings))
		}},
		{Title: "What AI crawlers may fetch", Width: 70, Value: func(l *summary.Site) xlsx.Cell { return xlsx.TopAligned(l.Policy) }},
		{Title: "Origin", Width: 36, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return xlsx.TopAligned(l.Entry.Origin) }},
		{Title: "Workbook", Width: 36, Value: func(l *summary.Site) xlsx.Cell { return xlsx.TopAligned(l.Entry.Workbook) }, Link: func(l *summary.Site) string { return l.Entry.Workbook }},
		{Title: "Finished (UTC)", Width: 19, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return xlsx.Time(l.End()) }},
		{Title: "Seconds", Width: 10, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return xlsx.Float(l.Millis / 1000) }},
		{Title: "robots.txt SHA-256", Width: 66, Extra: true, Value: func(l *summary.Site) xlsx.Cell { return xlsx.TopAligned(l.Entry.Robots.SHA256) }},
	}...)
	t := xlsx.NewTable("Sites", columns, marks...)
	t.Kind.Frozen = 2
	t.Height = func(l *summary.Site) float64 { return xlsx.TextHeight(l.Why, whyWidth) }
	return lean(o, t)
}

// findings is the number of the site's findings; empty if they were not counted.
func findings(l *summary.Site, of func(*audit.Severities) int64) xlsx.Cell {
	if l.Findings == nil {
		return xlsx.Cell{}
	}
	return count(of(l.Findings), l.Entry.Measured("findings"))
}

// commonTable has the facts that sites of a run have in common.
func commonTable() *xlsx.Table[summary.CommonRow] {
	return xlsx.NewTable("Issues across sites", []xlsx.Column[summary.CommonRow]{
		{Title: "Kind", Width: 12, Value: func(r *summary.CommonRow) xlsx.Cell { return xlsx.Text(r.Kind) }},
		{Title: "Item", Width: 50, Value: func(r *summary.CommonRow) xlsx.Cell { return xlsx.Text(r.Item) }},
		{Title: "Severity", Width: 10, Value: func(r *summary.CommonRow) xlsx.Cell { return xlsx.Text(r.Severity) }},
		{Title: "In words", Width: 70, Value: func(r *summary.CommonRow) xlsx.Cell { return xlsx.Text(r.Words) }},
		{Title: "Sites", Width: 10, Value: func(r *summary.CommonRow) xlsx.Cell { return xlsx.NumberOrBlank(int64(r.Sites)) }},
		{Title: "% of sites", Width: 10, Value: func(r *summary.CommonRow) xlsx.Cell {
			if r.Sites == 0 {
				return xlsx.Cell{}
			}
			return xlsx.Percent(int64(r.Sites), int64(r.All))
		}},
		{Title: "Findings", Width: 10, Value: func(r *summary.CommonRow) xlsx.Cell { return xlsx.NumberOrBlank(r.Findings) }},
		{Title: "Such as", Width: 60, Value: func(r *summary.CommonRow) xlsx.Cell { return xlsx.Text(strings.Join(r.Examples, ", ")) }},
	}, xlsx.ConditionalFormat{Column: 2, Highlights: severityColours}, xlsx.DataBar(5))
}
