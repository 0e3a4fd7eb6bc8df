package page

// parts are the sections of a site's page, in their order, with what the list of them says;
// "" = it does not name them. Those that not every page has are asked whether they are there.
var parts = []struct {
	link  constant
	there func(*siteView) bool
	write func(*markup, *siteView)
}{
	{`<a href="#todo">To do</a>`, nil, (*markup).toDo},
	{`<a href="#figures">Key figures</a>`, nil, (*markup).figures},
	{`<a href="#timeline">Timeline</a>`, func(v *siteView) bool { return v.Timeline != nil }, (*markup).timeline},
	{`<a href="#findings">What to mend</a>`, func(v *siteView) bool { return v.FindingsSummary != "" }, (*markup).findings},
	{`<a href="#crawlers">Crawlers</a>`, nil, (*markup).crawlers},
	{`<a href="#directories">Directories</a>`, nil, (*markup).directories},
	{`<a href="#rules">Rules</a>`, nil, (*markup).rules},
	{`<a href="#file">robots.txt</a>`, nil, (*markup).files},
	{`<a href="#blocked">Blocked URLs</a>`, nil, (*markup).blocked},
	{`<a href="#policy">AI policy</a>`, nil, (*markup).policy},
	{`<a href="#hosts">Hosts</a>`, nil, (*markup).hosts},
	{`<a href="#sitemaps">Sitemaps</a>`, nil, (*markup).sitemaps},
	{`<a href="#problems">Problems</a>`, nil, (*markup).problems},
}

// appendSite appends the page of a site.
func appendSite(dst []byte, v *siteView) ([]byte, error) {
	m := markup{buf: v.Head.AppendBegin(dst)}
	m.top(v)
	m.raw(`<nav class="toc" aria-label="Parts of this page"><ul>`)
	for _, part := range parts {
		if part.there == nil || part.there(v) {
			m.raw("\n<li>")
			m.raw(part.link)
		}
	}
	m.raw("\n</ul></nav>\n<main id=\"main\">\n<div class=\"lead\">")
	for _, sentence := range v.Sentences {
		m.in("\n<p>", sentence, `</p>`)
	}
	m.raw("\n</div>\n")
	for _, part := range parts {
		if part.there == nil || part.there(v) {
			part.write(&m, v)
		}
	}
	m.in("</main>\n<footer><p>Audited ", v.Started, ` UTC by robots-audit `)
	m.text(v.Version)
	m.raw(". Known URLs are those that sitemaps, followed links or your own list name; others are not known here. The verdicts are what the crawlers' published rules say; how a crawler acts, nobody can prove from outside.</p></footer>\n")
	return v.Head.AppendEnd(m.buf), m.err
}

// top appends the name of the site, its state, and what lies beside the page. The names of a
// site's files need no escape in a URL, see fileBase in package reports.
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
			m.attrIn(` <a href="../`, v.Evidence, `">robots.txt as `)
			if v.Given {
				m.raw(`given by -robots</a>`)
			} else {
				m.raw(`fetched</a>`)
			}
		}
		m.raw("</p>\n")
	}
	m.raw("</header>\n")
}

// timeline is made by a template: few pages have one, and much of it is a picture.
func (m *markup) timeline(v *siteView) {
	m.buf, m.err = pages().site.AppendTemplate(m.buf, "timeline", v.Timeline)
}
