package page

import "slices"

// files appends each robots.txt line by line. The details of a line are its tip, which the style
// shows when the pointer is on the line. Adjacent lines with the same details are one body of the
// table, with one tip at the first line: most files have many of these. The script, tips.js, moves
// the tip from line to line and marks each line up as code. So the markup of a line is only two
// cells.
func (m *markup) files(v *siteView) {
	m.raw("<p class=\"note\">The darker a line, the more URLs it decides. Point at a rule to see what it does for each crawler. Choose it to see the URLs that it blocks.</p>\n")
	for i := range v.Files {
		f := &v.Files[i]
		if len(v.Files) > 1 {
			m.in(`<h3><bdi>`, f.Origin, `</bdi></h3>`)
		}
		m.raw("\n")
		if len(f.Lines) > 0 {
			m.file(f)
		} else {
			m.in(`<p>There are no lines to show. `, f.Note, `</p>`)
		}
	}
	m.raw("\n")
	m.more(v.LinesMore, ` lines; the sheet Rules of the workbook has all.`)
}

func fileTitle(v *siteView) string {
	if len(v.Files) == 0 {
		return ""
	}
	return "robots.txt, line by line"
}

func (m *markup) file(f *viewFile) {
	m.attrIn(`<div class="scroll file" tabindex="0" role="region" aria-label="robots.txt of `, f.Origin, "\">\n")
	m.in(`<table class="heat"><caption>Lines of <bdi>`, f.Origin, `</bdi>/robots.txt with the URLs that each matches and decides</caption>
<thead><tr><th>Line<th>Text<th>Read as<th>Matched<th>Decided`)
	for from := 0; from < len(f.Lines); {
		to := from + bodyLength(f.Lines[from:])
		m.body(f.Lines[from:to], from >= 3 && from >= len(f.Lines)-4)
		from = to
	}
	m.raw("</tbody>\n</table></div>")
}

// body appends lines that are one body of the table; up = there is no space for their tip below the
// first line.
func (m *markup) body(lines []viewLine, up bool) {
	idle := !slices.ContainsFunc(lines, func(l viewLine) bool { return !l.Idle })
	if idle {
		m.raw(`<tbody class="idle">`)
	} else {
		m.raw(`<tbody>`)
	}
	first := &lines[0]
	alike := len(lines) >= fewestAlike && !slices.ContainsFunc(lines, func(l viewLine) bool { return !l.alike(first) })
	for i := range lines {
		l := &lines[i]
		m.line(l, idle, i == 0)
		switch {
		case !alike:
			if i == 0 {
				m.tip(l, up)
			}
			m.counts(l)
		case i == 0:
			m.countsOfAll(l, len(lines), up)
		}
	}
}

// oneTip bounds the lines that share a tip, which must be visible without a script. If they share
// their cells, the style keeps it visible; fewestAlike is the least number of such lines.
const (
	oneTip      = 16
	fewestAlike = 4
)

// bodyLength is the number of lines, from the first on, that are one body of the table.
func bodyLength(lines []viewLine) int {
	alike := true
	for n := 1; n < len(lines); n++ {
		alike = alike && lines[n].alike(&lines[0])
		if !lines[n].sharesTip(&lines[0]) || !alike && n >= oneTip {
			return n
		}
	}
	return len(lines)
}

// alike reports whether two lines differ only in number and text.
func (l *viewLine) alike(of *viewLine) bool {
	return l.Kind == of.Kind && l.Heat == of.Heat && l.Decided == of.Decided && l.Matched == of.Matched && l.Lint == of.Lint && l.Idle == of.Idle
}

// sharesTip reports whether two lines have the same details.
func (l *viewLine) sharesTip(of *viewLine) bool { return slices.Equal(l.Details, of.Details) }

// line appends the number and the text of a line; idle = all lines of its body decide nothing,
// first = it has the body's tip. The cell of most lines has only the text.
func (m *markup) line(l *viewLine, idle, first bool) {
	m.raw(`<tr`)
	switch {
	case l.Heat > 0:
		m.raw(` class="h`)
		m.number(l.Heat)
		m.raw(`"`)
	case l.Idle && !idle:
		m.raw(` class="idle"`)
	}
	m.raw(">\n<td>") // a line break here is in no cell
	m.number(l.Number)
	m.raw(`<td>`)
	tip := first && len(l.Details) > 0
	switch {
	case l.Key != "" && len(l.Details) > 0:
		m.pickLine(l, tip)
	case tip:
		m.raw(`<code tabindex="0" role="note" aria-describedby="`)
		m.tipID(l)
		m.raw(`">`)
		m.own(l.Text)
		m.raw(`</code>`)
	default:
		m.own(l.Text)
	}
}

// counts appends the kind of a line, and the URLs that it matches and decides.
func (m *markup) counts(l *viewLine) {
	m.raw(`<td>`)
	m.kind(l)
	m.raw(`<td>`)
	m.known(l.Matched)
	m.raw(`<td>`)
	m.known(l.Decided)
}

// countsOfAll appends counts once for all lines of a body, with its tip. The style keeps an element
// in a cell of many rows visible.
func (m *markup) countsOfAll(l *viewLine, lines int, up bool) {
	m.raw(`<td`)
	m.rowSpan(lines)
	m.raw(`><span>`)
	m.kind(l)
	m.tip(l, up)
	m.raw(`</span>`)
	for _, n := range [2]int64{l.Matched, l.Decided} {
		m.raw(`<td`)
		m.rowSpan(lines)
		m.raw(`>`)
		if n >= 0 {
			m.raw(`<span>`)
			m.thousands(n)
			m.raw(`</span>`)
		}
	}
}

func (m *markup) kind(l *viewLine) {
	m.text(l.Kind)
	if l.Idle {
		m.raw(`, no effect`)
	}
	if l.Lint {
		m.raw(`<mark>finding</mark>`)
	}
}

// known appends a number, or nothing if it is not known.
func (m *markup) known(n int64) {
	if n >= 0 {
		m.thousands(n)
	}
}

// pickLine appends a line that blocks URLs, as a button that shows them.
func (m *markup) pickLine(l *viewLine, tip bool) {
	m.attrIn(`<button class="pick" data-rule="`, l.Key, `"`)
	if tip {
		m.raw(` aria-describedby="`)
		m.tipID(l)
		m.raw(`"`)
	}
	m.raw(`>`)
	m.code(l.Text)
	m.raw(`</button>`)
}

// tip appends the tip of a body of lines, or nothing if there are no details.
func (m *markup) tip(l *viewLine, up bool) {
	if len(l.Details) == 0 {
		return
	}
	if up {
		m.raw(`<span class="tip up" role="tooltip" id="`)
	} else {
		m.raw(`<span class="tip" role="tooltip" id="`)
	}
	m.tipID(l)
	m.raw(`">`)
	for _, detail := range l.Details {
		m.in(`<span>`, detail, `</span>`)
	}
	m.raw(`</span>`)
}

// tipID appends the id of a line's tip: "t0-17" for line 17 of the site's own file.
func (m *markup) tipID(l *viewLine) {
	m.raw(`t`)
	m.number(l.File)
	m.raw(`-`)
	m.number(l.Number)
}
