package page

func (m *markup) sitemaps(v *siteView) {
	m.raw("\n<section id=\"sitemaps\"><h2>Sitemaps</h2>\n")
	if len(v.Sitemaps.List) > 0 {
		m.table("", "Sitemaps", "Sitemaps in the order of reading; blocked URLs are those of the crawler for which most are")
		m.raw(`<thead><tr><th>No.<th>Sitemap<th>Named by<th>Status<th>Format<th>Entries<th>Tested<th>Left out<th>Blocked<th>Remarks
<tbody>`)
		for i := range v.Sitemaps.List {
			m.sitemap(&v.Sitemaps.List[i])
		}
		m.raw("\n</table></div>")
		m.more(v.Sitemaps.More, `; see the sheet Sitemaps.`)
	} else {
		m.raw(`<p>None was asked for.</p>`)
	}
	m.raw("\n")
	if len(v.LeftOut) > 0 {
		m.raw(`<h3>URLs left out</h3>
<table><caption>Named in a sitemap but not tested</caption><thead><tr><th>Reason<th class="n">URLs<th>Code
<tbody>`)
		for _, of := range v.LeftOut {
			m.rawText(`<tr><th scope="row" class="words">`, of.Meaning)
			m.raw(`<td class="n">`)
			m.thousands(of.URLs)
			m.in(`<td><code>`, of.Reason, `</code>`)
		}
		m.raw(`</table>`)
	}
	m.raw("\n</section>\n")
}

func (m *markup) sitemap(s *sitemap) {
	m.raw("\n<tr><td>")
	m.number(s.No)
	m.ownCell(s.URL)
	m.cell(s.NamedBy)
	m.status(s.Status)
	m.cell(s.Format)
	m.orDash(s.Entries, s.Read)
	m.orDash(s.Tested, s.Read)
	m.orDash(s.LeftOut, s.Read)
	m.orDash(s.Blocked, s.Tested > 0)
	m.raw(`<td>`)
	m.ifAny(`<span class="means">`, s.Trouble, `</span>`)
	m.ifAny(`<span class="means">itself blocked for `, s.Self, `</span>`)
	m.ifAny(`<span class="means">`, s.Notes, `</span>`)
}
