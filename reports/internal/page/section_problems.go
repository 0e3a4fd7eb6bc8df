package page

import "robots-audit/reports/internal/site"

func (m *markup) problems(v *siteView) {
	m.raw("\n<section id=\"problems\"><h2>Problems on the way</h2>\n")
	switch {
	case len(v.Problems.List) > 0:
		m.raw(`<div class="scroll" tabindex="0" role="region" aria-label="Problems">
<table><caption>What could not be fetched or read</caption><thead><tr><th>Stage<th>Code<th>In words<th>URL<th>Detail
<tbody>`)
		for i := range v.Problems.List {
			p := &v.Problems.List[i]
			m.rawText("\n<tr><td>", p.Stage)
			m.in(`<td><code>`, p.Code, `</code>`)
			m.rawText(`<td class="words">`, site.Meaning(p.Code))
			m.raw(`<td class="url">`)
			m.own(p.URL)
			m.rawText(`<td class="words">`, p.Detail)
		}
		m.raw("\n</table></div>")
		m.more(v.Problems.More, `; see the sheet Problems.`)
	case len(v.Files) > 0:
		m.raw(`<p>None.</p>`)
	default:
		m.raw(`<p>Nothing was asked for.</p>`)
	}
	m.raw("\n</section>\n")
}
