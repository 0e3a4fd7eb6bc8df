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

// Page is a kind of page, with all that each page of it holds.
type Page struct {
	template              *template.Template
	style, script         string
	styleHash, scriptHash string // as a Content-Security-Policy names them
	styleName, scriptName string // of their files, where pages share them
}

// Source is what a kind of page has of its own: files of FS.
type Source struct {
	FS           fs.FS
	Template     string   // which uses the templates head, grid, gridend and foot
	Templates    []string // that it uses beside these
	Script       string   // that says what the rows of its table are
	Further      string   // a script that follows it; "" = none
	Apart        string   // a script of whatever else is on the page, whether it has a table or not; "" = none
	GridByScript bool     // there is GridByScript in pages, which Script fills: it knows gridBegin and gridEnd
	Shared       bool     // pages may have a SharedHead
	Style        string   // rules that follow those of all pages; "" = none
	Funcs        template.FuncMap

	// What some kinds of page have in common, as text.
	Markup string // further templates; "" = none
	Rules  string // of style, before those of Style; "" = none
}

// New makes a kind of page. It panics where a file is missing or is none: they are part
// of the program.
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
	scripts := []string{"(function () {\n\"use strict\";", common("text.js"), gridMarkup(s.GridByScript), own(s.Script)}
	if s.Further != "" {
		scripts = append(scripts, own(s.Further))
	}
	script := strings.Join(append(scripts, common("table.js"), "})();"), "\n\n")
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

// Style is what all pages look like, for those that come from a server and not from a file.
func Style() string { return read(files, "templates/page.css") }

// Script is what the script of every page begins with, for the scripts of a server: it is to stand
// within a function, on a page with elements of the ids setup, which holds JSON, and grid.
func Script() string { return read(files, "templates/text.js") }

// Asset is a file that all pages of a kind refer to.
type Asset struct{ Name, Text string }

// Assets are the files that must lie in the folder of a page with a SharedHead: its style and
// its script. A name has a hash of what the file holds, so that files of one name are equal,
// and a page never meets a script that was not made for it.
func (p *Page) Assets() []Asset {
	return []Asset{{p.styleName, p.style}, {p.scriptName, p.script}}
}

// ShortHash tells the few texts apart that the program ever had of one kind.
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

// hashSource is a text's hash as a Content-Security-Policy names it.
func hashSource(text string) string { return string(appendHashSource(nil, []byte(text))) }

func appendHashSource(dst, text []byte) []byte {
	sum := sha256.Sum256(text)
	return base64.StdEncoding.AppendEncode(append(dst, "sha256-"...), sum[:])
}

// aloneHash is that of alone.
var aloneHash = hashSource(alone)

// writers are the buffers of pages that are being made.
var writers disk.FreeList[bufio.Writer]

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

// AppendTemplate appends what one of the page's templates makes of data.
func (p *Page) AppendTemplate(dst []byte, name string, data any) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	err := p.template.ExecuteTemplate(b, name, data)
	return b.Bytes(), err
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
