package page

import (
	"embed"
	"sync"

	"robots-audit/audit"
	"robots-audit/reports/internal/layout"
	"robots-audit/reports/internal/plot"
	"robots-audit/reports/internal/site"
)

//go:embed templates
var templateFiles embed.FS

// pageKinds are the kinds of pages. site and index share one style and one script: a single file
// has pages of sites in frames, to which its own policy also applies.
type pageKinds struct {
	site, index *layout.Page
	large       *layout.Page // index with a finder
	crawlers    *layout.Page // only the matrix of index
}

// pages returns the kinds of pages, whose templates are parsed when the first page is made.
var pages = sync.OnceValue(func() *pageKinds {
	kind := func(name, style, rules, further string) *layout.Page {
		return layout.New(layout.Source{Markup: plot.Template, Rules: rules, FS: templateFiles, Template: "templates/" + name, Templates: []string{"templates/parts.html"}, Script: "templates/rows.js", Further: further, Apart: "templates/tips.js", GridByScript: true, Shared: true, Style: style, Funcs: pageFuncs})
	}
	const style = "templates/site.css"
	return &pageKinds{
		site: kind("timeline.html", style, plot.Style, ""), index: kind("index.html", style, plot.Style, ""), large: kind("index.html", "templates/finder.css", "", "templates/finder.js"),
		crawlers: layout.New(layout.Source{FS: templateFiles, Template: "templates/crawlers.html", Templates: []string{"templates/parts.html"}, Funcs: pageFuncs}),
	}
})

// Policy is the Content-Security-Policy of all pages of a run, for a server that sends them.
var Policy = sync.OnceValue(func() string { return layout.Policy(pages().site, pages().index, pages().large, pages().crawlers) })

var pageFuncs = map[string]any{
	"meaning": site.Meaning,
	"word":    site.StateName,
	"sign":    stateSign,
}

// stateSign is the mark next to a state's word: colour alone must not carry meaning.
func stateSign(state audit.State) constant {
	switch state {
	case audit.OK:
		return "✓"
	case audit.Warn:
		return "!"
	case audit.Critical:
		return "✕"
	case stateInfo:
		return "i"
	case "":
		return ""
	}
	return "?"
}
