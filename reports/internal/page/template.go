package page

import (
	"embed"
	"sync"

	"robots-audit/audit"
	"robots-audit/reports/internal/disk"
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
	parse := func(name, style, script string, templates ...string) *layout.Page {
		return layout.New(layout.Source{FS: templateFiles, Template: "templates/" + name, Templates: append(templates, "templates/parts.html"), Script: "templates/rows.js", Further: script, Style: style, Funcs: pageFuncs})
	}
	const timeline = "templates/timeline.html"
	return &pageKinds{site: parse("site.html", "", "", timeline), index: parse("index.html", "", ""), history: parse("site.html", "templates/timeline.css", "", timeline), large: parse("index.html", "templates/finder.css", "templates/finder.js")}
})

// write makes a page into a file of the run.
func write(fs disk.FS, name string, p *layout.Page, data any) error {
	out, err := fs.Create(name)
	if err != nil {
		return err
	}
	err = p.Execute(out, data)
	if e := out.Close(); err == nil {
		err = e
	}
	return err
}

var pageFuncs = map[string]any{
	"meaning":     site.Meaning,
	"word":        site.StateName,
	"sign":        stateSign,
	"lineRows":    lineRows,
	"findingRows": findingRows,
}

// stateSign is the mark beside a state's word: no meaning is carried by colour alone.
func stateSign(state audit.State) string {
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
