package summary

import "robots-audit/reports/internal/site"

// MaxCauses bounds the causes of one site in summary.json; its workbook has them all.
const MaxCauses = 10

// maxExampleLength bounds the examples of a cause in summary.json, in bytes: an address
// is given whole or not at all.
const maxExampleLength = 1000

// Cause is a cause of a site as summary.json has it: something to decide on or to fix.
type Cause struct {
	Kind       string        `json:"kind"` // "line", "access", "finding", "sitemaps"
	What       string        `json:"what"`
	Origin     string        `json:"origin"` // of the robots.txt
	Line       int           `json:"line,omitempty"`
	Rule       string        `json:"rule,omitempty"`
	Crawlers   []string      `json:"crawlers"`
	Leads      bool          `json:"leads"`                 // one of them leads the report: it is there to have pages found, or none of the run is
	URLs       *int64        `json:"urls,omitempty"`        // none = not counted, as all counts here
	Share      *float64      `json:"share,omitempty"`       // of the site's known URLs: 1 = all
	Clicks     *int64        `json:"clicks,omitempty"`      // on these URLs
	ClickShare *float64      `json:"click_share,omitempty"` // of all clicks
	Templates  []Template    `json:"templates,omitempty"`
	Segments   []SegmentURLs `json:"segments,omitempty"` // those with most of the URLs; none = URLs are not counted by segment
	Examples   []string      `json:"examples,omitempty"`
	Meant      string        `json:"meant"`
	Do         string        `json:"do"`
	Proof      string        `json:"proof"`
	Frees      *int64        `json:"frees,omitempty"`   // known URLs that come to be allowed with the line deleted, for the crawler for which most do
	Blocks     *int64        `json:"blocks,omitempty"`  // likewise, to be blocked
	Effects    []Effect      `json:"effects,omitempty"` // where it differs by crawler, what the deletion does for each
	Sheet      string        `json:"sheet"`             // of the workbook that has the rows
}

// Effect is what the deletion of a line does for some crawlers, in known URLs.
type Effect struct {
	Crawlers []string `json:"crawlers"`
	Frees    int64    `json:"frees"`
	Blocks   int64    `json:"blocks"`
}

// Template is a number of URLs of one template.
type Template struct {
	Template string `json:"template"`
	URLs     int64  `json:"urls"`
}

// SegmentURLs is a number of URLs of one segment.
type SegmentURLs struct {
	Segment string `json:"segment"`
	URLs    int64  `json:"urls"`
}

// Causes are the first causes of a site as summary.json has them, and the number of the others.
func Causes(todo *site.ToDo) (list []Cause, more int) {
	for i := range todo.List[:min(len(todo.List), MaxCauses)] {
		list = append(list, newCause(&todo.List[i]))
	}
	return list, len(todo.List) + todo.More - len(list)
}

func newCause(of *site.Cause) Cause {
	c := Cause{Kind: of.Kind, What: of.What, Origin: of.Origin, Line: of.Line, Rule: of.Rule, Crawlers: []string{}, Leads: of.Leads, Meant: of.Meant, Do: of.Do, Proof: of.Proof, Sheet: of.Sheet}
	for _, crawler := range of.Crawlers {
		c.Crawlers = append(c.Crawlers, crawler.Label)
	}
	if of.Counted {
		c.URLs, c.Share = &of.URLs, &of.Share.Num
	}
	if of.ClickShare.Kind != site.NoValue {
		c.Clicks, c.ClickShare = &of.Clicks, &of.ClickShare.Num
	}
	if of.Proved {
		c.Frees, c.Blocks = &of.Frees, &of.Blocks
		if len(of.Effects) > 1 {
			for _, e := range of.Effects {
				c.Effects = append(c.Effects, Effect(e))
			}
		}
	}
	for _, t := range of.Templates {
		c.Templates = append(c.Templates, Template{t.Name, t.URLs})
	}
	for _, segment := range of.Segments {
		c.Segments = append(c.Segments, SegmentURLs{segment.Name, segment.URLs})
	}
	for _, loc := range of.Examples {
		if len(loc) <= maxExampleLength {
			c.Examples = append(c.Examples, loc)
		}
	}
	return c
}
