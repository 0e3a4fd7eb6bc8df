package page

import "robots-audit/audit"

// figures appends the key figures; the style recognises value and reason by their positions.
func (m *markup) figures(v *siteView) {
	m.raw("<dl class=\"figures\">")
	for i := range v.Figures {
		m.figure(&v.Figures[i], true)
	}
	m.raw("\n</dl>")
}

func (m *markup) figure(f *viewFigure, why bool) {
	m.in("\n<div><dt>", f.Name, `<dd>`)
	if f.Value != "" {
		m.own(f.Value)
	} else {
		m.raw(`–`)
	}
	m.ifAny(` <span class="share">`, f.Share, `</span>`)
	if f.State != "" && (why || f.State != audit.OK) {
		m.raw(` `)
		m.state(f.State)
	}
	if why {
		m.rawText(`<dd>`, f.Why)
	}
	m.raw(`</div>`)
}
