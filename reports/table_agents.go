package reports

import (
	"strings"

	"robots-audit/audit"
)

// agentRow is a crawler with the group of the site's own robots.txt that it obeys.
type agentRow struct {
	crawler *audit.Crawler
	read    *audit.Read
	origin  string
	blocked int64
	urls    int64
}

func agentTable() *table[agentRow] {
	return newTable("Agents", []column[agentRow]{
		{"Crawler", 24, func(r *agentRow) cell { return text(r.crawler.Label) }},
		{"Operator", 14, func(r *agentRow) cell { return text(r.crawler.Operator) }},
		{"Purpose", 16, func(r *agentRow) cell { return text(r.crawler.Purpose) }},
		{"Profile", 14, func(r *agentRow) cell { return text(r.crawler.Profile) }},
		{"Product tokens", 26, func(r *agentRow) cell { return text(strings.Join(r.crawler.Tokens, ", ")) }},
		{"Access", 13, func(r *agentRow) cell { return text(r.read.Access) }},
		{"Why", 50, func(r *agentRow) cell { return text(r.read.Why) }},
		{"Group", 24, func(r *agentRow) cell { return text(r.read.GroupTokens) }},
		{"Line", 7, func(r *agentRow) cell { return count(int64(r.read.GroupLine)) }},
		{"Why this group", 44, func(r *agentRow) cell { return text(groupReason(r.read)) }},
		{"Rules", 8, func(r *agentRow) cell { return number(int64(r.read.Rules)) }},
		{"Crawl-delay (s)", 10, func(r *agentRow) cell {
			if r.read.CrawlDelay == 0 {
				return cell{}
			}
			return realNumber(r.read.CrawlDelay)
		}},
		{"Home page blocked", 11, func(r *agentRow) cell { return yesNo(r.read.BlocksRoot) }},
		{"URLs blocked", 11, func(r *agentRow) cell { return number(r.blocked) }},
		{"% blocked", 10, func(r *agentRow) cell { return share(r.blocked, r.urls) }},
		{"Profile is", 50, func(r *agentRow) cell { return text(noteOf(r.crawler.Profile).Title) }},
		{"Profile as of", 14, func(r *agentRow) cell { return text(noteOf(r.crawler.Profile).Dated) }},
		{"Source of the profile", 60, func(r *agentRow) cell { return text(noteOf(r.crawler.Profile).Source) }},
	}, mark{13, nil})
}

// addAgents writes the crawlers, in the order asked for.
func (b *siteBook) addAgents(d *audit.Done) {
	own := b.origin(0)
	for i := range b.site.Crawlers {
		b.agents.add(&b.book, &agentRow{&b.site.Crawlers[i], read(own, i), own.Origin, blockedFor(d, i), d.URLs})
	}
}

// blockedFor returns the URLs blocked for the i-th crawler.
func blockedFor(d *audit.Done, i int) int64 {
	if i < len(d.Blocked) {
		return d.Blocked[i]
	}
	return 0
}
