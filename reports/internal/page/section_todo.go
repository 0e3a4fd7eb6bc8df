package page

func (m *markup) toDo(v *siteView) {
	of := &v.ToDo
	m.in("\n<section id=\"todo\"><h2>", of.Title, "</h2>\n")
	m.ifAny(`<p>`, of.Nothing, `</p>`)
	if len(of.Causes) > 0 {
		m.raw(`<ol class="todo">`)
		for i := range of.Causes {
			m.cause(&of.Causes[i])
		}
		m.raw("\n</ol>")
		m.ifAny(`<p class="note">`, of.More, `</p>`)
	}
	m.raw("\n</section>\n")
}

func (m *markup) cause(c *viewCause) {
	m.in("\n<li><h3>", c.What, "</h3>\n<dl class=\"facts\">")
	for _, f := range c.Figures {
		m.rawText(`<div><dt>`, f.Name)
		m.raw(`<dd>`)
		m.own(f.Text)
		m.raw(`</div>`)
	}
	m.raw("</dl>\n<dl class=\"answers\">")
	for _, f := range c.Answers {
		m.rawText(`<div><dt>`, f.Name)
		m.in(`<dd>`, f.Text, `</div>`)
	}
	if len(c.Examples) > 0 {
		m.raw(`<div class="examples"><dt>Examples<dd>`)
		for _, url := range c.Examples {
			m.in(`<bdi>`, url, `</bdi>`)
		}
		m.raw(`</div>`)
	}
	m.raw("</dl>\n<p class=\"note\">")
	if c.Origin != "" {
		m.own(c.Origin)
		m.raw(`/robots.txt`)
	}
	if c.Line > 0 {
		m.raw(`, line `)
		m.number(c.Line)
	}
	m.rawText(`; its rows are on the sheet `, c.Sheet)
	if c.Key != "" {
		m.raw(`, and `)
		m.pick("rule", c.Key)
		m.raw(`below</button>`)
	}
	m.raw(`.</p>`)
}
