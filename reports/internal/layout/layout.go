package layout

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"html/template"
	"io"
	"io/fs"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/disk"
)

//go:embed templates
var files embed.FS

// Page is a kind of page, with the parts that all its pages share.
type Page struct {
	template              *template.Template
	style, script         string
	styleHash, scriptHash string // in the format of a Content-Security-Policy
	styleName, scriptName string // names of their files, if pages share them
}

// Source has the parts of one kind of page: files of FS.
type Source struct {
	FS           fs.FS
	Template     string   // uses the templates head, grid, gridend and foot
	Templates    []string // other templates that it uses
	Script       string   // describes the rows of its table; "" = pages have no such table, and no script
	Further      string   // another script after it; "" = none
	Apart        string   // a script for the rest of the page, with or without a table; "" = none
	GridByScript bool     // pages have GridByScript, and Script fills it, with gridBegin and gridEnd
	Shared       bool     // pages may have a SharedHead
	Style        string   // rules after those of all pages; "" = none
	Funcs        template.FuncMap

	// Parts that several kinds of page share, as text.
	Markup string // further templates; "" = none
	Rules  string // of style, before those of Style; "" = none
}

// New makes a kind of page. It panics if a file is missing or invalid, since files are part of the
// program.
func New(s Source) *Page {
	own := func(name string) string { return read(s.FS, name) }
	common := func(name string) string { return read(files, "templates/"+name) }
	style := common("page.css")
	if s.Rules != "" {
		style += "\n" + strings.TrimSpace(s.Rules)
	}
	if s.Style != "" {
		style += "\n" + own(s.Style)
	}
	script := ""
	if s.Script != "" {
		scripts := []string{"(function () {\n\"use strict\";", common("text.js"), gridMarkup(s.GridByScript), own(s.Script)}
		if s.Further != "" {
			scripts = append(scripts, own(s.Further))
		}
		script = strings.Join(append(scripts, common("table.js"), "})();"), "\n\n")
	}
	if s.Apart != "" {
		script = "(function () {\n\"use strict\";\n\n" + own(s.Apart) + "\n})();\n\n" + script
	}
	if s.Shared {
		script = iconScript + script
	}
	t := template.Must(template.New(s.Template).Funcs(Funcs).Funcs(s.Funcs).Parse(own(s.Template)))
	template.Must(t.Parse(commonTemplates))
	template.Must(t.Parse(s.Markup))
	for _, name := range s.Templates {
		template.Must(t.Parse(own(name)))
	}
	return &Page{
		template: t, style: style, script: script, styleHash: hashSource(style), scriptHash: hashSource(script),
		styleName: "page-" + ShortHash(style) + ".css", scriptName: "page-" + ShortHash(script) + ".js",
	}
}

// Style is the style of all pages, for pages that a server makes.
func Style() string { return read(files, "templates/page.css") }

// Script is the beginning of the script of every page, for the scripts of a server. It must be
// within a function, on a page with an element setup, which contains JSON, and an element grid.
func Script() string { return read(files, "templates/text.js") }

// Asset is a file that all pages of a kind refer to.
type Asset struct{ Name, Text string }

// Assets are the files that must be in the folder of a page with a SharedHead: its style and its
// script. The name has a hash of the content, so that files with the same name are equal, and a
// page never loads a script of another version.
func (p *Page) Assets() []Asset {
	return []Asset{{p.styleName, p.style}, {p.scriptName, p.script}}
}

// ShortHash distinguishes the few texts of one kind that versions of the program have had.
func ShortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// read reads a file of the program.
func read(of fs.FS, name string) string {
	text, err := fs.ReadFile(of, name)
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(text))
}

// hashSource is a text's hash in the format of a Content-Security-Policy.
func hashSource(text string) string { return string(appendHashSource(nil, []byte(text))) }

func appendHashSource(dst, text []byte) []byte {
	sum := sha256.Sum256(text)
	return base64.StdEncoding.AppendEncode(append(dst, "sha256-"...), sum[:])
}

// aloneHash is the hash of alone.
var aloneHash = hashSource(alone)

// writers are buffers for making pages.
var writers disk.FreeList[bufio.Writer]

// Execute writes a page in large writes, however small the writes of the template are.
func (p *Page) Execute(out io.Writer, data any) error {
	w := writers.Get(func() *bufio.Writer { return bufio.NewWriterSize(io.Discard, 64<<10) })
	defer writers.Put(w)
	w.Reset(out)
	if err := p.template.Execute(w, data); err != nil {
		return err
	}
	return w.Flush()
}

// AppendTemplate appends the result of one of the page's templates for data.
func (p *Page) AppendTemplate(dst []byte, name string, data any) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	err := p.template.ExecuteTemplate(b, name, data)
	return b.Bytes(), err
}

// Funcs are the functions for the templates of all pages.
var Funcs = template.FuncMap{
	"shown":       escape.Show,
	"thousands":   wording.Thousands[int64],
	"thousands64": func(n int) string { return wording.Thousands(int64(n)) },
	"percent":     wording.Percent,
	"bar":         BarLength,
	"prose":       func(s string) template.HTML { return template.HTML(AppendProse(nil, s)) },
}

// BarLength is the length of a bar, of 1000 units; a part above zero is always visible.
func BarLength(part, whole int64) int64 {
	if part <= 0 || whole <= 0 {
		return 0
	}
	return min(1000, max(6, int64(1000*float64(part)/float64(whole)+0.5)))
}
