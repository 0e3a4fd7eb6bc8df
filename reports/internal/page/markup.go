package page

import (
	htmlTemplate "html/template"
	"iter"
	"slices"
	"strconv"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// markup is HTML that is written piece by piece: for the two tables of a
// site's page that have a row for every line of robots.txt and for every
// finding, for which html/template needs longer than all the rest of a small
// site's report takes. What is not a constant of this program goes through
// text alone.
type markup struct{ strings.Builder }

// raw writes markup.
func (m *markup) raw(constant string) { m.WriteString(constant) }

// escapes are the characters that mean something in HTML, as html/template writes them.
var escapes = [256]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&#34;", '\'': "&#39;", '+': "&#43;", 0: "\uFFFD"}

// text writes text as an element's content or between the quotes of an
// attribute; what could not be seen or would mislead is shown.
func (m *markup) text(s string) {
	s = escape.Show(s)
	start := 0
	for i := range len(s) {
		if e := escapes[s[i]]; e != "" {
			m.WriteString(s[start:i])
			m.WriteString(e)
			start = i + 1
		}
	}
	m.WriteString(s[start:])
}

func (m *markup) number(n int) { m.WriteString(strconv.Itoa(n)) }

// rowsAtOnce is the number of rows that are written at once.
const rowsAtOnce = 32

// rows yields a table's rows, some at a time.
func rows[T any](list []T, row func(*markup, *T)) iter.Seq[htmlTemplate.HTML] {
	return func(yield func(htmlTemplate.HTML) bool) {
		size := 256 * min(len(list), rowsAtOnce)
		for some := range slices.Chunk(list, rowsAtOnce) {
			var m markup
			m.Grow(size)
			for i := range some {
				row(&m, &some[i])
			}
			if size = m.Len() + 512; !yield(htmlTemplate.HTML(m.String())) {
				return
			}
		}
	}
}

// lineRows are the rows of the robots.txt.
func lineRows(lines []viewLine) iter.Seq[htmlTemplate.HTML] { return rows(lines, (*markup).line) }

// findingRows are the rows of the findings.
func findingRows(findings []finding) iter.Seq[htmlTemplate.HTML] {
	return rows(findings, (*markup).finding)
}

func (m *markup) line(l *viewLine) {
	m.raw("\n<tr class=\"h")
	m.number(l.Heat)
	if l.Idle {
		m.raw(" idle")
	}
	m.raw(`"><td class="n">`)
	m.number(l.Number)
	m.raw(`</td><td class="text">`)
	switch {
	case len(l.Details) == 0:
		m.code(l.Text)
	case l.Key != "":
		m.raw(`<span class="hold"><button type="button" class="pick" data-rule="`)
		m.text(l.Key)
		m.raw(`" aria-describedby="t`)
		m.text(l.ID)
		m.raw(`">`)
		m.code(l.Text)
		m.raw(`</button>`)
	default:
		m.raw(`<span class="hold"><code tabindex="0" role="note" aria-describedby="t`)
		m.text(l.ID)
		m.raw(`"><bdi>`)
		m.text(l.Text)
		m.raw(`</bdi></code>`)
	}
	if len(l.Details) > 0 {
		m.raw(`<span class="tip" role="tooltip" id="t`)
		m.text(l.ID)
		m.raw(`">`)
		for _, detail := range l.Details {
			m.raw(`<span>`)
			m.text(detail)
			m.raw(`</span>`)
		}
		m.raw(`</span></span>`)
	}
	m.raw(`</td><td>`)
	m.text(l.Kind)
	if l.Idle {
		m.raw(`, idle`)
	}
	if l.Lint {
		m.raw(`<span class="flag">finding</span>`)
	}
	m.raw(`</td><td class="n">`)
	if l.Matched >= 0 {
		m.text(wording.Thousands(l.Matched))
	}
	m.raw(`</td><td class="n">`)
	if l.Decided >= 0 {
		m.text(wording.Thousands(l.Decided))
	}
	m.raw(`</td></tr>`)
}

// code writes what stands in a robots.txt, whatever its direction of writing.
func (m *markup) code(s string) {
	m.raw(`<code><bdi>`)
	m.text(s)
	m.raw(`</bdi></code>`)
}

func (m *markup) finding(f *finding) {
	m.raw("\n<tr><th scope=\"row\"><span class=\"state ")
	m.text(string(f.State))
	m.raw(`"><span class="sign" aria-hidden="true">`)
	m.text(stateSign(f.State))
	m.raw(`</span> `)
	m.text(f.Severity.String())
	m.raw(`</span><span class="sub">`)
	m.text(f.ID)
	m.raw(` `)
	m.text(f.Name())
	m.raw(`</span></th><td class="n">`)
	if f.Line > 0 {
		m.number(f.Line)
	} else {
		m.raw(`–`)
	}
	m.raw(`</td><td class="words">`)
	m.text(f.What)
	m.fileLine(f.Text)
	m.raw(`<span class="sub flow">`)
	m.text(f.Why)
	m.raw(`</span></td><td class="words">`)
	m.text(f.Fix)
	m.fileLine(f.Replacement)
	if f.More > 0 {
		m.raw(`<span class="sub">and `)
		m.number(f.More)
		m.raw(` more of this kind</span>`)
	}
	m.raw(`</td><td class="n">`)
	if f.Counted {
		m.text(wording.Thousands(f.URLs))
		m.raw(`<span class="sub flow">`)
		m.text(f.Touched)
		m.raw(`</span>`)
	}
	m.raw(`</td><td>`)
	m.text(f.OfGroup)
	m.raw(`</td></tr>`)
}

// fileLine writes a line of robots.txt below words about it; nothing where there is none.
func (m *markup) fileLine(s string) {
	if s != "" {
		m.raw(`<code class="means"><bdi>`)
		m.text(s)
		m.raw(`</bdi></code>`)
	}
}
