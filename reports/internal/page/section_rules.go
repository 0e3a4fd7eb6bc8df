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
<thead><tr><th scope="col">Rule<th scope="col" class="wide">URLs decided<th scope="col" class="n">Decided<th scope="col" class="n">With those above<th scope="col" class="n">Freed if deleted<th scope="col">In words
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
	m.raw("\n<tr><th scope=\"row\"><span class=\"sub\">line ")
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
	m.raw(`<td class="barcell">`)
	m.bar("bg", barPart{"r", b.Bar})
	m.numberIn(b.Decided)
	m.rawText(`<td class="n">`, b.Sum)
	m.orDash(b.Frees, !b.NotKnown)
	m.wordCell(b.Explanation)
}
