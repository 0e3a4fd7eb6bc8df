package crawl

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"robots-audit/crawl/internal/weburl"
)

// Page is what came of asking for one page while following links.
type Page struct {
	URL       string     // as asked for
	Depth     int        // clicks away from a start page
	Location  string     // the URL that answered, or where a redirect leads that was not followed; "" = URL itself
	Status    int        // final status; of a redirect not followed, its own; 0: none
	Code      string     // one of the codes of this package; "" = read whole, or nothing to read links from (an image, a PDF)
	Detail    string     // the trouble in words
	Parsed    bool       // its HTML was read: it has no other links than those below
	Redirects []Redirect // those that were followed, in their order; nil = none
	Links     []string   // absolute http and https URLs without fragment that the page links to, each once, in its order
	Canonical string     // absolute URL of the first link rel="canonical", of the Link header where the page has none; "" = none

	Alternates []Alternate     // of link rel="alternate" hreflang, in the page and in its Link header
	Resources  []Resource      // what is needed to render the page, each once, in its order
	Directives []RobotsMeta    // of meta robots and X-Robots-Tag, for every crawler or for one
	NoIndex    bool            // they say noindex (or none) to every crawler
	Cut        map[string]bool // what there was too much of: "links", "alternates", "resources", "directives"; nil = nothing
}

// Redirect is an answer that leads to another URL.
type Redirect struct {
	URL    string // that was asked for
	Status int
	To     string // where it leads
}

// Alternate is a version of the page for another language or region.
type Alternate struct {
	Lang string // hreflang, as written
	URL  string // absolute
}

// Resource is something that a browser, or a crawler that renders, fetches to
// show the page.
type Resource struct {
	URL  string // absolute, http or https, without fragment
	Kind Kind   // KindCSS, KindJS, KindFont, KindImage, KindMedia, KindFrame
}

// RobotsMeta is one statement of a page about itself.
type RobotsMeta struct {
	Agent  string // the crawler's name in lower case; "" = every crawler
	Rules  string // as written: "noindex, nofollow"
	Header bool   // X-Robots-Tag, not a meta element
}

// SaysNoIndex says whether the statement is noindex, or none, which is noindex as well,
// or an unavailable_after whose date is over.
func (m *RobotsMeta) SaysNoIndex() bool { return saysNoIndex(m.Rules, time.Now()) }

// LacksComma says whether noindex, or none, stands beside another directive without a comma
// between them: the documents of search engines name none but a comma, and do not say what they make of that.
func (m *RobotsMeta) LacksComma() bool {
	for part := range strings.SplitSeq(strings.ToLower(m.Rules), ",") {
		words := strings.FieldsFunc(part, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(";|/+", r) })
		if len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !bareDirectives[w] }) && (slices.Contains(words, "noindex") || slices.Contains(words, "none")) {
			return true
		}
	}
	return false
}

// bareDirectives are those without a value.
var bareDirectives = map[string]bool{
	"all": true, "index": true, "follow": true, "noindex": true, "nofollow": true, "none": true, "noarchive": true, "nocache": true, "nosnippet": true,
	"noimageindex": true, "notranslate": true, "indexifembedded": true, "noodp": true, "noydir": true,
}

// NoIndexFor says whether a crawler is told not to index the page: by name or
// together with all others. Google takes all that apply to it together.
func (p *Page) NoIndexFor(agent string) bool {
	for _, d := range p.Directives {
		if (d.Agent == "" || strings.EqualFold(d.Agent, agent)) && d.SaysNoIndex() {
			return true
		}
	}
	return false
}

// Bounds of what is taken from one page; Page.Cut says where there was more.
const (
	MaxLinks      = 10_000
	MaxAlternates = 1_000
	MaxResources  = 2_000
	maxDirectives = 64
)

// hasRoom says whether a list of n may grow within its limit, and notes in Cut
// where it may not.
func (p *Page) hasRoom(what string, n, limit int) bool {
	if n < limit {
		return true
	}
	if p.Cut == nil {
		p.Cut = map[string]bool{}
	}
	p.Cut[what] = true
	return false
}

// absolute returns a link as a crawler asks for it, "" for what is not fetched.
func absolute(link, base string) string {
	link, err := weburl.Resolve(link, base)
	if err != nil || len(link) > weburl.MaxLength {
		return ""
	}
	return link
}
