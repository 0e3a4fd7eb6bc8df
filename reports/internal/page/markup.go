package page

import (
	"strconv"
	"unicode/utf8"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/layout"
	"robots-audit/reports/internal/site"
)

// markup is HTML that is appended piece by piece. Pages of sites do not use html/template, which
// takes longer than the rest of a small site's report.
type markup struct {
	buf []byte
	err error // from a template
}

// constant is markup that is part of this program. Its type keeps everything else out of raw: a string must be converted
// explicitly.
//
// The style knows the columns of numbers, words, URLs and bars by their positions, see site.css, so cells of tables that all pages
// have need no class. Cells, rows, terms, items and options have no end tags: in HTML the next one, or the end of the parent,
// closes them. A header in the head of a table belongs to its column.
type constant string

// raw appends markup.
func (m *markup) raw(c constant) { m.buf = append(m.buf, c...) }

// text appends the content of an element. Text from a site is always escaped.
func (m *markup) text(s string) { m.buf = layout.AppendText(m.buf, s) }

// attr appends the value of an attribute, between its quotes.
func (m *markup) attr(s string) { m.buf = layout.AppendAttr(m.buf, s) }

// own appends text with its own direction of writing. ASCII has that of the page.
func (m *markup) own(s string) {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			m.in(`<bdi>`, s, `</bdi>`)
			return
		}
	}
	m.text(s)
}

// rawText and textRaw append markup with text after it, and before it.
func (m *markup) rawText(c constant, s string) { m.raw(c); m.text(s) }
func (m *markup) textRaw(s string, c constant) { m.text(s); m.raw(c) }

// prose appends a sentence, in which `back quotes` surround code.
func (m *markup) prose(s string) { m.buf = layout.AppendProse(m.buf, s) }

// in appends text between two pieces of markup.
func (m *markup) in(before constant, s string, after constant) {
	m.raw(before)
	m.text(s)
	m.raw(after)
}

// ifAny is in, unless the text is "".
func (m *markup) ifAny(before constant, s string, after constant) {
	if s != "" {
		m.in(before, s, after)
	}
}

// attrIn is in for the value of an attribute.
func (m *markup) attrIn(before constant, s string, after constant) {
	m.raw(before)
	m.attr(s)
	m.raw(after)
}

func (m *markup) number(n int)      { m.buf = strconv.AppendInt(m.buf, int64(n), 10) }
func (m *markup) thousands(n int64) { m.text(wording.Thousands(n)) }
func (m *markup) numberIn(n int64)  { m.raw(`<td>`); m.thousands(n) }
func (m *markup) code(s string)     { m.raw(`<code>`); m.own(s); m.raw(`</code>`) }
func (m *markup) cell(s string)     { m.rawText(`<td>`, s) }
func (m *markup) ownCell(s string)  { m.raw(`<td>`); m.own(s) }

// rowSpan appends the number of rows of a cell, unless it is 1.
func (m *markup) rowSpan(rows int) {
	if rows > 1 {
		m.raw(` rowspan="`)
		m.number(rows)
		m.raw(`"`)
	}
}

// pick appends the beginning of a button that filters the URLs. It is in no form.
func (m *markup) pick(by constant, value string) {
	m.raw(`<button class="pick" data-`)
	m.raw(by)
	m.attrIn(`="`, value, `">`)
}

// orDash appends a cell with a number, or with a dash if it is not known.
func (m *markup) orDash(n int64, known bool) {
	if !known {
		m.raw(`<td>–`)
		return
	}
	m.numberIn(n)
}

// state appends a state's word; the style sets its mark before it.
func (m *markup) state(s audit.State) { m.badge(s, site.StateName(s)) }

func (m *markup) badge(s audit.State, word string) {
	m.attrIn(`<b class="is `, string(s), `">`)
	m.textRaw(word, `</b>`)
}

// more appends how many more entries of a list the workbook has than the page.
func (m *markup) more(n int, what constant) {
	if n > 0 {
		m.in(`<p class="note">And `, wording.Thousands(n), ` more`)
		m.raw(what)
		m.raw(`</p>`)
	}
}

// table appends the beginning of a table in its own box.
func (m *markup) table(class, label, caption constant) {
	m.raw(`<div class="scroll`)
	m.raw(class)
	m.raw(`" tabindex="0" role="region" aria-label="`)
	m.raw(label)
	m.raw("\">\n<table><caption>")
	m.raw(caption)
	m.raw("</caption>\n")
}

// bar appends a cell with a bar. Each part covers the parts before it, from the left, and all cover
// the background from the style. Lengths are of 1000.
func (m *markup) bar(parts ...barPart) {
	m.raw(`<td><svg aria-hidden="true">`)
	for i, part := range parts {
		if part.length == 0 || i+1 < len(parts) && parts[i+1].length == part.length {
			continue // nothing of it is visible
		}
		m.raw(`<rect`)
		m.raw(part.class)
		m.raw(` width="`)
		m.number(int(part.length / 10))
		if tenth := part.length % 10; tenth > 0 {
			m.raw(`.`)
			m.number(int(tenth))
		}
		m.raw(`%"/>`)
	}
	m.raw(`</svg>`)
}

// barPart is a part of a bar, whose class, if any, has its colour: ` class="u"`.
type barPart struct {
	class  constant
	length int64
}
