package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// Cause is something to decide on or to fix: a row of the sheet "To do", whose columns are
// causeColumns, an entry of the page's list, and an object in summary.json.
type Cause struct {
	Kind          string          `json:"kind"` // CauseLine, …
	What          string          `json:"what"` // in a sentence without a full stop
	Index         int             `json:"-"`    // of the origin
	Origin        string          `json:"origin"`
	Line          int             `json:"line,omitempty"`  // of the origin's robots.txt; 0 = none
	Lines         []int           `json:"lines,omitempty"` // all lines with the same rule, if it is on several: mostly one in the group of each crawler
	Rule          string          `json:"rule,omitempty"`  // of the line, "disallow: /a"
	Crawlers      []CauseCrawler  `json:"crawlers"`
	Leads         bool            `json:"leads"`          // one of them leads (audit.Crawler.Leads), or none of the run does
	URLs          Value           `json:"urls,omitzero"`  // known URLs that are blocked, or touched, each once; none = not counted, as all counts here
	Share         Value           `json:"share,omitzero"` // of all known URLs
	Clicks        Value           `json:"clicks,omitzero"`
	ClickShare    Value           `json:"click_share,omitzero"` // of all clicks
	HitsOf        string          `json:"hits_of,omitempty"`    // crawler of Hits, the first that leads; "" = no access logs
	Hits          Value           `json:"hits,omitzero"`        // its requests for the URLs
	HitShare      Value           `json:"hit_share,omitzero"`   // of all its requests
	Listed        int64           `json:"listed,omitempty"`     // of the URLs that a line blocks, those that sitemaps list
	Deletable     bool            `json:"deletable,omitempty"`  // the fix for lines that are not intended is to delete them: this unblocks Frees URLs, blocks none, and joins no groups
	Templates     []TemplateCount `json:"templates,omitempty"`  // those with most of the URLs
	MoreTemplates int             `json:"-"`                    // that are left out
	Segments      []SegmentCount  `json:"segments,omitempty"`   // nil = pages are not counted by segment
	Examples      []string        `json:"examples,omitempty"`
	Meant         string          `json:"meant"`              // what the site itself says on whether it is meant
	Do            string          `json:"do"`                 // what to do, and where
	Proof         string          `json:"proof"`              // what becomes of known URLs then; with the reason where nobody knows; "" = nothing is to be said
	Frees         Value           `json:"frees,omitzero"`     // known URLs that come to be allowed, for the crawler for which most do; none unless that was tried for each of Crawlers
	Blocks        Value           `json:"blocks,omitzero"`    // likewise, to be blocked
	Effects       []Effect        `json:"effects,omitempty"`  // where it was tried, for whom the deletion does what
	Sheet         string          `json:"sheet"`              // of the workbook that has its rows
	Findings      []string        `json:"findings,omitempty"` // ids of the findings of severity warning or above that it is about, in order

	Fix *Fix `json:"-"` // the edit that Do proposes; nil = none is certain

	keep       string // of a line, what to do if it is intended
	about      string // id of the finding that says the same
	also       int    // findings added to the text
	noURL      bool   // no URL was found
	silent     bool   // the host gave no answer, so that its sitemaps cannot be read either
	rank       int    // among causes: the lower one comes first, whatever its numbers
	first      int    // index of the first of its crawlers that leads, and of the first where none does
	leadURLs   int64  // of the URLs concerned, those that concern a crawler that leads; all where none does
	leadClicks int64  // of the clicks on them, likewise
}

// CauseCrawler is a crawler that a cause concerns; in JSON, its label.
type CauseCrawler struct {
	Label string
	URLs  int64 // known URLs that are blocked for it by the cause; only of a line
}

// MarshalText returns the label.
func (c CauseCrawler) MarshalText() ([]byte, error) { return []byte(c.Label), nil }

// UnmarshalText reads a label.
func (c *CauseCrawler) UnmarshalText(text []byte) error {
	c.Label = string(text)
	return nil
}

// Effect is what the deletion of a cause's line does for some crawlers, in known URLs.
type Effect struct {
	Crawlers []string `json:"crawlers"` // labels
	Frees    int64    `json:"frees"`
	Blocks   int64    `json:"blocks"`
}

// TemplateCount is the number of pages of a template that a cause touches.
type TemplateCount struct {
	Name string `json:"template"`
	URLs int64  `json:"urls"`
}

// Kinds of causes.
const (
	CauseLine     = "line"     // a line of robots.txt blocks known URLs, or the home page
	CauseAccess   = "access"   // the answer to the request for robots.txt does, or there is none
	CauseFinding  = "finding"  // a finding of severity warning or above that none of the others is about
	CauseSitemaps = "sitemaps" // sitemaps could not be read, or are blocked
)

// Ranks of causes.
const (
	rankHome     = iota // the home page gives no page at all
	rankAll             // the home page, or all there is, is closed to crawlers that lead
	rankLead            // known URLs are blocked for crawlers that lead
	rankOpen            // a fault opens known URLs that something else was meant to block, or the like
	rankSitemaps        // what may name further URLs could not be read
	rankErrors          // a finding that is an error, and blocks nothing
	rankOthers          // it concerns other crawlers alone
	rankWarnings        // as rankErrors, a warning
)

// Bounds of the list.
const (
	maxCauses         = 200
	maxCauseTemplates = 3
)

// Lead says how the server treats crawlers, unlike what the site writes: see package enforced.
type Lead struct {
	What, Do       string // sentences; "" = nothing
	Contradictions int    // that What is about; 0 = nothing is clear
}

// ToDo is what is to be decided on or fixed.
type ToDo struct {
	Title   string // "To do: 3 issues, most severe first"
	Lead    Lead
	List    []Cause // those with the greatest effect first
	More    int     // that are left out
	Nothing string  // where there are none: what was looked at, in a sentence
}

// ToDo are the causes of what is blocked, and what kept the audit from looking: what
// closes the whole site to crawlers that lead first, then by the clicks, the hits and the
// number of the URLs concerned; what concerns other crawlers alone comes last. It is for the
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
	list = s.addFaults(list, d)
	for i := range list {
		c := &list[i]
		if (c.rank == rankLead || c.rank == rankOpen) && !c.Leads {
			c.rank = rankOthers
		}
	}
	slices.SortFunc(list, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.leadClicks, a.leadClicks), cmp.Compare(b.Hits.Num, a.Hits.Num), cmp.Compare(b.leadURLs, a.leadURLs),
			cmp.Compare(a.first, b.first), strings.Compare(a.Origin, b.Origin), cmp.Compare(a.Line, b.Line), strings.Compare(a.Kind, b.Kind), strings.Compare(a.What, b.What))
	})
	more := max(0, len(list)-maxCauses)
	s.toDo, s.toDoOf = &ToDo{Lead: s.Lead, List: list[:len(list)-more], More: more}, d
	switch n := len(list); {
	case n > 1:
		s.toDo.Title = "To do: " + wording.Plural(n, "issue") + ", most severe first"
	case n == 0 && s.Lead.Contradictions > 0:
		s.toDo.Title = "To do: " + wording.Plural(s.Lead.Contradictions, "contradiction")
	case n == 1 || s.Lead.What != "":
		s.toDo.Title = "To do: 1 issue"
	case d.URLs == 0:
		s.toDo.Title, s.toDo.Nothing = "To do: unknown", s.nothingToDo(d)
	default:
		s.toDo.Title, s.toDo.Nothing = "To do: nothing", s.nothingToDo(d)
	}
	return s.toDo
}

// MoreWords say how many causes are left out.
func (t *ToDo) MoreWords() string {
	return "And " + wording.Plural(t.More, "more issue") + "; the sheet Rules lists all lines"
}

// nothingToDo says what was looked at where there is nothing to do.
func (s *Site) nothingToDo(d *audit.Done) string {
	if d.URLs == 0 {
		return "No URL was tested."
	}
	words := "No URL is blocked for " + s.anyOf()
	if d.Unknown > 0 {
		words = strings.ToUpper(unclearWords(d.Unknown)[:1]) + unclearWords(d.Unknown)[1:]
	}
	switch read, unread := s.sitemapCounts(d); {
	case read == 1 && unread == 0:
		words += ", and the sitemap could be read"
	case read > 1 && unread == 0:
		words += fmt.Sprintf(", and all %s could be read", wording.Plural(read, "sitemap"))
	}
	if bound := d.Bound(); bound != "" {
		words += ". The audit " + bound
	}
	return words + "."
}

func unclearWords(n int64) string {
	return wording.URLs(n) + wording.Verb(n, " has", " have") + " no clear verdict for at least one crawler"
}

// newCause returns a cause that concerns crawlers, whose indices are in order.
func (s *Site) newCause(kind, origin, sheet string, crawlers []int) Cause {
	c := Cause{Kind: kind, Origin: origin, Sheet: sheet, Crawlers: []CauseCrawler{}, rank: rankLead}
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
	c.leadURLs = urls
	if d.URLs > 0 {
		c.URLs, c.Share = Number(urls), Share(urls, d.URLs)
	}
}
