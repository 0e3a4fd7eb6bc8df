package page

import (
	"strconv"

	"robots-audit/engine/wording"
	"robots-audit/reports/internal/layout"
)

func (m *markup) crawlers(v *siteView) {
	m.raw("\n<section id=\"crawlers\"><h2>Who may crawl what</h2>\n")
	m.table("", "Crawlers", "Each crawler that was asked about, the group of robots.txt that it obeys, and what that blocks")
	m.raw(`<thead><tr><th scope="col">Crawler<th scope="col">Operator, purpose<th scope="col">Access<th scope="col">Group it obeys<th scope="col">Why<th scope="col" class="n">Rules<th scope="col" class="n">Delay<th scope="col" class="n">URLs blocked<th scope="col">Share
<tbody>`)
	for i := range v.Crawlers {
		m.crawler(&v.Crawlers[i])
	}
	m.raw("\n</table></div>\n</section>\n")
}

func (m *markup) crawler(c *viewCrawler) {
	m.raw("\n<tr><th scope=\"row\">")
	m.own(c.Label)
	m.raw(`<span class="sub">reads as `)
	m.textRaw(c.Profile, `</span>`)
	m.in(`<td>`, c.Operator, `<span class="sub flow">`)
	m.textRaw(c.Purpose, `</span><td>`)
	if c.State != "" {
		m.state(c.State)
	}
	m.rawText(`<span class="sub flow">`, c.Access)
	if c.Read.BlocksRoot {
		m.raw(`; the home page is blocked`)
	}
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
	m.wordCell(c.Why)
	m.raw(`<td class="n">`)
	if c.Parsed {
		m.number(c.Read.Rules)
	} else {
		m.raw(`–`)
	}
	m.raw(`<td class="n">`)
	if delay := c.Read.CrawlDelay; delay != 0 {
		m.textRaw(strconv.FormatFloat(delay, 'g', -1, 64), ` s`)
	} else {
		m.raw(`–`)
	}
	m.orDash(c.Blocked, c.Counted)
	m.raw(`<td class="barcell">`)
	switch {
	case c.Counted:
		m.bar("bg", barPart{"b", layout.BarLength(c.Blocked, c.URLs)})
		m.in(`<span class="sub">`, c.BlockedShare, ` of `)
		m.textRaw(wording.Thousands(c.URLs), `</span>`)
	case c.URLs > 0:
		m.raw(`no clear verdict on any known URL`)
	default:
		m.raw(`no known URLs`)
	}
}
