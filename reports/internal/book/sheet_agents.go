package book

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// agentRow is a crawler with its group in the site's own robots.txt.
type agentRow struct {
	crawler *audit.Crawler
	read    *audit.Read
	origin  string

	answered bool // the server responded for robots.txt
	blocked  int64
	urls     int64
	counted  bool // some of the URLs have a clear verdict
}

// agentSheet has the run's crawlers, in the order of the options.
func agentSheet(o *sheetOptions) sheetDefinition {
	table := xlsx.NewTable("Agents", []xlsx.Column[agentRow]{
		{Title: "Crawler", Width: 24, Value: func(r *agentRow) xlsx.Cell { return xlsx.Text(r.crawler.Label) }},
		{Title: "Operator", Width: 14, Value: func(r *agentRow) xlsx.Cell { return xlsx.Text(r.crawler.Operator) }},
		{Title: "Purpose", Width: 16, Value: func(r *agentRow) xlsx.Cell { return xlsx.Text(r.crawler.Purpose) }},
		{Title: "Profile", Width: 14, Value: func(r *agentRow) xlsx.Cell { return xlsx.Text(r.crawler.Profile) }},
		{Title: "Product tokens", Width: 26, Value: func(r *agentRow) xlsx.Cell { return xlsx.Text(strings.Join(r.crawler.Tokens, ", ")) }},
		{Title: "Access", Width: 13, Value: func(r *agentRow) xlsx.Cell { return xlsx.Text(r.read.Access.String()) }},
		{Title: "Why", Width: 50, Value: func(r *agentRow) xlsx.Cell { return xlsx.Text(r.read.Why) }},
		{Title: "Group", Width: 24, Value: func(r *agentRow) xlsx.Cell { return xlsx.Text(r.read.GroupTokens) }},
		{Title: "Line", Width: 7, Value: func(r *agentRow) xlsx.Cell { return xlsx.NumberOrBlank(int64(r.read.GroupLine)) }},
		{Title: "Why this group", Width: 44, Value: func(r *agentRow) xlsx.Cell {
			return xlsx.Text(site.DescribeGroupReason(r.read.Access, r.read.GroupReason))
		}},
		{Title: "Rules", Width: 8, Value: func(r *agentRow) xlsx.Cell { return count(int64(r.read.Rules), r.read.Access == engine.Parsed) }},
		{Title: "Crawl-delay (s)", Width: 10, Value: func(r *agentRow) xlsx.Cell {
			if r.read.CrawlDelay == 0 {
				return xlsx.Cell{}
			}
			return xlsx.Float(r.read.CrawlDelay)
		}},
		{Title: "Home page blocked", Width: 11, Value: func(r *agentRow) xlsx.Cell {
			if r.read.Access == engine.AccessUnknown || !r.answered {
				return unmeasured
			}
			return xlsx.YesNo(r.read.BlocksRoot)
		}},
		{Title: "URLs blocked", Width: 11, Value: func(r *agentRow) xlsx.Cell { return count(r.blocked, r.counted) }},
		{Title: "% blocked", Width: 10, Value: func(r *agentRow) xlsx.Cell {
			if !r.counted {
				return xlsx.Cell{}
			}
			return xlsx.Percent(r.blocked, r.urls)
		}},
		{Title: "Profile is", Width: 50, Value: func(r *agentRow) xlsx.Cell { return xlsx.Text(site.ProfileInfoOf(r.crawler.Profile).Title) }},
		{Title: "Profile as of", Width: 14, Value: func(r *agentRow) xlsx.Cell { return xlsx.Text(site.ProfileInfoOf(r.crawler.Profile).Dated) }},
		{Title: "Source of the profile", Width: 60, Value: func(r *agentRow) xlsx.Cell { return xlsx.Text(site.ProfileInfoOf(r.crawler.Profile).Source) }},
	}, xlsx.DataBar(13))
	return define(o, table, hooks[agentRow]{end: func(s *sheet[agentRow], d *audit.Done) {
		of := s.workbook.site
		own := of.Robots(0)
		for i := range of.Crawlers {
			s.write(&agentRow{&of.Crawlers[i], site.Read(own, i), own.Origin, site.Answered(own), site.BlockedFor(d, i), d.URLs, of.CountedFor(d, i)})
		}
	}})
}
