package page

import (
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/layout"
)

func (m *markup) blocked(v *siteView) {
	m.raw("\n<section id=\"blocked\"><h2>")
	switch {
	case v.Shown > 0:
		m.raw(`Blocked URLs, and those without a clear verdict`)
	case v.URLs > 0:
		m.raw(`No known URL is blocked`)
	default:
		m.raw(`No known URL was tested`)
	}
	m.raw("</h2>\n")
	if v.Shown > 0 {
		m.blockedTable(v)
	}
	if len(v.Past.List) > 0 {
		m.raw("\n<h3>Since when</h3>\n")
		m.table("", "Since when URLs are blocked", "Blocked URLs that the important list names, and those with an owner note")
		m.raw(`<thead><tr><th>URL<th>Crawlers<th>Blocked<th>Owner note
<tbody>`)
		for _, u := range v.Past.List {
			m.in("\n<tr><th scope=\"row\" class=\"url\"><bdi>", u.URL, `</bdi>`)
			m.rawText(`<td class="words">`, u.Crawlers)
			m.cell(u.Since)
			m.rawText(`<td class="words">`, u.Note)
		}
		m.raw("\n</table></div>")
		m.more(v.Past.More, `; see the sheet Blocked.`)
	}
	m.raw("\n</section>\n")
}

// blockedTable appends the place of the table that the page's script makes.
func (m *markup) blockedTable(v *siteView) {
	if v.More > 0 {
		m.in(`<p class="note">The first `, wording.Thousands(v.Shown), ` are here; `)
		m.textRaw(wording.Thousands(v.More), ` more are in the `)
		switch {
		case v.NoWorkbooks:
			m.raw(`records of the run`)
		case v.SingleFile:
			m.raw(`workbook`)
		default:
			m.attrIn(`<a href="../`, v.Base, `.xlsx">workbook</a>`)
		}
		m.raw(".</p>\n")
	}
	m.raw(`<p class="note">Blocked from crawling: a blocked URL can still be indexed.`)
	m.ifAny(` Besides, `, v.Resources, ` are blocked; see the sheet Resources.`)
	m.raw("</p>\n" + layout.GridByScript)
}
