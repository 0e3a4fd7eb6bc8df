package site

import (
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// CauseColumn is a column of the sheet "To do", or what the page of a site says of a cause
// under the same title, or both.
type CauseColumn struct {
	Title  string
	Width  int                 // on the sheet, in characters
	Height float64             // points by which the text may make a row higher at most; 0 = its row may cut it off
	Text   func(*Cause) string // "" = nothing is known
	Value  func(*Cause) Value  // on the sheet in place of Text; nil = Text
	OnPage func(*Cause) string // on the page; nil = Text
	Figure int                 // its place among the figures of the page; 0 = it is none
	Answer bool                // it is one of the page's answers
}

// causeColumns are read from left to right: what it is, whom and how much it concerns,
// whether it is intended, what to do, and what happens then.
var causeColumns = []CauseColumn{
	{Title: "What", Width: 40, Height: wholeText, Text: func(c *Cause) string { return c.What }},
	{Title: "Crawlers", Width: 22, Height: wholeText, Figure: 3, Text: (*Cause).ForWhom},
	{Title: "URLs", Width: 10, Figure: 1, Value: func(c *Cause) Value { return c.URLs },
		OnPage: func(c *Cause) string { return withShare(c.URLs, c.Share, "URLs") }},
	{Title: "Share of URLs", Width: 9, Value: func(c *Cause) Value { return c.Share }},
	{Title: "Clicks", Width: 10, Figure: 2, Value: func(c *Cause) Value { return c.Clicks },
		OnPage: func(c *Cause) string { return withShare(c.Clicks, c.ClickShare, "clicks") }},
	{Title: "Share of clicks", Width: 9, Value: func(c *Cause) Value { return c.ClickShare }},
	{Title: titleHits, Width: 10, Figure: 5, Value: func(c *Cause) Value { return c.Hits },
		OnPage: func(c *Cause) string { return withShare(c.Hits, c.HitShare, c.HitsOf+"'s requests") }},
	{Title: titleHitShare, Width: 9, Value: func(c *Cause) Value { return c.HitShare }},
	{Title: "Templates", Width: 34, Height: addressHeight, Figure: 4, Text: (*Cause).inTemplates},
	{Title: titleSegments, Width: 34, Text: (*Cause).inSegments},
	{Title: "Intended?", Width: 40, Height: wholeText, Answer: true, Text: func(c *Cause) string { return c.Meant }},
	{Title: "What to do", Width: 44, Height: wholeText, Answer: true, Text: func(c *Cause) string { return c.Do }},
	{Title: "What happens then", Width: 38, Height: wholeText, Answer: true, Text: func(c *Cause) string { return c.Proof }},
	{Title: "Owner", Width: 16, Text: func(*Cause) string { return "" }}, // for the reader
	{Title: "Examples", Width: 60, Height: addressHeight, Text: func(c *Cause) string { return strings.Join(c.Examples, " ") }},
}

// Heights of rows.
const (
	wholeText     = 1000 // a sentence is shown whole
	addressHeight = 120  // addresses may be of any length
)

// Titles of the columns that only runs with access logs have. The name of the crawler comes before.
const (
	titleHits     = " hits"
	titleHitShare = "Share of hits"
)

// titleSegments is the title of the column that only those have who named segments.
const titleSegments = "Segments"

// CauseColumns returns the columns, which the caller may change; segments says that the run
// has some, hitsOf is the crawler whose hits they show; "" = there are no access logs.
func CauseColumns(segments bool, hitsOf string) []CauseColumn {
	list := slices.DeleteFunc(slices.Clone(causeColumns), func(c CauseColumn) bool {
		return c.Title == titleSegments && !segments || (c.Title == titleHits || c.Title == titleHitShare) && hitsOf == ""
	})
	for i := range list {
		if list[i].Title == titleHits {
			list[i].Title = hitsOf + titleHits
		}
	}
	return list
}

// Words are what the page of a site says of a cause in this column; "" = nothing is known.
func (of *CauseColumn) Words(c *Cause) string {
	if of.OnPage != nil {
		return of.OnPage(c)
	}
	return of.Text(c)
}

// withShare writes a number with its part of the whole; "" = it was not counted.
func withShare(n, share Value, of string) string {
	if n.Kind == NoValue {
		return ""
	}
	return n.String() + " (" + share.String() + " of " + of + ")"
}

// ForWhom names the crawlers, with the number of URLs of each where that differs.
func (c *Cause) ForWhom() string {
	alike := !slices.ContainsFunc(c.Crawlers, func(of CauseCrawler) bool { return of.URLs != c.Crawlers[0].URLs })
	var names []string
	for _, of := range c.Crawlers {
		if !alike {
			of.Label += " (" + wording.Thousands(of.URLs) + ")"
		}
		names = append(names, of.Label)
	}
	return strings.Join(names, ", ")
}

// inTemplates lists the templates: "/post{n}.html 21,884; /t/{n} 12".
func (c *Cause) inTemplates() string {
	var parts []string
	for _, t := range c.Templates {
		parts = append(parts, t.Name+" "+wording.Thousands(t.URLs))
	}
	if c.MoreTemplates > 0 {
		parts = append(parts, "and "+wording.Thousands(c.MoreTemplates)+" more")
	}
	return strings.Join(parts, "; ")
}

// inSegments lists the segments with most of the URLs: "blog 21,884; shop 12".
func (c *Cause) inSegments() string {
	var parts []string
	for _, of := range c.Segments {
		parts = append(parts, of.Name+" "+wording.Thousands(of.URLs))
	}
	return strings.Join(parts, "; ")
}
