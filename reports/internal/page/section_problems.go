package page

import "robots-audit/reports/internal/site"

func (m *markup) problems(v *siteView) {
	m.raw(`<div class="scroll" tabindex="0" role="region" aria-label="Errors">
<table><caption>What could not be fetched or read</caption><thead><tr><th>Stage<th>Code<th>Meaning<th>URL<th>Detail
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
	m.more(v.Problems.More, `; see the sheet Errors.`)
}

func problemsTitle(v *siteView) string {
	return counted("Errors", len(v.Problems.List)+v.Problems.More)
}
