package serve

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/layout"
	"robots-audit/reports/internal/plot"
	"robots-audit/reports/internal/sidebyside"
)

//go:embed templates
var files embed.FS

// frame describes the surroundings of a page: its run and site, and the links of the bar.
type frame struct {
	Title string
	Run   *run   // nil = the page belongs to no run
	Site  string // name of the site; "" = none
	Base  string // name of the site's files
	At    string // the bar's entry of this page
}

// page is the data of templates.
type page struct {
	frame
	View      any
	Bar       bar
	FormToken string
	Style     string
	Script    string
	desk      *Desk
}

// Link is the URL of something that the dashboard serves.
func (p page) Link(path string) string { return p.desk.o.link(path) }

// Asset is the URL of an asset that only this page needs.
func (p page) Asset(name string) string { return p.desk.assetPath(name) }

var templates = template.Must(template.Must(template.New("").Funcs(layout.Funcs).Funcs(template.FuncMap{
	"when":     func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") },
	"moment":   func(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04") },
	"day":      func(t time.Time) string { return t.UTC().Format("2 January 2006") },
	"escaped":  url.PathEscape,
	"query":    url.QueryEscape,
	"ticked":   layout.Ticked,
	"labels":   func(host string) []string { return strings.SplitAfter(escape.Show(host), ".") }, // a line may end after each
	"sentence": sentence,
	"verdictWords": func(text string) string {
		if why, blocked := strings.CutPrefix(text, "disallow"); blocked {
			return "blocked" + why
		}
		if why, allowed := strings.CutPrefix(text, "allow"); allowed {
			return "allowed" + why
		}
		return text
	},
	"progress": progressWords,
	"changes":  changeWords,
	"add":      func(a, b int64) int64 { return a + b },
	"long":     func(n int) int64 { return int64(n) },
	"some": func(n *int64) int64 { // also 0 if it is unknown
		if n == nil {
			return 0
		}
		return *n
	},
	"more":  func(of, shown int) int { return max(0, of-shown) },
	"few":   func(names []string) []string { return names[:min(len(names), maxNames)] },
	"short": func(sum string) string { return sum[:min(len(sum), 12)] },
}).Parse(sidebyside.Template+plot.Template)).ParseFS(files, "templates/*.html"))

// sentence is an error as a page shows it: with a capital letter, unless it begins with a name, and a full stop.
func sentence(words string) string {
	first, _, _ := strings.Cut(words, " ")
	first = strings.TrimSuffix(first, ":") // as in "again: more URLs are blocked"
	if first != "" && !strings.ContainsFunc(first, func(r rune) bool { return r < 'a' || r > 'z' }) {
		words = strings.ToUpper(first[:1]) + words[1:]
	}
	if words != "" && !strings.ContainsAny(words[len(words)-1:], ".!?") {
		words += "."
	}
	return words
}

// maxNames limits the crawlers named in one place.
const maxNames = 12

// page answers with a page.
func (e *exchange) page(status int, name string, f frame, view any) error {
	session := e.desk.guard.session(e.w, e.r)
	p := page{frame: f, View: view, Bar: e.desk.bar(f), FormToken: e.desk.guard.formToken(session), Style: e.desk.assetPath(styleName), Script: e.desk.assetPath(scriptName), desk: e.desk}
	var body bytes.Buffer
	if err := templates.ExecuteTemplate(&body, name, p); err != nil {
		return err
	}
	e.w.Header().Set("Content-Security-Policy", policy)
	e.w.Header().Set("Vary", "Accept")
	return e.write(status, "text/html; charset=utf-8", body.Bytes())
}

// policy is the Content-Security-Policy of the dashboard's own pages.
const policy = "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; img-src data:; style-src 'self'; script-src 'self'; connect-src 'self'"

// bar is what is above each page.
type bar struct {
	Places []place
	Paste  string // address of the form that takes a URL or the name of a site
}

// place is an entry of the bar.
type place struct {
	Name, Path string
	Here       bool
}

// Names of the entries for answers to the names of crawlers, and for access logs: of the run, and of a site if the run
// has several.
const (
	crawlersName = "Crawlers"
	logsName     = "Logs"
	siteLogsName = "Site logs"
)

// bar links a page to its neighbours.
func (d *Desk) bar(f frame) bar {
	var places []place
	add := func(name, path string) { places = append(places, place{name, path, name == f.At}) }
	var ofRun, ofSite bool // have logs
	add("Runs", d.o.link("/"))
	if f.Run != nil {
		path := d.o.runLink(f.Run.Key)
		add("Report", path)
		add("Search", path+"/search")
		if f.Run.hasAsked() {
			add(crawlersName, path+"/crawlers")
		}
		if ofRun, ofSite = f.Run.hasLogs(f.Base); ofRun {
			add(logsName, path+"/logs")
		}
	}
	if f.Base != "" {
		path := d.o.siteLink(f.Run.Key, f.Base)
		add("Site", path)
		add("Edit robots.txt", path+"/edit")
		add("Versions", path+"/versions")
		if ofSite {
			add(siteLogsName, path+"/logs")
		}
	}
	if d.o.History != "" {
		add("Over time", d.o.link("/time"))
		add("Alerts", d.o.link("/alerts"))
		if n, _ := d.past.alerts(); n > 0 {
			places[len(places)-1].Name += " (" + wording.Thousands(n) + ")"
		}
	}
	return bar{places, d.pasteAt(f)}
}

// asset is one of the dashboard's own files.
type asset struct {
	kind string
	text []byte
}

// Names of the assets in templates.
const (
	styleName  = "desk.css"
	scriptName = "desk.js"
	barName    = "bar.css"
	editName   = "edit.js"
)

// newAssets are the dashboard's style and scripts.
func newAssets() map[string]asset {
	own := func(names ...string) []byte {
		var all []string
		for _, name := range names {
			text, err := files.ReadFile("templates/" + name)
			if err != nil {
				panic(err) // the program contains it
			}
			all = append(all, string(text))
		}
		return []byte(strings.Join(all, "\n"))
	}
	return map[string]asset{
		styleName:  {"text/css; charset=utf-8", []byte(layout.Style() + "\n" + sidebyside.Style + plot.Style + string(own("bar.css", "desk.css", "time.css", "search.css", "edit.css")))},
		barName:    {"text/css; charset=utf-8", own("bar.css")},
		scriptName: {"text/javascript; charset=utf-8", own("desk.js")},
		editName:   {"text/javascript; charset=utf-8", []byte("(function () {\n\"use strict\";\n\n" + layout.Script() + "\n\n" + string(own("edit-text.js", "edit-past.js", "edit-changes.js", "edit-shared.js", "edit.js")) + "})();\n")},
	}
}

// assetPath is the URL of an asset. It changes with the content, so that a browser may keep it.
func (d *Desk) assetPath(name string) string {
	return d.o.link("/assets/") + name + "?" + layout.ShortHash(string(d.assets[name].text))
}

// viewAsset answers with an asset.
func (d *Desk) viewAsset(e *exchange) error {
	a, ok := d.assets[e.r.PathValue("name")]
	if !ok {
		return notFound("there is no such file")
	}
	e.w.Header().Set("Cache-Control", "max-age=31536000, immutable")
	return e.write(http.StatusOK, a.kind, a.text)
}
