package page

import (
	"embed"
	"html/template"
	"strings"
	"sync"

	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/layout"
)

//go:embed templates
var files embed.FS

// kind returns the kind of page, whose templates are parsed when the first is made.
var kind = sync.OnceValue(func() *layout.Page {
	return layout.New(layout.Source{
		FS: files, Template: "templates/page.html", Templates: []string{"templates/site.html"},
		Script: "templates/rows.js", Style: "templates/page.css", Funcs: funcs,
	})
})

var funcs = template.FuncMap{
	"severitySign": func(s compare.Severity) string { return grades[s].sign },
	"severityWord": func(s compare.Severity) string { return grades[s].word },
	"ticked":       ticked,
}

// grades are the severities in a word, and the mark beside it: no meaning is carried by
// colour alone.
var grades = map[compare.Severity]struct{ sign, word string }{
	compare.Critical: {"✕", "Critical"},
	compare.High:     {"!", "High"},
	compare.Medium:   {"●", "Medium"},
	compare.Info:     {"i", "Info"},
}

// ticked writes a sentence of package model: what stands between backticks is code. A
// site's text may have backticks of its own, which is no harm but to the look, since
// every piece is escaped.
func ticked(s string) template.HTML {
	var b strings.Builder
	for i, piece := range strings.Split(escape.Show(s), "`") {
		text := template.HTMLEscapeString(piece)
		if i%2 == 1 {
			text = "<code><bdi>" + text + "</bdi></code>"
		}
		b.WriteString(text)
	}
	return template.HTML(b.String())
}
