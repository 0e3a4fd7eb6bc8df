package page

import (
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/enforced"
)

// treatmentMark is the class of a treatment, which has its colour, and its sign: colour alone must not carry
// meaning.
type treatmentMark struct{ class, sign constant }

// markOf is the mark of a treatment. One of a later version is unclear.
func markOf(t audit.Treatment) treatmentMark {
	if mark, ok := treatmentMarks[t]; ok {
		return mark
	}
	return treatmentMarks[audit.Unclear]
}

var treatmentMarks = map[audit.Treatment]treatmentMark{
	audit.LetIn: {"all", "✓"}, audit.Refused: {"none", "✕"}, audit.Challenged: {"part", "!"}, audit.AskedToPay: {"part", "¤"},
	audit.Otherwise: {"part", "≠"}, audit.Unclear: {"unknown", "?"},
}

// enforcedName is the title of the section of a site, and of that of a run.
const enforcedName = "Crawlers: written and enforced"

// Bounds of the section; the workbook has all crawlers.
const (
	maxContradictions = 10
	maxAskedCrawlers  = 50
	maxFault          = 160 // bytes
)

// enforced shows what the site writes for crawlers beside how its server treats them: the answer, contradictions, then
// a row for each crawler.
func (m *markup) enforced(v *siteView) {
	s := v.Enforced
	headline := s.Headline()
	if groups := enforced.Grouped(s.Contradictions); len(groups) != 1 || groups[0].Sentence != headline { // the list says it
		m.raw("<div class=\"lead\">\n<p>")
		m.prose(headline)
		m.raw("</p>\n</div>")
	}
	m.raw("\n<p class=\"note\">")
	m.prose(strings.Join(s.Basis(), " "))
	m.raw("</p>")
	if len(s.Contradictions) > 0 {
		m.raw("\n<h3>Contradictions</h3>")
		m.contradictions(s.Contradictions)
	}
	m.list("What to do", s.Advice())
	if len(s.Contradictions) > 0 {
		m.raw("\n<h3>Crawler by crawler</h3>\n")
	} else {
		m.raw("\n<details><summary>Crawler by crawler</summary>\n")
	}
	rows := s.Crawlers[:min(len(s.Crawlers), maxAskedCrawlers)]
	m.table("", enforcedName, "What the site writes for each crawler, and how its server treats the name")
	m.raw("<thead><tr>")
	columns := crawls.Shown(enforced.Columns, rows)
	for _, c := range columns {
		m.rawText("<th>", c.Title)
	}
	m.raw("\n<tbody>")
	for _, row := range rows {
		m.raw("\n<tr>")
		for _, c := range columns {
			text, _ := c.Text(row)
			switch {
			case c.Kind == crawls.Name:
				m.raw(`<th>`)
				m.own(text)
			case c.Class == enforced.Treatment && row.Treatment != "":
				m.treatment(row.Treatment)
				m.own(text)
			default:
				m.ownCell(text)
			}
			if c.Below != nil {
				m.ifAny(`<span class="sub flow">`, c.Below(row), `</span>`)
			}
		}
	}
	m.raw("\n</table></div>")
	m.more(len(s.Crawlers)-len(rows), `; see the sheet Crawlers.`)
	if len(s.Notes) > 0 {
		m.in("\n<details><summary>", wording.Plural(len(enforced.Grouped(s.Notes)), "note"), "</summary>")
		m.contradictions(s.Notes)
		m.raw(`</details>`)
	}
	m.list("Files with a policy", policyFiles(s.Asked.Files))
	if len(s.Contradictions) == 0 {
		m.raw(`</details>`)
	}
}

// contradictions appends the first ones, each with its severity.
func (m *markup) contradictions(all []*enforced.Contradiction) {
	list := enforced.Grouped(all)
	m.raw("\n<ul>")
	for _, c := range list[:min(len(list), maxContradictions)] {
		m.raw("\n<li>")
		m.badge(findingStates[c.Severity], c.Severity.String())
		m.raw(` `)
		m.prose(c.Sentence)
	}
	m.raw("\n</ul>")
	m.more(len(list)-maxContradictions, `; see the sheet Crawlers.`)
}

// treatment appends the beginning of a cell with a treatment: its colour and its sign.
func (m *markup) treatment(t audit.Treatment) {
	mark := markOf(t)
	m.raw(`<td class="policy ` + mark.class + `"><span aria-hidden="true">` + mark.sign + `</span> `)
}

// list appends sentences under a heading, if there are any.
func (m *markup) list(heading constant, sentences []string) {
	for i, sentence := range sentences {
		if i == 0 {
			m.raw("\n<h3>" + heading + "</h3>\n<ul>")
		}
		m.raw("\n<li>")
		m.prose(sentence)
	}
	if len(sentences) > 0 {
		m.raw("\n</ul>")
	}
}

func enforcedTitle(v *siteView) string {
	if v.Enforced == nil {
		return ""
	}
	title := enforcedName
	if n := len(enforced.Grouped(v.Enforced.Contradictions)); n > 0 {
		title += " (" + wording.Plural(n, "contradiction") + ")"
	}
	return title
}

// policyFiles says which files with a policy a site has.
func policyFiles(files []audit.PolicyFile) (list []string) {
	var missing, unread []string
	names := map[string][]string{} // by what happened to the files that were not read
	note := func(name, what string) {
		if names[what] == nil {
			unread = append(unread, what)
		}
		names[what] = append(names[what], name)
	}
	for _, f := range files {
		name, contents := f.Kind, wording.Plural(len(f.Statements)+f.More, "statement")
		switch f.Kind {
		case audit.FileLLMs:
			contents = wording.Plural(len(f.Links)+f.More, "link") + " to this site"
		case audit.FileRSL:
			name = "The RSL licence"
			if f.Line > 0 {
				name += fmt.Sprintf(" of line %d", f.Line)
			}
		}
		switch {
		case f.Found && f.Fault != "":
			fault := escape.Cut(strings.ReplaceAll(escape.Show(f.Fault), "`", `\x60`), maxFault)
			list = append(list, name+" is not well-formed: "+strings.TrimSuffix(fault, ".")+".")
		case f.Found:
			list = append(list, name+" is there, with "+contents+".")
		case f.URL == "" || f.Status == 404 || f.Status == 410 || f.Code == "" && f.Status >= 200 && f.Status < 300:
			missing = append(missing, f.Kind)
		case f.Status >= 400:
			note(name, fmt.Sprintf("could not be read: HTTP %d.", f.Status))
		default:
			note(name, "could not be read: "+audit.Meaning(f.Code)+".")
		}
	}
	for _, what := range unread {
		list = append(list, wording.And(names[what])+" "+what)
	}
	if missing != nil {
		list = append(list, "Not found: "+wording.And(missing)+".")
	}
	return list
}
