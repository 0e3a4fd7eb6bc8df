package layout

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"io/fs"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/buffer"
)

//go:embed templates
var files embed.FS

// Page is a kind of page, with all that each page of it holds.
type Page struct {
	template *template.Template
	style    template.CSS
	script   template.JS
	policy   string // what it lets every page do; the last of it is what scripts may be run
}

// Source is what a kind of page has of its own: files of FS.
type Source struct {
	FS        fs.FS
	Template  string   // which uses the templates head, grid, gridend and foot
	Templates []string // that it uses beside these
	Script    string   // that says what the rows of its table are
	Further   string   // a script that follows it; "" = none
	Style     string   // rules that follow those of all pages; "" = none
	Funcs     template.FuncMap
}

// New makes a kind of page. It panics where a file is missing or is none: they are part
// of the program.
func New(s Source) *Page {
	own := func(name string) string { return read(s.FS, name) }
	common := func(name string) string { return read(files, "templates/"+name) }
	style := common("page.css")
	if s.Style != "" {
		style += "\n" + own(s.Style)
	}
	scripts := []string{"(function () {\n\"use strict\";", common("text.js"), own(s.Script)}
	if s.Further != "" {
		scripts = append(scripts, own(s.Further))
	}
	script := strings.Join(append(scripts, common("table.js"), "})();"), "\n\n")
	t := template.Must(template.New(s.Template).Funcs(Funcs).Funcs(s.Funcs).Parse(own(s.Template)))
	template.Must(t.Parse(common("layout.html")))
	for _, name := range s.Templates {
		template.Must(t.Parse(own(name)))
	}
	return &Page{
		template: t, style: template.CSS(style), script: template.JS(script),
		policy: "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src '" + hashSource(style) + "'; script-src '" + hashSource(script) + "'",
	}
}

// read reads a file of the program.
func read(of fs.FS, name string) string {
	text, err := fs.ReadFile(of, name)
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(text))
}

// hashSource is a text's hash as a Content-Security-Policy names it.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Head is what every page begins and ends with; what a page shows has it embedded.
type Head struct {
	Title  string
	Policy string
	Style  template.CSS
	Script template.JS
	Rows   template.JS // the page's own part of its large table, JSON
	Setup  template.JS // what the script needs to know, JSON
}

// Head returns the head of a page. Rows and setup are JSON in which package escape has
// written what would hide or end an element. beside tells that there are rows in files
// beside the page, which may then run scripts of its own folder.
func (p *Page) Head(title string, rows, setup []byte, beside bool) Head {
	h := Head{Title: title, Style: p.style, Script: p.script, Rows: template.JS(rows), Setup: template.JS(setup)}
	h.Policy = p.policy + " '" + hashSource(string(setup)) + "' '" + hashSource(string(rows)) + "'"
	if beside {
		h.Policy += " 'self'"
	}
	return h
}

// writers are the buffers of pages that are being made.
var writers buffer.FreeList[bufio.Writer]

// Execute writes a page in large writes, whatever the template's are.
func (p *Page) Execute(out io.Writer, data any) error {
	w := writers.Get(func() *bufio.Writer { return bufio.NewWriterSize(io.Discard, 64<<10) })
	defer writers.Put(w)
	w.Reset(out)
	if err := p.template.Execute(w, data); err != nil {
		return err
	}
	return w.Flush()
}

// Funcs are the functions that the templates of all pages have.
var Funcs = template.FuncMap{
	"shown":       escape.Show,
	"thousands":   wording.Thousands[int64],
	"thousands64": func(n int) string { return wording.Thousands(int64(n)) },
	"percent":     wording.Percent,
	"bar":         BarLength,
}

// BarLength is the length of a bar of 1000 units, so that what is there is seen.
func BarLength(part, whole int64) int64 {
	if part <= 0 || whole <= 0 {
		return 0
	}
	return min(1000, max(6, int64(1000*float64(part)/float64(whole)+0.5)))
}
