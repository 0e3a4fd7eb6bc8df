package crawl

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"robots-audit/crawl/internal/weburl"
)

// Page is the result of a request for one page while following links.
type Page struct {
	URL       string     // as requested
	Depth     int        // clicks from a start page
	Location  string     // the URL that answered, or the target of a redirect that was not followed; "" = URL itself
	Status    int        // final status; for a redirect that was not followed, its own; 0: none
	Code      string     // one of the codes of this package; "" = read completely, or a type without links (an image, a PDF)
	Detail    string     // the error in words
	Parsed    bool       // its HTML was read: Links has all its links
	Titled    bool       // it has a title that is not empty
	Redirects []Redirect // those that were followed, in order; nil = none
	Links     []string   // absolute http and https URLs without fragment that the page links to, each once, in order
	Canonical string     // absolute URL of the first link rel="canonical", or of the Link header if the page has none; "" = none

	Alternates []Alternate     // from link rel="alternate" hreflang, in the page and in its Link header
	Resources  []Resource      // files needed to render the page, each once, in order
	Directives []RobotsMeta    // from meta robots and X-Robots-Tag, for every crawler or for one
	NoIndex    bool            // they say noindex (or none) to every crawler
	Cut        map[string]bool // lists that reached their limit: "links", "alternates", "resources", "directives"; nil = none
}

// Redirect is a response that leads to another URL.
type Redirect struct {
	URL    string // the requested URL
	Status int
	To     string // its target
}

// Alternate is a version of the page for another language or region.
type Alternate struct {
	Lang string // hreflang, as written
	URL  string // absolute
}

// Resource is a file that a browser, or a crawler that renders, fetches to show
// the page.
type Resource struct {
	URL  string // absolute, http or https, without fragment
	Kind Kind   // KindCSS, KindJS, KindFont, KindImage, KindMedia, KindFrame
}

// RobotsMeta is one robots directive of a page.
type RobotsMeta struct {
	Agent  string // the crawler's name in lower case; "" = every crawler
	Rules  string // as written: "noindex, nofollow"
	Header bool   // X-Robots-Tag, not a meta element
}

// SaysNoIndex reports whether the directive is noindex, or none, which includes
// noindex, or an unavailable_after with a date in the past.
func (m *RobotsMeta) SaysNoIndex() bool { return saysNoIndex(m.Rules, time.Now()) }

// LacksComma reports whether noindex or none is next to another directive without a comma between
// them. Search engines document only the comma, and do not say how they read other separators.
func (m *RobotsMeta) LacksComma() bool {
	for part := range strings.SplitSeq(strings.ToLower(m.Rules), ",") {
		words := strings.FieldsFunc(part, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(";|/+", r) })
		if len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !bareDirectives[w] }) && (slices.Contains(words, "noindex") || slices.Contains(words, "none")) {
			return true
		}
	}
	return false
}

// bareDirectives are the directives without a value.
var bareDirectives = map[string]bool{
	"all": true, "index": true, "follow": true, "noindex": true, "nofollow": true, "none": true, "noarchive": true, "nocache": true, "nosnippet": true,
	"noimageindex": true, "notranslate": true, "indexifembedded": true, "noodp": true, "noydir": true,
}

// NoIndexFor reports whether a crawler must not index the page, by its name or
// by a directive for all. Google combines all directives that apply to it.
func (p *Page) NoIndexFor(agent string) bool {
	for _, d := range p.Directives {
		if (d.Agent == "" || strings.EqualFold(d.Agent, agent)) && d.SaysNoIndex() {
			return true
		}
	}
	return false
}

// Limits for one page; Page.Cut says which were reached.
const (
	MaxLinks      = 10_000
	MaxAlternates = 1_000
	MaxResources  = 2_000
	maxDirectives = 64
)

// hasRoom reports whether a list of n may grow within its limit. If not, it
// records this in Cut.
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

// absolute returns a link in the form that a crawler requests, "" if it is not
// fetched.
func absolute(link, base string) string {
	link, err := weburl.Resolve(link, base)
	if err != nil || len(link) > weburl.MaxLength {
		return ""
	}
	return link
}
