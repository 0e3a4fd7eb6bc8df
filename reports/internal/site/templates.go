package site

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/audit/pattern"
)

// maxLinesOf bounds the lines of one template.
const maxLinesOf = 64

// Templates counts pages by the template that probably made their addresses: see pattern.Groups.
type Templates struct {
	crawlers int
	groups   pattern.Groups[*Template]
	ranked   []*Template // result of Ranked after rankedAt pages
	rankedAt int64
}

// Template is a template with its pages.
type Template struct {
	Name string // "/post{n}.html"; "" = pages that are not counted by template. Set by Ranked
	Tally
	Lines         []LineCount
	Example       string // the first of its blocked pages, or of all where none is
	exampleBlocks bool
}

// LineCount is the number of pages that a line of robots.txt blocks for at least one crawler.
type LineCount struct {
	Origin, Line int
	URLs, Clicks int64
}

// count counts a page, and returns its template.
func (t *Templates) count(u *URL) *Template {
	if t.groups.New == nil {
		t.groups = pattern.Groups[*Template]{
			New:   func() *Template { return &Template{Tally: Tally{Blocked: make([]int64, t.crawlers)}} },
			Merge: (*Template).merge,
			Size:  func(of *Template) int64 { return of.URLs },
		}
	}
	at := t.groups.Of(u.Loc)
	at.count(u)
	if at.Example == "" || u.Blocked && !at.exampleBlocks {
		at.Example, at.exampleBlocks = strings.Clone(u.Loc), u.Blocked
	}
	return at
}

// addLine counts a page that a line blocks; if there are many lines, only the first are counted.
func (t *Template) addLine(origin, line int, urls, clicks int64) {
	i := slices.IndexFunc(t.Lines, func(l LineCount) bool { return l.Origin == origin && l.Line == line })
	if i < 0 {
		if len(t.Lines) == maxLinesOf {
			return
		}
		i = len(t.Lines)
		t.Lines = append(t.Lines, LineCount{Origin: origin, Line: line})
	}
	t.Lines[i].URLs += urls
	t.Lines[i].Clicks += clicks
}

// merge adds the pages of another template.
func (t *Template) merge(of *Template) {
	t.add(&of.Tally)
	for _, l := range of.Lines {
		t.addLine(l.Origin, l.Line, l.URLs, l.Clicks)
	}
	if !t.exampleBlocks && of.exampleBlocks {
		t.Example, t.exampleBlocks = of.Example, true
	}
}

// Ranked returns the templates, those with most clicks on blocked pages first, then those with most
// hits on them, then those with most blocked pages. It is for the site's end.
func (t *Templates) Ranked() []*Template {
	if t.ranked != nil && t.rankedAt == t.groups.Added() {
		return t.ranked
	}
	var list []*Template
	for name, of := range t.groups.All() {
		of.Name = name
		list = append(list, of)
	}
	slices.SortFunc(list, func(a, b *Template) int {
		return cmp.Or(cmp.Compare(b.BlockedClicks, a.BlockedClicks), cmp.Compare(b.Hits.Blocked, a.Hits.Blocked), cmp.Compare(b.BlockedAny, a.BlockedAny), cmp.Compare(b.URLs, a.URLs), strings.Compare(a.Name, b.Name))
	})
	for _, of := range list {
		slices.SortStableFunc(of.Lines, func(a, b LineCount) int {
			return cmp.Or(cmp.Compare(b.Clicks, a.Clicks), cmp.Compare(b.URLs, a.URLs))
		})
	}
	t.ranked, t.rankedAt = list, t.groups.Added()
	return list
}
