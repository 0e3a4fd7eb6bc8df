package page

import (
	"strconv"

	"robots-audit/engine/wording"
	"robots-audit/reports/internal/layout"
)

func (m *markup) crawlers(v *siteView) {
	m.table("", "Crawlers", "The crawlers tested, the group of robots.txt that each follows, and what it blocks")
	m.raw(`<thead><tr><th>Crawler<th>Operator, purpose<th>Access<th>Group<th>Why<th>Rules<th>Delay<th>URLs blocked<th>Share
<tbody>`)
	for i := range v.Crawlers {
		m.crawler(&v.Crawlers[i])
	}
	m.raw("\n</table></div>")
}

func (m *markup) crawler(c *viewCrawler) {
	m.raw("\n<tr><th>")
	m.own(c.Label)
	m.in(`<td>`, c.Operator, `<span class="sub flow">`)
	m.textRaw(c.Purpose, `</span><td>`)
	if c.State != "" {
		m.state(c.State)
	}
	m.rawText(`<span class="sub flow">`, c.Access)
	m.raw(`</span><td>`)
	switch {
	case c.Read.GroupLine > 0:
		m.own(c.Read.GroupTokens)
		m.raw(`<span class="sub">line `)
		m.number(c.Read.GroupLine)
		m.raw(`</span>`)
	case c.Parsed:
		m.raw(`none`)
	default:
		m.raw(`–`)
	}
	m.cell(c.Why)
	m.raw(`<td>`)
	if c.Parsed {
		m.number(c.Read.Rules)
	} else {
		m.raw(`–`)
	}
	m.raw(`<td>`)
	if delay := c.Read.CrawlDelay; delay != 0 {
		m.textRaw(strconv.FormatFloat(delay, 'g', -1, 64), ` s`)
	} else {
		m.raw(`–`)
	}
	m.orDash(c.Blocked, c.Counted)
	switch {
	case c.Counted:
		m.bar(barPart{"", layout.BarLength(c.Blocked, c.URLs)})
		m.in(`<span class="sub">`, c.BlockedShare, ` of `)
		m.textRaw(wording.Thousands(c.URLs), `</span>`)
	case c.URLs > 0:
		m.raw(`<td>no clear verdict`)
	default:
		m.raw(`<td>no URLs`)
	}
}
