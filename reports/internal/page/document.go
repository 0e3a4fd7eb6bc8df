package page

import (
	"robots-audit/engine/wording"
)

// part is a section of a site's page. It is folded: title is visible on the fold, "" = the page
// omits it.
type part struct {
	id    constant
	title func(*siteView) string
	write func(*markup, *siteView)
}

// parts are the sections below the to-do list, in the order in which readers need them.
var parts = []part{
	{"blocked", blockedTitle, (*markup).blocked},
	{"timeline", timelineTitle, (*markup).timeline},
	{"crawlers", func(*siteView) string { return "Access by crawler" }, (*markup).crawlers},
	{"enforced", enforcedTitle, (*markup).enforced},
	{"rules", rulesTitle, (*markup).rules},
	{"file", fileTitle, (*markup).files},
	{"findings", findingsTitle, (*markup).findings},
	{"directories", func(v *siteView) string { return v.Directories.Title }, (*markup).directories},
	{"sitemaps", sitemapsTitle, (*markup).sitemaps},
	{"logs", logsTitle, (*markup).logs},
	{"policy", policyTitle, (*markup).policy},
	{"hosts", hostsTitle, (*markup).hosts},
	{"problems", problemsTitle, (*markup).problems},
	{"figures", func(*siteView) string { return "All figures" }, (*markup).figures},
}

// counted returns a title with the number of entries in the section; "" = the section is empty.
func counted(title string, n int) string {
	if n == 0 {
		return ""
	}
	return title + ": " + wording.Thousands(n)
}

// appendSite appends the page of a site: its state, the lead, the first figures and causes. The rest
// is folded.
func appendSite(dst []byte, v *siteView) ([]byte, error) {
	m := markup{buf: v.Head.AppendBegin(dst)}
	m.top(v)
	m.raw("<main id=\"main\">\n<div class=\"lead\">")
	for _, sentence := range v.Sentences {
		m.raw("\n<p>")
		m.prose(sentence)
		m.raw(`</p>`)
	}
	m.raw("\n</div>\n<dl class=\"figures first\">")
	for i := range v.FirstFigures {
		m.figure(&v.FirstFigures[i], false)
	}
	m.raw("\n</dl>\n")
	m.toDo(v)
	for _, p := range parts {
		if title := p.title(v); title != "" {
			m.in("\n<details class=\"part\"><summary><h2>", title, "</h2></summary>\n<div id=\"")
			m.raw(p.id + "\">\n")
			p.write(&m, v)
			m.raw("\n</div></details>\n")
		}
	}
	m.in("</main>\n<footer><p>Audited ", v.Started, ` UTC by robots-audit `)
	m.text(v.Version)
	m.raw(". URLs found are those in sitemaps, links or your list. Verdicts follow the crawlers' published rules.</p></footer>\n")
	return v.Head.AppendEnd(m.buf), m.err
}

// top appends the name of the site, its state, and links to its other files. The names of a site's
// files need no escape in a URL, see fileBase in package reports.
func (m *markup) top(v *siteView) {
	m.raw("\n<header class=\"top\">\n")
	if !v.SingleFile {
		m.raw("<p class=\"path\"><a href=\"../index.html\">All sites of this run</a></p>\n")
	}
	m.in(`<h1><bdi>`, v.Name, `</bdi> `)
	m.state(v.State)
	m.raw("</h1>\n")
	if !v.SingleFile {
		m.raw(`<p class="links">`)
		if !v.NoWorkbooks {
			m.attrIn(`<a href="../`, v.Base, `.xlsx">Workbook</a>`)
		}
		if v.Evidence != "" {
			m.attrIn(` <a href="../`, v.Evidence, `">`)
			if v.Given {
				m.raw(`your draft of robots.txt</a>`)
			} else {
				m.raw(`robots.txt as fetched</a>`)
			}
		}
		m.raw("</p>\n")
	}
	m.raw("</header>\n")
}

// timeline uses a template: few pages have a timeline, and most of it is a picture.
func (m *markup) timeline(v *siteView) {
	m.buf, m.err = pages().site.AppendTemplate(m.buf, "timeline", v.Timeline)
}

func timelineTitle(v *siteView) string {
	if v.Timeline == nil {
		return ""
	}
	return v.Timeline.Title
}
