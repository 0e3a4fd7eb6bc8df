package page

import "robots-audit/engine/wording"

func (m *markup) findings(v *siteView) {
	m.table(" file", "Findings", "Findings, most severe first")
	m.raw(`<thead><tr><th>Finding<th>Line<th>What<th>What to do<th>URLs affected<th>Crawlers
<tbody>`)
	for i := range v.Findings {
		m.finding(&v.Findings[i])
	}
	m.raw("\n</table></div>")
	m.more(v.FindingsMore, `; see the sheet Rules.`)
}

func findingsTitle(v *siteView) string {
	if len(v.Findings) == 0 {
		return ""
	}
	return "Findings: " + v.FindingsSummary
}

func (m *markup) finding(f *finding) {
	m.raw("\n<tr><th>")
	m.badge(f.State, f.Severity.String())
	m.in(`<span class="sub">`, f.ID, ` `)
	m.textRaw(f.Name(), `</span><td>`)
	if f.Line > 0 {
		m.number(f.Line)
	} else {
		m.raw(`–`)
	}
	m.ifAny(`<span class="sub flow">`, f.Origin, `</span>`)
	m.cell(f.What)
	m.fileLine(f.Text)
	m.in(`<span class="sub flow">`, f.Why, `</span>`)
	m.cell(f.Fix)
	m.fileLine(f.Replacement)
	m.editLink(`<br>`, f.Edit)
	if f.More > 0 {
		m.raw(`<span class="sub">and `)
		m.number(f.More)
		m.raw(` more of this kind</span>`)
	}
	m.raw(`<td>`)
	if f.Counted {
		m.textRaw(wording.Thousands(f.URLs), `<span class="sub flow">`)
		m.textRaw(f.Touched, `</span>`)
	}
	m.cell(f.Crawlers)
}

// fileLine appends a line of robots.txt below a text about it, or nothing if there is no line.
func (m *markup) fileLine(s string) {
	if s != "" {
		m.raw(`<code class="means">`)
		m.own(s)
		m.raw(`</code>`)
	}
}
