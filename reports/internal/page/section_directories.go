package page

func (m *markup) directories(v *siteView) {
	of := &v.Directories
	m.raw("\n<section id=\"directories\"><h2>")
	if of.Title != "" {
		m.text(of.Title)
	} else {
		m.raw(`No known URLs, so no directories`)
	}
	m.raw("</h2>\n")
	if len(of.Rows) > 0 {
		m.raw(`<div class="scroll" tabindex="0" role="region" aria-label="Directories">
<table class="bars"><caption>Known URLs by top directory: blocked for at least one crawler, without a clear verdict, allowed</caption>
<thead><tr><th>Directory<th class="wide"><span class="key b">blocked</span> <span class="key u">no clear verdict</span> <span class="key a">allowed</span><th>Blocked<th>Unclear<th>Allowed<th>Share blocked
<tbody>`)
		for i := range of.Rows {
			m.directory(&of.Rows[i])
		}
		m.raw("\n</table></div>")
		m.more(of.More, ` directories; the column Directory of the workbook has them all.`)
	}
	m.raw("\n</section>\n")
}

func (m *markup) directory(b *viewBar) {
	m.raw("\n<tr><th>")
	if b.Key != "" && b.Blocked+b.Unsure > 0 {
		m.pick("dir", b.Key)
		m.own(b.Name)
		m.raw(`</button>`)
	} else {
		m.own(b.Name)
	}
	m.bar(barPart{` class="u"`, b.BarBoth}, barPart{"", b.Bar})
	m.numberIn(b.Blocked)
	m.numberIn(b.Unsure)
	m.numberIn(b.Allowed)
	m.cell(b.Share)
}
