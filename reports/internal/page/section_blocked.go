package page

import (
	"strconv"

	"robots-audit/engine/wording"
	"robots-audit/reports/internal/layout"
)

func (m *markup) blocked(v *siteView) {
	m.raw("\n<section id=\"blocked\"><h2>")
	switch {
	case v.Shown > 0:
		m.raw(`Blocked URLs, and those without a clear verdict`)
	case v.URLs > 0:
		m.raw(`No known URL is blocked`)
	default:
		m.raw(`No known URL was tested`)
	}
	m.raw("</h2>\n")
	if v.Shown > 0 {
		m.blockedTable(v)
	}
	if len(v.Past.List) > 0 {
		m.raw("\n<h3>Since when</h3>\n")
		m.table("", "Since when URLs are blocked", "Blocked URLs that the important list names, and those with an owner note")
		m.raw(`<thead><tr><th scope="col">URL<th scope="col">Crawlers<th scope="col">Blocked<th scope="col">Owner note
<tbody>`)
		for _, u := range v.Past.List {
			m.in("\n<tr><th scope=\"row\" class=\"url\"><bdi>", u.URL, `</bdi>`)
			m.wordCell(u.Crawlers)
			m.cell(u.Since)
			m.wordCell(u.Note)
		}
		m.raw("\n</table></div>")
		m.more(v.Past.More, `; see the sheet Blocked.`)
	}
	m.raw("\n</section>\n")
}

// blockedTable appends the table that the page's script fills.
func (m *markup) blockedTable(v *siteView) {
	if v.More > 0 {
		m.in(`<p class="note">The first `, wording.Thousands(v.Shown), ` are here; `)
		m.textRaw(wording.Thousands(v.More), ` more are in the `)
		switch {
		case v.NoWorkbooks:
			m.raw(`records of the run`)
		case v.SingleFile:
			m.raw(`workbook`)
		default:
			m.attrIn(`<a href="../`, v.Base, `.xlsx">workbook</a>`)
		}
		m.raw(".</p>\n")
	}
	m.raw(`<p class="note">Blocked from crawling: a blocked URL can still be indexed.`)
	m.ifAny(` Besides, `, v.Resources, ` are blocked; see the sheet Resources.`)
	m.raw("</p>\n" + layout.Grid + `
<label>Text <input type="search" name="text" autocomplete="off" spellcheck="false"></label>
<label>Crawler <select name="crawler"><option value="">any`)
	for i := range v.Crawlers {
		m.option(strconv.Itoa(i), v.Crawlers[i].Label)
	}
	m.raw(`</select></label>
<label>Verdict <select name="verdict"><option value="">any<option>disallow<option>undefined<option>unknown</select></label>
<label>Rule <select name="rule"><option value="">any`)
	for _, choice := range v.RuleFilter {
		m.option(choice.Value, choice.Name)
	}
	m.raw(`</select></label>
<label>Directory <select name="dir"><option value="">any`)
	for _, choice := range v.DirFilter {
		m.option(choice.Value, choice.Name)
	}
	m.raw(`</select></label>
<button type="reset">Clear</button>
</form>
<div class="scroll rows" tabindex="0" role="region" aria-label="Blocked URLs">
<table id="table"><caption>URLs that a crawler may not fetch, with the deciding line</caption>
<thead><tr><th scope="col" data-sort="url">URL`)
	if v.Clicks {
		m.raw(`<th scope="col" class="n" data-sort="clicks">Clicks`)
	}
	m.raw(`<th scope="col" data-sort="crawlers">Crawlers, verdict<th scope="col" data-sort="line">Deciding line<th scope="col" data-sort="dir">Directory<th scope="col" data-sort="source">Source<th scope="col" data-sort="date">Last modified
<tbody></table></div>
` + layout.GridEnd)
}

func (m *markup) option(value, name string) {
	m.attrIn(`<option value="`, value, `">`)
	m.textRaw(name, ``)
}
