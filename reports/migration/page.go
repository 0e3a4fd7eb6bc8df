package migration

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"sync"

	"robots-audit/audit/migrate"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/layout"
)

//go:embed templates
var files embed.FS

// pageKind returns the kind of page, whose templates are parsed when the first page is made.
var pageKind = sync.OnceValue(func() *layout.Page {
	return layout.New(layout.Source{FS: files, Template: "templates/page.html", Script: "templates/rows.js", Style: "templates/page.css", Funcs: template.FuncMap{
		"grade": gradeOf, "cut": func(s string) string { return escape.Cut(s, 500) },
	}})
})

// grade is a severity in a word with its sign: colour alone must not carry meaning.
type grade struct{ Class, Sign, Word, Why string }

func gradeOf(s migrate.Severity) grade { return grades[s] }

var grades = map[migrate.Severity]grade{
	migrate.Critical: {"critical", "✕", "Critical", "The rankings of the old URL are lost"},
	migrate.Error:    {"error", "!", "Error", "The redirect does not work as planned"},
	migrate.Unknown:  {"unknown", "?", "Unknown", "Could not be judged. Never counted as OK"},
	migrate.Warning:  {"warn", "●", "Warning", "It works, but may lose rankings or time"},
	migrate.Info:     {"info", "i", "Info", "Worth checking"},
	migrate.Fine:     {"ok", "✓", "As planned", "The redirects lead to the new URL, and crawlers may follow them"},
}

// Bounds of the page; migration.xlsx has everything.
const (
	pageChains = 15
	pageNamed  = 50 // changed new URLs, important URLs that are missing from the map
	longestURL = 500
)

// pageView is the content of the page.
type pageView struct {
	layout.Head
	*Summary
	Headline, Further string
	Facts             []pageFact
	Tiles             []pageTile
	Shown             int // pairs in the table
	Book              string

	ChainTitle string
	Bars       []pageBar
	Ways       []*pageWay
	MoreWays   int
}

// pageFact is a setting of the check.
type pageFact struct{ Name, Text string }

// pageTile is the number of pairs with a severity, by which the pairs can be filtered.
type pageTile struct {
	grade
	Severity migrate.Severity
	Count    int64
}

// pageBar is a class with the length of its bar.
type pageBar struct {
	ClassCount
	Length int64
}

// pageWay is a chain with the lengths of its bars, which are in one line.
type pageWay struct {
	Chain
	Bars []pagePart
}

// Said describes the bars in words.
func (w *pageWay) Said() (text string) {
	for _, part := range []struct {
		pairs int64
		what  string
	}{{w.Failing, " failing"}, {w.Minor, " with a warning or info"}, {w.Unknown, " unknown"}, {w.OK, " as planned"}} {
		if part.pairs > 0 {
			text = wording.Join(text, wording.Thousands(part.pairs)+part.what)
		}
	}
	return text
}

// pagePart is a part of a bar.
type pagePart struct {
	Class     string
	At, Width int64
}

// page is index.html: one file, which loads nothing from a network.
func (s *Summary) page() ([]byte, error) {
	v := pageView{Summary: s, Headline: s.Totals.Headline(), Further: s.further(), Book: bookName, Shown: len(s.Samples)}
	v.facts()
	t := &s.Totals
	for _, of := range []struct {
		severity migrate.Severity
		count    int64
	}{{migrate.Critical, t.Critical}, {migrate.Error, t.Error}, {migrate.Unknown, t.Unknown}, {migrate.Warning, t.Warning}, {migrate.Info, t.Info}, {migrate.Fine, t.OK}} {
		v.Tiles = append(v.Tiles, pageTile{gradeOf(of.severity), of.severity, of.count})
	}
	most := int64(1)
	for _, c := range s.Classes {
		most = max(most, c.Pairs)
	}
	for _, c := range s.Classes {
		v.Bars = append(v.Bars, pageBar{c, layout.BarLength(c.Pairs, most)})
	}
	v.ways()
	rows := make([]any, 0, len(s.Samples))
	for _, sample := range s.Samples {
		rows = append(rows, row(sample))
	}
	text, err := json.Marshal(map[string]any{"rows": rows})
	if err != nil {
		return nil, err
	}
	setup, err := json.Marshal(map[string]any{"rows": len(rows), "inline": len(rows), "perFile": 1, "files": 0, "folder": ""})
	if err != nil {
		return nil, err
	}
	v.Head = pageKind().Head("Pre-migration check: "+wording.Plural(t.Pairs, "pair"), escape.JSON(text), escape.JSON(setup), false)
	var b bytes.Buffer
	err = pageKind().Execute(&b, &v)
	return b.Bytes(), err
}

// facts adds the settings of the check.
func (v *pageView) facts() {
	add := func(name, text string) {
		if text != "" {
			v.Facts = append(v.Facts, pageFact{name, text})
		}
	}
	run := &v.Summary.Run
	add("Map", run.Map)
	add("New site", run.NewHost)
	add("Tested instead", run.Staging)
	if run.Proposed != "" {
		add("robots.txt", "proposed and current")
	}
	add("Crawlers", wording.And(run.Crawlers))
	add("Started", run.Started.UTC().Format("2006-01-02 15:04")+" UTC")
}

// ways adds the chains of the page.
func (v *pageView) ways() {
	list := v.Summary.Chains[:min(len(v.Summary.Chains), pageChains)]
	v.MoreWays = len(v.Summary.Chains) - len(list)
	if len(list) > 0 {
		v.ChainTitle = v.Summary.chainFinding()
	}
	most := int64(1)
	for i := range list {
		most = max(most, list[i].Pairs)
	}
	for _, c := range list {
		w := &pageWay{Chain: c}
		at := int64(0)
		for _, part := range []pagePart{{Class: "b", Width: c.Failing}, {Class: "w", Width: c.Minor}, {Class: "u", Width: c.Unknown}, {Class: "a", Width: c.OK}} {
			if part.Width == 0 {
				continue
			}
			part.At, part.Width = at, min(1000-at, layout.BarLength(part.Width, most))
			at += part.Width
			w.Bars = append(w.Bars, part)
		}
		v.Ways = append(v.Ways, w)
	}
}

// row is a pair in the page's table: see templates/rows.js.
func row(s *Sample) []any {
	cut := func(url string) string { return escape.Cut(url, longestURL) }
	var hops [][]string
	for i := range s.Hops {
		h := &s.Hops[i]
		step := stepOf(h)
		hops = append(hops, []string{step.Kind, step.Text, cut(h.URL)})
	}
	if !s.Target.Reached {
		step := stepOf(&s.Target.Hop)
		hops = append(hops, []string{"planned", step.Text, cut(s.New)})
	}
	said := s.Main()
	text, rule := "", ""
	if said != nil {
		if text = cut(said.Text); said.Rule != "" {
			rule = cut(said.Rule) + " (" + cut(said.File) + ")"
		}
	}
	return []any{cut(s.Old), string(s.Severity), s.Class, s.Words, text, rule, hops, s.Clicks, s.Line, s.Important, s.Hits}
}

// FlippedShown, FlippedMore, UnmappedShown and UnmappedMore are the entries on the page, and the
// number of the others.
func (v *pageView) FlippedShown() []*Flipped { return v.Flipped[:min(len(v.Flipped), pageNamed)] }
func (v *pageView) FlippedMore() int64 {
	return v.MoreFlipped + int64(len(v.Flipped)-len(v.FlippedShown()))
}
func (v *pageView) UnmappedShown() []string { return v.Unmapped[:min(len(v.Unmapped), pageNamed)] }
func (v *pageView) UnmappedMore() int64     { return int64(len(v.Unmapped) - len(v.UnmappedShown())) }

// Severity is the severity of an expectation that is not met.
func (e Expectation) Severity() migrate.Severity {
	if e.Outcome == "unclear" {
		return migrate.Unknown
	}
	return migrate.Error
}

// OutcomeWords is the outcome in words.
func (e Expectation) OutcomeWords() string {
	switch e.Outcome {
	case "no_site":
		return noSuchSite
	case "vacuous":
		return noURLFound
	}
	return e.Outcome
}

// Outcomes in words that differ from their names.
const (
	noSuchSite = "no such site"
	noURLFound = "matches no URL found"
)
