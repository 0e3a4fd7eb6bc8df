package page

import "robots-audit/engine/wording"

func (m *markup) toDo(v *siteView) {
	of := &v.ToDo
	m.in("\n<section id=\"todo\"><h2>", of.Title, "</h2>\n")
	if of.Lead.What != "" {
		m.raw("<p>")
		m.prose(of.Lead.What)
		if of.Lead.Contradictions == 0 { // otherwise, its section says what to do
			m.prose(" " + of.Lead.Do)
		}
		m.raw(` <a href="#enforced">` + enforcedName + `</a></p>`)
	}
	m.ifAny(`<p>`, of.Nothing, `</p>`)
	first := min(len(of.Causes), firstCauses)
	m.causes(of.Causes[:first])
	if rest := of.Causes[first:]; len(rest) > 0 {
		m.in("\n<details><summary>", wording.Plural(len(rest), "more issue"), `</summary>`)
		m.causes(rest)
		m.ifAny(`<p class="note">`, of.More, `</p>`)
		m.raw(`</details>`)
	}
	m.raw("\n</section>\n")
}

// Bounds of the list.
const (
	firstCauses  = 3 // on the first screen
	pageExamples = 3 // for a cause
)

func (m *markup) causes(list []viewCause) {
	if len(list) == 0 {
		return
	}
	m.raw(`<ol class="todo">`)
	for i := range list {
		m.cause(&list[i])
	}
	m.raw("\n</ol>")
}

func (m *markup) cause(c *viewCause) {
	m.raw("\n<li><h3>")
	m.prose(c.What)
	m.raw("</h3>\n<dl class=\"facts\">")
	for _, f := range c.Figures {
		m.rawText(`<div><dt>`, f.Name)
		m.raw(`<dd>`)
		m.own(f.Text)
		m.raw(`</div>`)
	}
	m.raw("</dl>\n<dl class=\"answers\">")
	for _, f := range c.Answers {
		m.rawText(`<div><dt>`, f.Name)
		m.raw(`<dd>`)
		m.prose(f.Text)
		m.raw(`</div>`)
	}
	if len(c.Examples) > 0 {
		m.raw(`<div class="examples"><dt>Examples<dd>`)
		for _, url := range c.Examples[:min(len(c.Examples), pageExamples)] {
			m.in(`<bdi>`, url, `</bdi>`)
		}
		m.raw(`</div>`)
	}
	m.raw("</dl>")
	if c.Key != "" || c.Edit.Path != "" {
		m.raw("\n<p class=\"note links\">")
		if c.Key != "" {
			m.pick("rule", c.Key)
			m.raw(`Show these URLs</button>`)
		}
		m.editLink(` `, c.Edit)
		m.raw(`</p>`)
	}
}
