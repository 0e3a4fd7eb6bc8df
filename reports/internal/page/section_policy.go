package page

func (m *markup) policy(v *siteView) {
	m.raw("\n<section id=\"policy\"><h2>AI policy")
	m.ifAny(`: `, v.AIPolicy, ``)
	m.raw("</h2>\n<p class=\"note\">What the site's robots.txt says to the listed crawlers that gather for AI or fetch at a user's request, ")
	if v.Sampled {
		m.raw(`measured on an even sample of the known URLs`)
	} else {
		m.raw(`as the home page and the rules show it: no known URL could be put to them`)
	}
	m.raw(". ● all may be crawled, ◐ part, ○ none, ? unknown. Where an operator does not say that its crawler obeys robots.txt, that stands in brackets.</p>\n")
	if len(v.Purposes) > 0 {
		m.table("", "AI policy", "Crawlers by purpose, with how much they may fetch and by which line")
		m.raw("<thead><tr><th scope=\"col\">Purpose<th scope=\"col\">Access<th scope=\"col\">Crawlers<th scope=\"col\">Why\n")
		for i := range v.Purposes {
			m.purpose(&v.Purposes[i])
		}
		m.raw(`</table></div>`)
	}
	m.raw("\n</section>\n")
}

func (m *markup) purpose(p *viewPurpose) {
	if len(p.Policies) == 0 {
		return
	}
	m.raw(`<tbody>`)
	for i := range p.Policies {
		c := &p.Policies[i]
		m.raw("\n<tr>")
		if i == 0 {
			m.raw(`<th scope="rowgroup" rowspan="`)
			m.number(len(p.Policies))
			m.in(`">`, p.Purpose, `<span class="sub">`)
			m.textRaw(p.Counts, `</span>`)
		}
		m.attrIn(`<td class="policy `, c.Class, `"><span aria-hidden="true">`)
		m.textRaw(c.Sign, `</span> `)
		m.textRaw(c.Access, ``)
		m.wordCell(c.Crawlers)
		m.rawText(`<td class="words">`, c.Why)
		m.ifAny(`<span class="sub flow">`, c.Sampled, `</span>`)
		m.ifAny(`<span class="means"><b>Contradiction</b>: `, c.Against, `</span>`)
	}
	m.raw("\n")
}
