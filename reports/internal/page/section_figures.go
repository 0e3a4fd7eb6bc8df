package page

// figures appends the key figures; the style tells value and reason by their places.
func (m *markup) figures(v *siteView) {
	m.raw("\n<section id=\"figures\"><h2>Key figures</h2>\n<dl class=\"figures\">")
	for i := range v.Figures {
		f := &v.Figures[i]
		m.in("\n<div><dt>", f.Name, `<dd>`)
		if f.Value != "" {
			m.own(f.Value)
		} else {
			m.raw(`–`)
		}
		m.ifAny(` <span class="share">`, f.Share, `</span>`)
		if f.State != "" {
			m.raw(` `)
			m.state(f.State)
		}
		m.in(`<dd>`, f.Why, `</div>`)
	}
	m.raw("\n</dl>\n")
	if len(v.Unasked) > 0 {
		m.raw(`<p class="note">`)
		for _, f := range v.Unasked {
			m.in(`<span>`, f.Name, `: `)
			m.textRaw(f.Why, `. </span>`)
		}
		m.raw(`</p>`)
	}
	m.raw("\n</section>\n")
}
