package page

import (
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/layout"
)

func (m *markup) blocked(v *siteView) {
	if v.Shown > 0 {
		m.blockedTable(v)
	}
	if len(v.Past.List) > 0 {
		m.raw("\n<h3>Since when</h3>\n")
		m.table("", "Since when URLs are blocked", "Blocked URLs on your list of important URLs, and those with an owner note")
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
}

func blockedTitle(v *siteView) string {
	switch {
	case v.Blocked > 0 && v.Unclear > 0:
		return "URLs blocked: " + wording.Thousands(v.Blocked) + "; without a clear verdict: " + wording.Thousands(v.Unclear)
	case v.Unclear > 0:
		return "URLs without a clear verdict: " + wording.Thousands(v.Unclear)
	case v.Shown > 0:
		return "URLs blocked: " + wording.Thousands(v.Blocked)
	case len(v.Past.List) > 0:
		return "URLs that were blocked"
	}
	return ""
}

// blockedTable appends the element in which the page's script makes the table.
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
	m.ifAny(`<p class="note">Also blocked: `, v.Resources, "; see the sheet Resources.</p>\n")
	m.raw(layout.GridByScript)
}
