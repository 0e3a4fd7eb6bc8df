package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// Cause is something to decide on or to fix: a row of the sheet "To do".
type Cause struct {
	Kind          string // CauseLine, …
	What          string // in a sentence without a full stop
	Index         int    // of the origin
	Origin        string // whose robots.txt it is about
	Line          int    // of it; 0 = none
	Rule          string // of the line, "disallow: /a"
	Crawlers      []CauseCrawler
	Leads         bool  // one of them leads (audit.Crawler.Leads), or none of the run does
	URLs          int64 // known URLs that are blocked, or touched, each once
	Counted       bool  // URLs is a count
	Share         Value // of all known URLs; none where they are not counted
	Clicks        int64
	ClickShare    Value           // of all clicks; none where Clicks is no count
	Templates     []TemplateCount // those with most of the URLs
	MoreTemplates int             // that are left out
	Segments      []SegmentCount  // nil = pages are not counted by segment
	Examples      []string
	Meant         string   // what the site itself says on whether it is meant
	Do            string   // what to do, and where
	Proof         string   // what becomes of known URLs then; never empty, and with the reason where nobody knows
	Proved        bool     // it was tried for each of Crawlers: Frees and Blocks are counts
	Frees         int64    // known URLs that come to be allowed, for the crawler for which most do
	Blocks        int64    // likewise, to be blocked
	Effects       []Effect // where it was tried, for whom the deletion does what
	Sheet         string   // of the workbook that has its rows

	rank       int   // among causes: the lower one comes first, whatever its numbers
	first      int   // index of the first of its crawlers that leads, and of the first where none does
	leadURLs   int64 // of URLs, those that concern a crawler that leads
	leadClicks int64 // of Clicks, likewise
}

// CauseCrawler is a crawler that a cause concerns.
type CauseCrawler struct {
	Label string
	URLs  int64 // known URLs that are blocked for it by the cause; only of a line
}

// Effect is what the deletion of a cause's line does for some crawlers, in known URLs.
type Effect struct {
	Crawlers      []string // labels
	Frees, Blocks int64
}

// TemplateCount is the number of pages of a template that a cause touches.
type TemplateCount struct {
	Name string
	URLs int64
}

// Kinds of causes.
const (
	CauseLine     = "line"     // a line of robots.txt blocks known URLs, or the home page
	CauseAccess   = "access"   // the answer to the request for robots.txt does, or there is none
	CauseFinding  = "finding"  // a fault changes the verdict on known URLs
	CauseSitemaps = "sitemaps" // sitemaps could not be read, or are blocked
)

// Ranks of causes.
const (
	rankHome     = iota // the home page gives no page at all
	rankAll             // the home page, or all there is, is closed to crawlers that lead
	rankLead            // known URLs are blocked for crawlers that lead
	rankOpen            // a fault opens known URLs that something else was meant to block, or the like
	rankSitemaps        // what may name further URLs could not be read
	rankOthers          // it concerns other crawlers alone
)

// Bounds of the list.
const (
	maxCauses         = 200
	maxCauseTemplates = 3
)

// ToDo is what is to be decided on or fixed.
type ToDo struct {
	Title   string  // "To do: 3 causes, the greatest effect first"
	List    []Cause // those with the greatest effect first
	More    int     // that are left out
	Nothing string  // where there are none: what was looked at, in a sentence
}

// ToDo are the causes of what is blocked, and what kept the audit from looking: what
// closes the whole site to crawlers that lead first, then by the clicks and the number
// of the URLs concerned; what concerns other crawlers alone comes last. It is for the
// site's end.
func (s *Site) ToDo(d *audit.Done) *ToDo {
	if s.toDo != nil && s.toDoOf == d {
		return s.toDo
	}
	list := s.lineCauses(d)
	list = append(list, s.accessCauses(d)...)
	list = s.addBlockedSitemaps(list)
	list = s.addFindings(list, d)
	list = append(list, s.sitemapCauses(d)...)
	list = append(list, s.pageCauses(d)...)
	for i := range list {
		c := &list[i]
		if (c.rank == rankLead || c.rank == rankOpen) && !c.Leads {
			c.rank = rankOthers
		}
		if !c.Leads {
			c.leadURLs, c.leadClicks = c.URLs, c.Clicks
		}
	}
	slices.SortFunc(list, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.leadClicks, a.leadClicks), cmp.Compare(b.leadURLs, a.leadURLs),
			cmp.Compare(a.first, b.first), strings.Compare(a.Origin, b.Origin), cmp.Compare(a.Line, b.Line), strings.Compare(a.Kind, b.Kind), strings.Compare(a.What, b.What))
	})
	more := max(0, len(list)-maxCauses)
	s.toDo, s.toDoOf = &ToDo{List: list[:len(list)-more], More: more}, d
	switch n := len(list); {
	case n > 1:
		s.toDo.Title = "To do: " + wording.Plural(n, "cause") + ", the greatest effect first"
	case n == 1:
		s.toDo.Title = "To do: 1 cause"
	case d.URLs == 0:
		s.toDo.Title, s.toDo.Nothing = "To do: not known", s.nothingToDo(d)
	default:
		s.toDo.Title, s.toDo.Nothing = "To do: nothing in what was tested", s.nothingToDo(d)
	}
	return s.toDo
}

// MoreWords say how many causes are left out.
func (t *ToDo) MoreWords() string {
	return "And " + wording.Plural(t.More, "further cause") + " of less effect; the sheet Rules has all lines"
}

// nothingToDo says what was looked at where there is nothing to do.
func (s *Site) nothingToDo(d *audit.Done) string {
	if d.URLs == 0 {
		return "No known URL was tested, so nothing can be said of what is to be done."
	}
	tested := "Each of the " + wording.Known(d.URLs) + " was tested for "
	if d.URLs == 1 {
		tested = "The one known URL was tested for "
	}
	words := "Nothing to do. " + tested + s.anyOf() + ": none of them is kept out by robots.txt"
	if d.Unknown > 0 {
		words = "Nothing to do is known. " + tested + s.anyOf() + ": " + unclearWords(d.Unknown)
	}
	switch read, unread := s.sitemapCounts(d); {
	case read == 1 && unread == 0:
		words += ", and the one sitemap could be read"
	case read > 1 && unread == 0:
		words += fmt.Sprintf(", and all %s could be read", wording.Plural(read, "sitemap"))
	}
	if bound := d.Bound(); bound != "" {
		words += "; the audit " + bound
	}
	return words + "."
}

func unclearWords(n int64) string {
	return fmt.Sprintf("for %s the verdict is unknown or undefined", wording.Known(n))
}

// newCause returns a cause that concerns crawlers, whose indices are in order.
func (s *Site) newCause(kind, origin, sheet string, crawlers []int) Cause {
	c := Cause{Kind: kind, Origin: origin, Sheet: sheet, rank: rankLead}
	for n, i := range crawlers {
		c.Crawlers = append(c.Crawlers, CauseCrawler{Label: s.Crawlers[i].Label})
		if n == 0 || s.leads[i] && !c.Leads {
			c.first = i
		}
		c.Leads = c.Leads || s.leads[i]
	}
	return c
}

// count sets the number of known URLs.
func (c *Cause) count(urls int64, d *audit.Done) {
	c.URLs, c.Counted, c.leadURLs = urls, d.URLs > 0, urls
	if c.Counted {
		c.Share = Share(urls, d.URLs)
	}
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

// InTemplates lists the templates: "/post{n}.html 21,884; /t/{n} 12".
func (c *Cause) InTemplates() string {
	var parts []string
	for _, t := range c.Templates {
		parts = append(parts, t.Name+" "+wording.Thousands(t.URLs))
	}
	if c.MoreTemplates > 0 {
		parts = append(parts, "and "+wording.Thousands(c.MoreTemplates)+" more")
	}
	return strings.Join(parts, "; ")
}

// InSegments lists the segments with most of the URLs: "blog 21,884; shop 12".
func (c *Cause) InSegments() string {
	var parts []string
	for _, of := range c.Segments {
		parts = append(parts, of.Name+" "+wording.Thousands(of.URLs))
	}
	return strings.Join(parts, "; ")
}

// URLCount is the number of URLs as a figure; none where it was not counted.
func (c *Cause) URLCount() Value {
	if !c.Counted {
		return Value{}
	}
	return Number(c.URLs)
}

// ClickCount is the number of clicks as a figure; none where it was not counted.
func (c *Cause) ClickCount() Value {
	if c.ClickShare.Kind == NoValue {
		return Value{}
	}
	return Number(c.Clicks)
}
