package page

import "robots-audit/reports/internal/crawls"

// logs shows what crawlers did by the access logs: answers, then a row for each crawler.
func (m *markup) logs(v *siteView) {
	s := v.Logs
	m.raw("<div class=\"lead\">\n<p>")
	m.prose(s.Headline())
	m.raw("</p>")
	for _, sentence := range s.Basis() {
		m.raw("\n<p>")
		m.prose(sentence)
		m.raw("</p>")
	}
	m.raw("\n</div>\n")
	for _, answer := range s.Answers() {
		m.in("\n<h3>", answer.Question, "</h3>\n<p>")
		for i, sentence := range answer.Sentences {
			if i > 0 {
				m.raw(" ")
			}
			m.prose(sentence)
		}
		m.raw("</p>")
	}
	rows := s.Crawlers
	more := max(len(rows)-maxLogCrawlers, 0)
	m.table("", "Crawlers in the logs", "Requests of crawlers, search engines first")
	m.raw("<thead><tr>")
	columns := crawls.Shown(crawls.CrawlerColumns, rows)
	for _, c := range columns {
		m.rawText("<th>", c.Title)
	}
	m.raw("\n<tbody>")
	for _, row := range rows[:len(rows)-more] {
		m.raw("\n<tr>")
		for _, c := range columns {
			text, _ := c.Text(row)
			m.ownCell(text)
			if c.Below != nil {
				m.ifAny(`<span class="sub">`, c.Below(row), `</span>`)
			}
		}
	}
	m.raw("\n</table></div>")
	m.more(more, `; see the sheet Crawlers in the logs.`)
}

// maxLogCrawlers bounds the crawlers on the page.
const maxLogCrawlers = 50

func logsTitle(v *siteView) string {
	if v.Logs == nil {
		return ""
	}
	return "Crawlers in the logs"
}
