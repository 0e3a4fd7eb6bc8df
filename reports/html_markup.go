package reports

import (
	htmlTemplate "html/template"
	"iter"
	"slices"
	"strconv"
	"strings"

	"robots-audit/engine/escape"
)

// markup is HTML that is written piece by piece: for the two tables of a
// site's page that have a row for every line of robots.txt and for every
// finding, for which html/template needs longer than all the rest of a small
// site's report takes. What is not a constant of this program goes through
// text alone.
type markup struct{ strings.Builder }

// add writes markup.
func (m *markup) add(constant string) { m.WriteString(constant) }

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
		size := 512
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
func findingRows(findings []pageFinding) iter.Seq[htmlTemplate.HTML] {
	return rows(findings, (*markup).finding)
}

func (m *markup) line(l *viewLine) {
	m.add("\n<tr class=\"h")
	m.number(l.Heat)
	if l.Idle {
		m.add(" idle")
	}
	m.add(`"><td class="n">`)
	m.number(l.Number)
	m.add(`</td><td class="text">`)
	switch {
	case len(l.Details) == 0:
		m.code(l.Text)
	case l.Key != "":
		m.add(`<span class="hold"><button type="button" class="pick" data-rule="`)
		m.text(l.Key)
		m.add(`" aria-describedby="t`)
		m.text(l.ID)
		m.add(`">`)
		m.code(l.Text)
		m.add(`</button>`)
	default:
		m.add(`<span class="hold"><code tabindex="0" role="note" aria-describedby="t`)
		m.text(l.ID)
		m.add(`"><bdi>`)
		m.text(l.Text)
		m.add(`</bdi></code>`)
	}
	if len(l.Details) > 0 {
		m.add(`<span class="tip" role="tooltip" id="t`)
		m.text(l.ID)
		m.add(`">`)
		for _, detail := range l.Details {
			m.add(`<span>`)
			m.text(detail)
			m.add(`</span>`)
		}
		m.add(`</span></span>`)
	}
	m.add(`</td><td>`)
	m.text(l.Kind)
	if l.Idle {
		m.add(`, idle`)
	}
	if l.Lint {
		m.add(`<span class="flag">finding</span>`)
	}
	m.add(`</td><td class="n">`)
	if l.Matched >= 0 {
		m.text(thousands(l.Matched))
	}
	m.add(`</td><td class="n">`)
	if l.Decided >= 0 {
		m.text(thousands(l.Decided))
	}
	m.add(`</td></tr>`)
}

// code writes what stands in a robots.txt, whatever its direction of writing.
func (m *markup) code(s string) {
	m.add(`<code><bdi>`)
	m.text(s)
	m.add(`</bdi></code>`)
}

func (m *markup) finding(f *pageFinding) {
	m.add("\n<tr><th scope=\"row\"><span class=\"state ")
	m.text(f.State)
	m.add(`"><span class="sign" aria-hidden="true">`)
	m.text(stateSign(f.State))
	m.add(`</span> `)
	m.text(f.Severity.String())
	m.add(`</span><span class="sub">`)
	m.text(f.ID)
	m.add(`</span></th><td class="n">`)
	if f.Line > 0 {
		m.number(f.Line)
	} else {
		m.add(`–`)
	}
	m.add(`</td><td class="words">`)
	m.text(f.What)
	m.means(f.Text)
	m.add(`<span class="sub flow">`)
	m.text(f.Why)
	m.add(`</span></td><td class="words">`)
	m.text(f.Fix)
	m.means(f.Replacement)
	if f.More > 0 {
		m.add(`<span class="sub">and `)
		m.number(f.More)
		m.add(` more of this kind</span>`)
	}
	m.add(`</td><td class="n">`)
	if f.Counted {
		m.text(thousands(f.URLs))
	}
	m.add(`</td><td>`)
	m.text(f.OfGroup)
	m.add(`</td></tr>`)
}

// means writes a line of robots.txt below words about it; nothing where there is none.
func (m *markup) means(s string) {
	if s != "" {
		m.add(`<code class="means"><bdi>`)
		m.text(s)
		m.add(`</bdi></code>`)
	}
}
