package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Cause is something to decide on or to mend: a row of the sheet "To do".
type Cause struct {
	Kind       string // CauseLine, …
	What       string // in a sentence without a full stop
	Origin     string // whose robots.txt it is about
	Line       int    // of it; 0 = none
	Rule       string // of the line, "disallow: /a"
	Crawlers   string // labels, with commas
	Leads      bool   // one of them leads (audit.Crawler.Leads)
	URLs       int64  // known URLs that are blocked, or touched, each once
	Share      Value  // of all known URLs
	Clicks     int64
	ClickShare Value // of all clicks; none where no clicks were given
	Templates  []TemplateCount
	Segments   []SegmentCount // nil = pages are not counted by segment
	Examples   []string
	Do         string // what to do
	Proof      string // what was tried, and what it does; "" = nothing was
	Sheet      string // of the workbook that has its rows
}

// TemplateCount is the number of pages of a template that a cause touches.
type TemplateCount struct {
	Name string
	URLs int64
}

// Kinds of causes.
const (
	CauseLine     = "line"     // a line of robots.txt blocks known URLs
	CauseAccess   = "access"   // the answer to robots.txt does
	CauseFinding  = "finding"  // a fault changes the verdict on known URLs
	CauseSitemaps = "sitemaps" // sitemaps could not be read, or are blocked
)

// Bounds of the list.
const (
	maxCauses         = 200
	maxCauseTemplates = 3
)

// ToDo are the causes of what is blocked, those with the greatest effect first: by
// clicks, then by URLs, those that concern crawlers which lead before others. It is
// for the site's end. more is the number of causes that are left out.
func (s *Site) ToDo(d *audit.Done) (list []Cause, more int) {
	templates := s.templatesByLine()
	for at, blocks := range s.blocking {
		list = append(list, s.lineCause(at, blocks, templates[at], d))
	}
	list = append(list, s.accessCauses(d)...)
	slices.SortFunc(list, func(a, b Cause) int {
		return cmp.Or(boolCompare(b.Leads, a.Leads), cmp.Compare(b.Clicks, a.Clicks), cmp.Compare(b.URLs, a.URLs), strings.Compare(a.Origin, b.Origin), cmp.Compare(a.Line, b.Line))
	})
	more = max(0, len(list)-maxCauses)
	return list[:len(list)-more], more
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// templatesByLine are the templates whose pages each line blocks, those with most pages first.
func (s *Site) templatesByLine() map[originLine][]TemplateCount {
	byLine := map[originLine][]TemplateCount{}
	for _, t := range s.Templates.Ranked() {
		for _, l := range t.Lines {
			at := originLine{l.Origin, l.Line}
			byLine[at] = append(byLine[at], TemplateCount{cmp.Or(t.Name, "(others)"), l.URLs})
		}
	}
	for _, list := range byLine {
		slices.SortStableFunc(list, func(a, b TemplateCount) int { return cmp.Compare(b.URLs, a.URLs) })
	}
	return byLine
}

// lineCause is what a line blocks.
func (s *Site) lineCause(at originLine, blocks *lineBlocks, templates []TemplateCount, d *audit.Done) Cause {
	robots := s.Robots(at.origin)
	c := Cause{
		Kind: CauseLine, Origin: robots.Origin, Line: at.line, Rule: s.ruleText(at), URLs: blocks.pages, Share: Share(blocks.pages, d.URLs), Clicks: blocks.clicks,
		Templates: templates[:min(len(templates), maxCauseTemplates)], Sheet: "Blocked",
	}
	if d.Clicks > 0 {
		c.ClickShare = Share(blocks.clicks, d.Clicks)
	}
	c.Segments = s.segmentsOf(blocks)
	for _, e := range blocks.examples {
		c.Examples = append(c.Examples, e.loc)
	}
	rows := s.rowsOfLine(at, d.URLs)
	var crawlers []int
	for i := range rows {
		if rows[i].Decided > 0 {
			crawlers = append(crawlers, rows[i].Crawlers...)
		}
	}
	c.Crawlers = s.names(crawlers)
	c.Leads = slices.ContainsFunc(crawlers, func(i int) bool { return s.Crawlers[i].Leads() })
	c.What = fmt.Sprintf("Line %d %s blocks %s", at.line, quoteRule(c.Rule), wording.Known(blocks.pages))
	c.Do = fmt.Sprintf("If %s to be crawled, narrow the line or delete it; if not, take %s out of the sitemaps.", wording.Verb(blocks.pages, "this URL is", "these URLs are"), wording.Verb(blocks.pages, "it", "them"))
	if len(rows) > 0 {
		top := slices.MaxFunc(rows, func(a, b RuleRow) int { return cmp.Compare(a.Decided, b.Decided) })
		c.Proof = proofOf(&top, len(rows) > 1)
	}
	return c
}

// quoteRule writes a rule as people do: `Disallow: /post*`.
func quoteRule(rule string) string {
	if rule == "" {
		return "(a rule that the records do not name)"
	}
	return "`" + escape.Cut(strings.ToUpper(rule[:1])+rule[1:], 120) + "`"
}

// proofOf says what the deletion of a line does, which was tried on every known URL.
func proofOf(r *RuleRow, named bool) string {
	if r.Unknown != "" {
		return "What its deletion does is not known: " + r.Unknown + "."
	}
	words := fmt.Sprintf("With the line deleted %s to allowed, %s to blocked.", flipWords(r.Frees), wordingNone(r.Blocks))
	if named {
		words = "For " + r.Names + ": " + strings.ToLower(words[:1]) + words[1:]
	}
	if join := joinWords(r.RuleCount); join != "" {
		words += " But " + join + "."
	}
	return words
}

func flipWords(n int64) string {
	if n == 0 {
		return "none flips"
	}
	return wording.Known(n) + wording.Verb(n, " flips", " flip")
}

func wordingNone(n int64) string {
	if n == 0 {
		return "none"
	}
	return wording.Thousands(n)
}

// accessCauses are what answers to robots.txt block.
func (s *Site) accessCauses(d *audit.Done) (list []Cause) {
	for r := range s.AllRobots {
		tested := s.TestedOn(r.Index)
		if tested == 0 && r.Index > 0 {
			continue
		}
		var crawlers []int
		why := ""
		for i := range r.Reads {
			if r.Reads[i].Access == engine.DisallowAll {
				crawlers, why = append(crawlers, i), cmp.Or(why, r.Reads[i].Why)
			}
		}
		if len(crawlers) == 0 {
			continue
		}
		list = append(list, Cause{
			Kind: CauseAccess, Origin: r.Origin, URLs: tested, Share: Share(tested, max(d.URLs, tested)), Crawlers: s.names(crawlers), Sheet: "Hosts",
			Leads: slices.ContainsFunc(crawlers, func(i int) bool { return s.Crawlers[i].Leads() }),
			What:  "The answer to " + r.Origin + "/robots.txt blocks everything: " + why,
			Do:    "Make /robots.txt answer 200 with the rules, or 404 where there are none.",
		})
	}
	return list
}
