package page

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	htmlTemplate "html/template"
	"io"
	"strings"
	"sync"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/buffer"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
)

//go:embed templates
var templateFiles embed.FS

// pageTemplates are the templates of the pages and what every page holds.
type pageTemplates struct {
	site, index *htmlTemplate.Template
	style       htmlTemplate.CSS
	script      htmlTemplate.JS
	policy      string // what it lets every page do; the last of it is what scripts may be run
}

// templates returns the templates, which are parsed when the first page is made.
var templates = sync.OnceValue(func() *pageTemplates {
	read := func(name string) string {
		text, err := templateFiles.ReadFile("templates/" + name)
		if err != nil {
			panic(err) // it is part of the program
		}
		return strings.TrimSpace(string(text))
	}
	style, script := read("page.css"), read("page.js")
	parse := func(name string) *htmlTemplate.Template {
		return htmlTemplate.Must(htmlTemplate.New(name).Funcs(pageFuncs).ParseFS(templateFiles, "templates/parts.html", "templates/"+name))
	}
	p := &pageTemplates{site: parse("site.html"), index: parse("index.html"), style: htmlTemplate.CSS(style), script: htmlTemplate.JS(script)}
	p.policy = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src '" + hashSource(style) + "'; script-src '" + hashSource(script) + "'"
	return p
})

// hashSource is a text's hash as a Content-Security-Policy names it.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pageHead is what every page begins with.
type pageHead struct {
	Title  string
	Policy string
	Style  htmlTemplate.CSS
	Script htmlTemplate.JS
	Rows   htmlTemplate.JS // the page's own part of its large table, JSON
	Setup  htmlTemplate.JS // what the script needs to know, JSON
}

// newPageHead fills in what depends on whether there are files beside the page.
func newPageHead(title string, rows []byte, files int, setup []byte) pageHead {
	set := templates()
	h := pageHead{Title: title, Style: set.style, Script: set.script, Rows: htmlTemplate.JS(rows), Setup: htmlTemplate.JS(setup)}
	h.Policy = set.policy + " '" + hashSource(string(setup)) + "' '" + hashSource(string(rows)) + "'"
	if files > 0 {
		h.Policy += " 'self'"
	}
	return h
}

// writers are the buffers of pages that are being made.
var writers buffer.FreeList[bufio.Writer]

// write executes a template into a file of the run.
func write(fs disk.FS, name string, t *htmlTemplate.Template, data any) error {
	out, err := fs.Create(name)
	if err != nil {
		return err
	}
	err = execute(out, t, data)
	if e := out.Close(); err == nil {
		err = e
	}
	return err
}

// execute writes a page in large writes, whatever the template's are.
func execute(out io.Writer, t *htmlTemplate.Template, data any) error {
	w := writers.Get(func() *bufio.Writer { return bufio.NewWriterSize(io.Discard, 64<<10) })
	defer writers.Put(w)
	w.Reset(out)
	if err := t.Execute(w, data); err != nil {
		return err
	}
	return w.Flush()
}

var pageFuncs = htmlTemplate.FuncMap{
	"shown":       escape.Show,
	"thousands":   wording.Thousands[int64],
	"thousands64": func(n int) string { return wording.Thousands(int64(n)) },
	"percent":     wording.Percent,
	"meaning":     site.Meaning,
	"word":        site.StateName,
	"sign":        stateSign,
	"bar":         func(part, whole int64) int64 { return barLength(part, whole) },
	"lineRows":    lineRows,
	"findingRows": findingRows,
}

// barLength is the length of a bar of 1000 units, so that what is there is seen.
func barLength(part, whole int64) int64 {
	if part <= 0 || whole <= 0 {
		return 0
	}
	return min(1000, max(6, int64(1000*float64(part)/float64(whole)+0.5)))
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
