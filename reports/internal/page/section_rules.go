package page

func (m *markup) rules(v *siteView) {
	of := &v.Rules
	m.raw(`<div class="scroll" tabindex="0" role="region" aria-label="Rules">
<table class="bars rules"><caption>Rules that decide most URLs first. Each row is about the crawler for which the line decides most</caption>
<thead><tr><th>Rule<th class="wide">URLs decided<th>Decided<th>Share of URLs<th>Unblocked if deleted<th>Effect
<tbody>`)
	for i := range of.Rows {
		m.rule(&of.Rows[i])
	}
	m.raw("\n</table></div>")
	m.more(of.More, ` rules with an effect; see the sheet Rules.`)
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
	m.cell(b.Share)
	m.orDash(b.Frees, !b.NotKnown)
	m.cell(b.Explanation)
}

func rulesTitle(v *siteView) string {
	if len(v.Rules.Rows) == 0 {
		return ""
	}
	return "Rules by effect"
}
