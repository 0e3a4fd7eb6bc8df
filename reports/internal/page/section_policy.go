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
		m.raw(`<thead><tr><th>Purpose<th>Access<th>Crawlers<th>Why
<tbody>`)
		same := 0 // rows that have the cell Why of one before
		for i := range v.Purposes {
			of := &v.Purposes[i]
			for k := range of.Policies {
				m.raw("\n<tr>")
				if k == 0 {
					m.purpose(of)
				}
				m.policyOf(&of.Policies[k])
				if same--; same < 0 {
					same = samePolicies(v.Purposes[i:], k)
					m.why(&of.Policies[k], 1+same)
				}
			}
		}
		m.raw("\n</table></div>")
	}
	m.raw("\n</section>\n")
}

// samePolicies counts the policies after the k-th of the first purpose of which the same is to be
// said: most crawlers are told the same, whatever they are for.
func samePolicies(list []viewPurpose, k int) int {
	first, same := &list[0].Policies[k], 0
	for _, of := range list {
		for i := range of.Policies[min(k+1, len(of.Policies)):] {
			if p := &of.Policies[k+1+i]; p.Why != first.Why || p.Sampled != first.Sampled || p.Against != first.Against {
				return same
			}
			same++
		}
		k = -1
	}
	return same
}

// purpose appends the header of the rows of a purpose.
func (m *markup) purpose(p *viewPurpose) {
	m.raw(`<th`)
	m.rowSpan(len(p.Policies))
	m.in(`>`, p.Purpose, `<span class="sub">`)
	m.textRaw(p.Counts, `</span>`)
}

func (m *markup) policyOf(p *viewPolicy) {
	m.attrIn(`<td class="policy `, p.Class, `"><span aria-hidden="true">`)
	m.textRaw(p.Sign, `</span> `)
	m.text(p.Access)
	m.raw(`<td>`)
	for i, name := range p.Crawlers {
		if i > 0 {
			m.raw(`, `)
		}
		m.text(name)
	}
}

// why appends the reason of the policies of some rows.
func (m *markup) why(p *viewPolicy, rows int) {
	m.raw(`<td`)
	m.rowSpan(rows)
	m.rawText(`>`, p.Why)
	m.ifAny(`<span class="sub flow">`, p.Sampled, `</span>`)
	m.ifAny(`<span class="means"><b>Contradiction</b>: `, p.Against, `</span>`)
}
