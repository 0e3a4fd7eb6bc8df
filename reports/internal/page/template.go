package page

import (
	"embed"
	"sync"

	"robots-audit/audit"
	"robots-audit/reports/internal/layout"
	"robots-audit/reports/internal/site"
)

//go:embed templates
var templateFiles embed.FS

// pageKinds are the kinds of pages.
type pageKinds struct {
	site, index *layout.Page
	history     *layout.Page // as site, with the style of a timeline
	large       *layout.Page // as index, with a finder
}

// pages returns the kinds of pages, whose templates are parsed when the first page is made.
var pages = sync.OnceValue(func() *pageKinds {
	kind := func(name, style, apart, further string) *layout.Page {
		return layout.New(layout.Source{FS: templateFiles, Template: "templates/" + name, Templates: []string{"templates/parts.html"}, Script: "templates/rows.js", Further: further, Apart: apart, Style: style, Funcs: pageFuncs})
	}
	const tips = "templates/tips.js"
	return &pageKinds{
		site: kind("timeline.html", "", tips, ""), history: kind("timeline.html", "templates/timeline.css", tips, ""),
		index: kind("index.html", "", "", ""), large: kind("index.html", "templates/finder.css", "", "templates/finder.js"),
	}
})

var pageFuncs = map[string]any{
	"meaning": site.Meaning,
	"word":    site.StateName,
	"sign":    stateSign,
}

// stateSign is the mark beside a state's word: no meaning is carried by colour alone.
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
