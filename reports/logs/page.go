package logs

import (
	"bytes"
	"embed"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"sync"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/layout"
	"robots-audit/reports/internal/plot"
)

//go:embed templates
var files embed.FS

// pageKind returns the kind of page, whose templates are parsed when the first page is made.
var pageKind = sync.OnceValue(func() *layout.Page {
	return layout.New(layout.Source{FS: files, Template: "templates/page.html", Style: "templates/page.css", Markup: plot.Template, Rules: plot.Style, Funcs: template.FuncMap{
		"cut": func(s string) string { return escape.Cut(s, longest) }, "sign": func(class string) string { return states[class].sign }, "state": func(class string) string { return states[class].word },
	}})
})

// states are the signs and words of classes: colour alone must not carry meaning.
var states = map[string]struct{ sign, word string }{
	"critical": {"✕", "Disobeyed"}, "warn": {"!", "Old robots.txt"}, "unknown": {"?", "Unknown"}, "ok": {"✓", "Obeys"},
}

// Bounds of the page; logs.xlsx has everything.
const (
	pageSites    = 50  // sites with a section
	pageRows     = 500 // sites in the table
	overviewRows = 1000
	pageCrawlers = 20  // crawlers of a site that are open or have details
	pageDetails  = 200 // details of crawlers on the page
	pageParts    = 20  // rows of a table of parts
	pageRules    = 20
	pageAnswers  = 100
)

// pageView is the content of the page.
type pageView struct {
	layout.Head
	Facts               []pageFact
	Lead                []string
	Sites               *table
	Sections            []*section
	MoreSites           int
	Input               []string
	Unread              []Error
	Book, JSON, Version string
}

// pageFact says in short what was read.
type pageFact struct{ Name, Text string }

// section is the part of a site.
type section struct {
	*crawls.Site
	ID          string
	Few, More   *table // crawlers
	Directories *table
	Versions    *table
	Robots      *table // answers for robots.txt
	Crawlers    []*details
	Headline    string
	Basis       []string
	Answers     []crawls.Answer
}

// details are those of one crawler.
type details struct {
	*crawls.Crawler
	ID       string
	Class    string
	Short    string
	Heading  string // of its group, if it is the first one
	Answers  []crawls.Answer
	Rules    *table
	Reads    *table
	Parts    []*table
	Picture  *picture
	Statuses string
	Lists    []urlList
}

// urlList are examples of URLs.
type urlList struct {
	Title string
	URLs  []string
	Of    int // URLs in all
}

// section makes the part of a site, with the details of a number of crawlers.
func newSection(s *crawls.Site, id string, most int) *section {
	v := &section{Site: s, ID: id, Headline: s.Headline(), Basis: s.Basis(), Answers: s.Answers()}
	leading := s.Leading(pageCrawlers)
	ids := map[*crawls.Crawler]string{}
	group := ""
	for i, c := range s.Leading(min(most, pageCrawlers)) {
		d := newDetails(c, id+"-"+strconv.Itoa(i+1))
		if c.Group.String() != group {
			group = c.Group.String()
			d.Heading = group
		}
		ids[c] = d.ID
		v.Crawlers = append(v.Crawlers, d)
	}
	link := func(c *crawls.Crawler) string {
		if ids[c] == "" {
			return ""
		}
		return "#" + ids[c]
	}
	heading := func(c *crawls.Crawler) string { return c.Group.String() }
	rest := slices.DeleteFunc(slices.Clone(s.Crawlers), func(c *crawls.Crawler) bool { return slices.Contains(leading, c) })
	v.Few = newTable("Requests of crawlers", crawls.CrawlerColumns, leading, pageCrawlers, link, heading).of(s.Site)
	v.More = newTable("Requests of further crawlers", crawls.CrawlerColumns, rest, pageRows, nil, heading).of(s.Site)
	v.Directories = newTable("All crawlers together, most requests first", crawls.DirectoryColumns, s.Directories(), pageParts, nil, nil).of(s.Site)
	if len(s.Versions) > 1 {
		v.Versions = newTable("Times are those of the audits, in UTC", crawls.VersionColumns, s.VersionRows(), pageParts, nil, nil).of(s.Site)
	}
	v.Robots = newTable("Crawlers that asked for robots.txt, and what they got, in order of time", crawls.AnswerColumns, s.AnswerRows(), pageAnswers, nil, nil).of(s.Site)
	return v
}

func newDetails(c *crawls.Crawler, id string) *details {
	d := &details{Crawler: c, ID: id, Answers: c.Answers(), Picture: newPicture(c, id), Statuses: counts(c.Statuses)}
	d.Class = d.Answers[0].Class
	if d.Class == "ok" && c.Waiting() {
		d.Class = "warn"
	}
	d.Short = wording.Plural(c.Own.Requests, "request")
	d.Rules = newTable("Rules that block its requests", crawls.RuleColumns, c.RuleRows(), pageRules, nil, nil).of(c.Site.Site + ", " + c.Name)
	d.Reads = newTable("Changes of robots.txt in this period", crawls.ReadColumns, c.ReadRows(), pageParts, nil, nil).of(c.Site.Site + ", " + c.Name)
	parts := c.PartRows()
	for _, of := range crawls.PartKinds {
		kind := slices.DeleteFunc(slices.Clone(parts), func(p *crawls.Part) bool { return p.Kind != of.Kind })
		if t := newTable(of.Title+", most requests first", crawls.PartColumns, kind, pageParts, nil, nil).of(c.Site.Site + ", " + c.Name); t != nil {
			d.Parts = append(d.Parts, t)
		}
	}
	list := func(title string, urls []string, of int64) {
		if len(urls) > 0 {
			d.Lists = append(d.Lists, urlList{title, urls[:min(len(urls), pageParts)], int(max(of, int64(len(urls))))})
		}
	}
	for i, r := range c.RuleRows() {
		if r.Disobeyed > 0 && i < 3 {
			list("Blocked by "+r.Place()+", requested all the same", r.Samples, r.LogRule.URLs)
		}
	}
	list(strings.ToUpper(c.Ignored()[:1])+c.Ignored()[1:], c.Never, c.NeverFetched-c.NeverBlocked)
	list("Requested, but not found by the audit", c.Orphan, c.Orphans)
	return d
}

// counts writes the numbers of a list: "2xx 1,200, 3xx 12".
func counts(list []audit.LogCount) string {
	var parts []string
	for _, of := range list {
		if of.Requests > 0 {
			parts = append(parts, of.Name+": "+wording.Thousands(of.Requests))
		}
	}
	return strings.Join(parts, ", ")
}

// page is index.html: one file, which loads nothing from a network.
func (w *writer) page() ([]byte, error) {
	h := &w.Summary.Head
	v := pageView{Input: h.sentences(), Unread: h.Errors, Book: bookName, JSON: jsonName, Version: h.Version, Head: pageKind().Head("Crawlers in the logs", nil, nil, false)}
	fact := func(name, text string) {
		if text != "" {
			v.Facts = append(v.Facts, pageFact{name, text})
		}
	}
	fact("Period", crawls.Period(h.From, h.To))
	if h.Files != nil {
		fact("Log files", wording.Thousands(h.logs()))
		fact("Lines", wording.Thousands(h.Lines))
		fact("Requests in the name of crawlers", wording.Thousands(h.Crawlers))
	}
	fact("Not readable", lines(h.Unparsed))
	fact("Address lists", crawls.RangesDay(h.Ranges))
	fact("Times", "UTC")
	sites := w.Summary.Sites
	switch {
	case w.link != nil:
		w.overview(&v)
	case len(sites) != 1:
		v.Lead = w.Summary.headline()
		rows := w.Summary.severalSites()
		place := map[*Site]string{}
		for i, row := range rows[:min(len(rows), pageSites)] {
			place[row] = "#site-" + strconv.Itoa(i+1)
		}
		v.Sites = newTable("Most severe first", siteColumns, rows, pageRows, func(s *Site) string { return place[s] }, nil)
		fallthrough
	default:
		for i := range sites[:min(len(sites), pageSites)] {
			v.Sections = append(v.Sections, w.sections[sites[i].at])
		}
		v.MoreSites = len(sites) - len(v.Sections)
	}
	var b bytes.Buffer
	err := pageKind().Execute(&b, &v)
	return b.Bytes(), err
}

// overview makes the page of an overview: its rows lead to pages of sites.
func (w *writer) overview(v *pageView) {
	v.Book = ""
	if v.Lead = w.Summary.headline(); len(w.unread) > 0 {
		v.Lead = append(v.Lead, "The records of "+wording.Plural(len(w.unread), "site")+" could not be read: "+escape.Show(wording.Some(w.unread))+".")
	}
	rows := w.Summary.rows()
	v.MoreSites = max(0, len(rows)-overviewRows)
	v.Sites = newTable("Most severe first", siteColumns, rows[:len(rows)-v.MoreSites], overviewRows, func(s *Site) string { return w.link(s.Name) }, nil)
}

func lines(n int64) string {
	if n == 0 {
		return ""
	}
	return wording.Plural(n, "line")
}

// Policy returns what the page may load when a server sends it.
func Policy() string { return layout.Policy(pageKind()) }
