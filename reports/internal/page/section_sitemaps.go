package page

func (m *markup) sitemaps(v *siteView) {
	if len(v.Sitemaps.List) > 0 {
		m.table("", "Sitemaps", "Sitemaps in reading order. Blocked: for the crawler with the most blocked URLs")
		m.raw(`<thead><tr><th>No.<th>Sitemap<th>Found in<th>Status<th>Format<th>Entries<th>Tested<th>Skipped<th>Blocked<th>Notes
<tbody>`)
		for i := range v.Sitemaps.List {
			m.sitemap(&v.Sitemaps.List[i])
		}
		m.raw("\n</table></div>")
		m.more(v.Sitemaps.More, `; see the sheet Sitemaps.`)
	} else {
		m.raw(`<p>No sitemap was found.</p>`)
	}
	if len(v.LeftOut) > 0 {
		m.raw(`<h3>URLs skipped</h3>
<table><caption>In a sitemap but not tested</caption><thead><tr><th>Reason<th class="n">URLs<th>Code
<tbody>`)
		for _, of := range v.LeftOut {
			m.rawText(`<tr><th scope="row" class="words">`, of.Meaning)
			m.raw(`<td class="n">`)
			m.thousands(of.URLs)
			m.in(`<td><code>`, of.Reason, `</code>`)
		}
		m.raw(`</table>`)
	}
}

func sitemapsTitle(v *siteView) string {
	if len(v.Sitemaps.List) == 0 {
		return "Sitemaps: none"
	}
	return counted("Sitemaps", len(v.Sitemaps.List)+v.Sitemaps.More)
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
	m.ifAny(`<span class="means">robots.txt blocks this sitemap for `, s.Self, `</span>`)
	m.ifAny(`<span class="means">`, s.Notes, `</span>`)
}
