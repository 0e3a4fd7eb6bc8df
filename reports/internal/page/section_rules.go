package page

func (m *markup) rules(v *siteView) {
	of := &v.Rules
	m.raw("\n<section id=\"rules\"><h2>")
	switch {
	case of.Title != "":
		m.text(of.Title)
	case v.Answered:
		m.raw(`No rule lines`)
	default:
		m.raw(`No rule lines were read: there was no answer to the request for robots.txt`)
	}
	m.raw("</h2>\n")
	if len(of.Rows) > 0 {
		m.raw(`<div class="scroll" tabindex="0" role="region" aria-label="Rules">
<table class="bars rules"><caption>Rules by the known URLs whose verdict they give, most first; a line counts for the crawler for which it decides most</caption>
<thead><tr><th>Rule<th class="wide">URLs decided<th>Decided<th>With those above<th>Freed if deleted<th>In words
<tbody>`)
		for i := range of.Rows {
			m.rule(&of.Rows[i])
		}
		m.raw("\n</table></div>")
		m.more(of.More, ` rules that decide something; see the sheet Rules.`)
	}
	m.raw("\n</section>\n")
}

func (m *markup) rule(b *viewBar) {
	m.raw("\n<tr><th><span class=\"sub\">line ")
	m.number(b.Line)
	m.raw(`</span>`)
	if b.Key != "" {
		m.pick("rule", b.Key)
		m.code(b.Name)
		m.raw(`</button>`)
	} else {
		m.code(b.Name)
	}
	m.ifAny(`<span class="sub">`, b.Since, `</span>`)
	m.ifAny(`<span class="sub flow">Owner note: <bdi>`, b.Note, `</bdi></span>`)
	m.bar(barPart{"", b.Bar})
	m.numberIn(b.Decided)
	m.cell(b.Sum)
	m.orDash(b.Frees, !b.NotKnown)
	m.cell(b.Explanation)
}
