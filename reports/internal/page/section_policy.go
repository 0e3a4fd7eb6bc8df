package page

func (m *markup) policy(v *siteView) {
	switch {
	case !v.PolicyKnown:
		m.raw(`<p class="note">robots.txt could not be read, so what it says to these crawlers is unknown`)
	case v.Sampled:
		m.raw(`<p class="note">Tested on the URLs of the site's own address`)
	default:
		m.raw(`<p class="note">Tested on the home page and the rules, because there was no URL to test`)
	}
	m.raw(". ● all allowed, ◐ part, ○ none, ? unknown. In square brackets: what the operator says about following robots.txt. Nothing there means: it says yes.</p>\n")
	if len(v.Purposes) > 0 {
		m.table("", "AI policy", "AI crawlers by purpose, and the line that decides")
		m.raw(`<thead><tr><th>Purpose<th>Access<th>Crawlers<th>Why
<tbody>`)
		same := 0 // rows that share the cell Why of an earlier row
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
}

func policyTitle(v *siteView) string {
	if v.AIPolicy == "" {
		return "AI policy"
	}
	return "AI policy: " + v.AIPolicy
}

// samePolicies counts the policies after the k-th of the first purpose that have the same reason:
// most crawlers of all purposes follow one group.
func samePolicies(list []viewPurpose, k int) int {
	first, same := &list[0].Policies[k], 0
	for _, of := range list {
		for i := range of.Policies[min(k+1, len(of.Policies)):] {
			if p := &of.Policies[k+1+i]; p.Why != first.Why || p.Tested != first.Tested || p.Against != first.Against {
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
	m.raw(`<td class="names">`)
	for i, name := range p.Crawlers {
		if i > 0 {
			m.raw(`, `)
		}
		m.text(name)
	}
}

// why appends the reason for the policies of some rows.
func (m *markup) why(p *viewPolicy, rows int) {
	m.raw(`<td`)
	m.rowSpan(rows)
	m.rawText(`>`, p.Why)
	m.ifAny(`<span class="sub flow">`, p.Tested, `</span>`)
	m.ifAny(`<span class="means"><b>Contradiction</b>: `, p.Against, `</span>`)
}
