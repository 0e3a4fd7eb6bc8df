package page

import (
	"strconv"

	"robots-audit/engine/wording"
)

func (m *markup) hosts(v *siteView) {
	m.raw("\n<section id=\"hosts\"><h2>Requests for robots.txt</h2>\n")
	m.table("", "Requests for robots.txt", "Every request, redirects in order, and what the final answer means")
	m.raw(`<thead><tr><th>Origin<th>Step<th>URL<th>Status<th>ms<th>Answer<th>What crawlers make of it
<tbody>`)
	for i := range v.Hops.List {
		m.hop(&v.Hops.List[i])
	}
	m.raw("\n</table></div>")
	m.more(v.Hops.More, `; see the sheet Hosts.`)
	m.raw("\n</section>\n")
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
		m.in(`leads to <bdi class="url">`, h.Location, `</bdi>`)
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
		m.ifAny(`<span class="sub flow">`, means.Later, `</span>`)
		m.raw(`</span>`)
	}
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
