package page

import "slices"

// files appends each robots.txt line by line. What there is to say of a line is its tip,
// which the style shows where somebody points at the line. Lines that follow each other and of
// which the same is to be said are one body of the table, with one tip, at the first of them:
// most files have many such. The script, tips.js, hands it from line to line.
func (m *markup) files(v *siteView) {
	m.raw("\n<section id=\"file\"><h2>robots.txt, line by line</h2>\n<p class=\"note\">The darker a line, the more known URLs it decides; the numbers say how many, for the crawler for which it is most. Point at a rule, or reach it with the Tab key, to see what it does for whom; choose it to see the URLs that it blocks.</p>\n")
	for i := range v.Files {
		f := &v.Files[i]
		if len(v.Files) > 1 {
			m.in(`<h3><bdi>`, f.Origin, `</bdi></h3>`)
		}
		m.raw("\n")
		if len(f.Lines) > 0 {
			m.file(f)
		} else {
			m.in(`<p>No lines to show: `, f.Note, `.</p>`)
		}
	}
	if len(v.Files) == 0 {
		m.raw(`<p>No robots.txt was asked for.</p>`)
	}
	m.raw("\n")
	m.more(v.LinesMore, ` lines; the sheet File of the workbook has them all.`)
	m.raw("\n</section>\n")
}

func (m *markup) file(f *viewFile) {
	m.attrIn(`<div class="scroll file" tabindex="0" role="region" aria-label="robots.txt of `, f.Origin, "\">\n")
	m.in(`<table class="heat"><caption>Lines of <bdi>`, f.Origin, `</bdi>/robots.txt with the known URLs that they match and decide</caption>
<thead><tr><th scope="col" class="n">Line<th scope="col">Text<th scope="col">Counts as<th scope="col" class="n">Matched<th scope="col" class="n">Decided`)
	for from := 0; from < len(f.Lines); {
		to := from + 1
		for to < len(f.Lines) && f.Lines[to].sharesTip(&f.Lines[from]) && to-from < oneTip {
			to++
		}
		idle := !slices.ContainsFunc(f.Lines[from:to], func(l viewLine) bool { return !l.Idle })
		if idle {
			m.raw("\n<tbody class=\"idle\">")
		} else {
			m.raw("\n<tbody>")
		}
		for i := from; i < to; i++ {
			m.line(&f.Lines[i], idle, i == from, i >= 3 && i >= len(f.Lines)-4)
		}
		from = to
	}
	m.raw("\n</table></div>")
}

// oneTip bounds the lines that have one tip: where no script runs, it is to be in sight.
const oneTip = 16

// sharesTip reports whether the same is to be said of two lines.
func (l *viewLine) sharesTip(of *viewLine) bool { return slices.Equal(l.Details, of.Details) }

// line appends a line; idle tells that all lines of its body decide nothing, first that the tip
// is with it, up that there is no room for it below.
func (m *markup) line(l *viewLine, idle, first, up bool) {
	m.raw("\n<tr")
	switch {
	case l.Heat > 0:
		m.raw(` class="h`)
		m.number(l.Heat)
		m.raw(`"`)
	case l.Idle && !idle:
		m.raw(` class="idle"`)
	}
	m.raw(`><td>`)
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
		m.code(l.Text)
	}
	if tip {
		m.tip(l, up)
	}
	m.rawText(`<td>`, l.Kind)
	if l.Idle {
		m.raw(`, idle`)
	}
	if l.Lint {
		m.raw(`<mark>finding</mark>`)
	}
	m.raw(`<td>`)
	if l.Matched >= 0 {
		m.thousands(l.Matched)
	}
	m.raw(`<td>`)
	if l.Decided >= 0 {
		m.thousands(l.Decided)
	}
}

// pickLine appends a line that blocks URLs, as a button that leads to them.
func (m *markup) pickLine(l *viewLine, tip bool) {
	m.attrIn(`<button type="button" class="pick" data-rule="`, l.Key, `"`)
	if tip {
		m.raw(` aria-describedby="`)
		m.tipID(l)
		m.raw(`"`)
	}
	m.raw(`>`)
	m.code(l.Text)
	m.raw(`</button>`)
}

func (m *markup) tip(l *viewLine, up bool) {
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
