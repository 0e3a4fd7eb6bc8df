package page

import (
	"embed"
	"html/template"
	"sync"

	"robots-audit/audit/compare"
	"robots-audit/reports/internal/layout"
	"robots-audit/reports/internal/sidebyside"
)

//go:embed templates
var files embed.FS

// kind returns the kind of page, whose templates are parsed when the first page is made.
var kind = sync.OnceValue(func() *layout.Page {
	return layout.New(layout.Source{
		FS: files, Template: "templates/page.html", Templates: []string{"templates/site.html"},
		Script: "templates/rows.js", Style: "templates/page.css", Funcs: funcs,
		Markup: sidebyside.Template, Rules: sidebyside.Style,
	})
})

var funcs = template.FuncMap{
	"severitySign": func(s compare.Severity) string { return grades[s].sign },
	"severityWord": func(s compare.Severity) string { return grades[s].word },
	"ticked":       layout.Ticked,
}

// grades are the severities in a word, and the sign next to it: colour alone must not carry
// meaning.
var grades = map[compare.Severity]struct{ sign, word string }{
	compare.Critical: {"✕", "Critical"},
	compare.High:     {"!", "Error"},
	compare.Medium:   {"●", "Warning"},
	compare.Info:     {"i", "Info"},
}
