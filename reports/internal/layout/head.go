package layout

import (
	"html/template"
	"strings"

	"robots-audit/engine/escape"
)

// Head is the beginning and the end of every page; the data of a page embeds it.
type Head struct {
	Title       string
	page        *Page
	rows, setup []byte // JSON
	beside      bool   // there are scripts in other files of the page
	shared      bool   // style and script are separate files
}

// Head returns the head of a page that includes style and script. Rows is the page's own part of
// its large table, and setup the data for its script. Both are JSON in which package escape has
// escaped characters that would hide or end an element. beside = there are rows in other files in
// its folder, from which the page may then run scripts.
func (p *Page) Head(title string, rows, setup []byte, beside bool) Head {
	return Head{Title: title, page: p, rows: rows, setup: setup, beside: beside}
}

// SharedHead is Head for a page with the Assets in its folder.
func (p *Page) SharedHead(title string, rows, setup []byte) Head {
	return Head{Title: title, page: p, rows: rows, setup: setup, beside: true, shared: true}
}

// alone is the style of a page without its other files: the page is readable, and says that they are
// missing. page.css replaces all of it.
const alone = "body{max-width:75rem;margin:auto;padding:1rem;font:1rem/1.5 sans-serif}th,td{text-align:left;vertical-align:top;padding:0 1rem 0 0}.tip span,.sub,.means,.examples bdi{display:block}svg{display:none}"

// begin and following are the markup around the policy, the title and the style.
const (
	begin = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
` + policyBegin
	policyBegin = `<meta http-equiv="Content-Security-Policy" content="`
	following   = `">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>`
	title = "</title>\n"
	icon  = `<link rel="icon" href="` + iconURL + "\">\n"
	// The icon is not needed before a page's script has run: if pages share a script file, it has
	// the icon.
	iconURL = `data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%2016%2016'%3E%3Crect%20width='16'%20height='16'%20rx='3'%20fill='%231f4e79'/%3E%3Cpath%20d='M4%205h8M4%208h5M4%2011h7'%20stroke='white'%20stroke-width='1.6'/%3E%3C/svg%3E`
	body    = `
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
`
	// The style hides it.
	aloneNote = `<p class="alone">Without the other files of its folder, this page has no colours and no list of URLs. Send the whole folder.</p>
`
)

// AppendBegin appends the beginning of the page, up to its content.
func (h Head) AppendBegin(dst []byte) []byte {
	dst = append(dst, begin...)
	dst = h.appendPolicy(dst)
	dst = append(dst, following...)
	dst = AppendText(dst, h.Title)
	dst = append(dst, title...)
	if !h.shared {
		dst = append(append(append(append(dst, icon...), "<style>"...), h.page.style...), "</style>"...)
		return append(dst, body...)
	}
	dst = append(dst, "<style>"+alone+`</style>
<link rel="stylesheet" href="`...)
	dst = append(append(dst, h.page.styleName...), `">`...)
	return append(append(dst, body...), aloneNote...)
}

// folderSource lets a page load files from its folder. A page that is opened from disk has no origin for
// 'self', by the standard and in some browsers. A page from the network may not refer to local files
// anyway.
const folderSource = "'self' file:"

// appendPolicy appends the page's Content-Security-Policy.
func (h Head) appendPolicy(dst []byte) []byte {
	dst = append(dst, "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src "...)
	if h.shared {
		dst = append(append(append(dst, folderSource+" '"...), aloneHash...), "'; script-src"...)
	} else {
		dst = append(append(append(dst, '\''), h.page.styleHash...), '\'')
		if h.page.script == "" {
			return dst
		}
		dst = append(append(append(dst, "; script-src '"...), h.page.scriptHash...), '\'')
	}
	for _, data := range [][]byte{h.setup, h.rows} {
		dst = append(appendHashSource(append(dst, " '"...), data), '\'')
	}
	if h.beside {
		dst = append(dst, " "+folderSource...)
	}
	return dst
}

// AppendEnd appends the end of the page, after its content.
func (h Head) AppendEnd(dst []byte) []byte {
	const end = "\n</body>\n</html>\n"
	if h.page.script == "" {
		return append(dst, end...)
	}
	dst = append(dst, "\n<script type=\"application/json\" id=\"setup\">"...)
	dst = append(dst, h.setup...)
	dst = append(dst, "</script>\n<script type=\"application/json\" id=\"rows\">"...)
	dst = append(dst, h.rows...)
	dst = append(dst, "</script>\n<script"...)
	if h.shared {
		dst = append(append(append(dst, ` src="`...), h.page.scriptName...), `">`...)
	} else {
		dst = append(append(dst, '>'), h.page.script...)
	}
	return append(append(dst, "</script>"...), end...)
}

// Begin and End are AppendBegin and AppendEnd for templates.
func (h Head) Begin() template.HTML { return template.HTML(h.AppendBegin(nil)) }
func (h Head) End() template.HTML   { return template.HTML(h.AppendEnd(nil)) }

// Grid and GridEnd are the markup before and after the filters and the table of a page's rows; the
// page has its own content between them.
const (
	Grid = `<div class="grid" id="grid" hidden>
<form class="filters" id="filters" role="search" autocomplete="off" aria-label="Filter the table">`
	GridEnd = `<p class="status" id="status" role="status"></p>
<nav class="pager" aria-label="Pages of the table">
<button type="button" data-go="first">First</button>
<button type="button" data-go="back">Previous</button>
<span id="place"></span>
<button type="button" data-go="on">Next</button>
<button type="button" data-go="last">Last</button>
</nav>
</div>`
)

// NoScript is the text below the grid for readers without scripts. GridByScript replaces the grid
// if the script makes it: it has Grid and GridEnd.
const (
	NoScript     = `<noscript><p class="note">This table needs JavaScript. The workbook has all of its rows.</p></noscript>`
	GridByScript = `<div class="grid" id="grid" hidden></div>
` + NoScript
)

// gridMarkup gives Grid and GridEnd, without the element grid itself, to a script that makes the
// grid.
func gridMarkup(byScript bool) string {
	if !byScript {
		return ""
	}
	_, filters, _ := strings.Cut(Grid, "\n")
	end := strings.TrimSuffix(GridEnd, "\n</div>")
	return "var gridBegin = " + string(escape.AppendString(nil, filters)) + ",\n  gridEnd = " + string(escape.AppendString(nil, end)) + ";"
}

// iconScript adds the icon to a page that shares this script.
const iconScript = `(function () {
"use strict";

if (document.querySelector("link[rel=icon]")) return;
var icon = document.createElement("link");
icon.rel = "icon";
icon.href = "` + iconURL + `";
document.head.append(icon);
})();

`

// commonTemplates are templates that all pages use.
var commonTemplates = strings.Join([]string{
	`{{define "head"}}{{.Begin}}{{end}}`, `{{define "foot"}}{{.End}}{{end}}`, `{{define "grid"}}` + Grid + `{{end}}`, `{{define "gridend"}}` + GridEnd + "\n" + NoScript + `{{end}}`,
}, "")
