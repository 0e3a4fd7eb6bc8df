package page

import (
	"strconv"

	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
)

func (m *markup) hosts(v *siteView) {
	m.table("", "Requests for robots.txt", "Each request, with redirects, and what the last answer means to crawlers")
	m.raw(`<thead><tr><th>Origin<th>Step<th>URL<th>Status<th>ms<th>Answer<th>What it means to crawlers
<tbody>`)
	for i := range v.Hops.List {
		m.hop(&v.Hops.List[i])
	}
	m.raw("\n</table></div>")
	m.more(v.Hops.More, `; see the sheet Requests for robots.txt.`)
}

func hostsTitle(v *siteView) string {
	return counted("Requests for robots.txt", len(v.Hops.List)+v.Hops.More)
}

func (m *markup) hop(h *hop) {
	m.raw("\n<tr>")
	m.ownCell(h.Origin)
	m.raw(`<td>`)
	m.number(h.Step)
	m.ownCell(h.URL)
	m.status(h.Status)
	m.raw(`<td>`)
	m.buf = strconv.AppendFloat(m.buf, h.Millis, 'f', 0, 64)
	m.raw(`<td>`)
	switch {
	case h.Location != "":
		m.in(`redirects to <bdi class="url">`, h.Location, `</bdi>`)
	case h.Trouble != "":
		m.text(h.Trouble)
	default:
		m.text(h.Type)
		if h.Last {
			m.in(`, `, wording.Thousands(h.Bytes), ` bytes`)
		}
	}
	m.ifAny(`<span class="sub">`, h.Address, `</span>`)
	m.raw(`<td>`)
	for _, means := range h.Means {
		m.in(`<span class="means"><b>`, means.Crawlers, `</b>: `)
		m.text(means.Access)
		m.raw(`</span>`)
		m.forecast(means.Later)
	}
}

// forecast appends the table of what an answer means over time; nothing where that stays the same.
func (m *markup) forecast(steps []site.ForecastStep) {
	if steps == nil {
		return
	}
	m.raw(`<table class="steps"><thead><tr><th>When<th>If<th>Then
<tbody>`)
	for _, step := range steps {
		m.rawText("\n<tr><td>", step.When)
		m.rawText(`<td>`, step.If)
		m.rawText(`<td>`, step.Then)
	}
	m.raw("\n</table>")
}

// status appends a cell with a status of HTTP.
func (m *markup) status(status int) {
	m.raw(`<td>`)
	if status != 0 {
		m.number(status)
	} else {
		m.raw(`none`)
	}
}
