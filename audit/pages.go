package audit

import (
	"cmp"
	"net/http"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// Page is a URL that was asked for while links were followed: a page, or a redirect
// on the way to one; or a page that was found and not asked for, since robots.txt
// keeps this program from it (Status 0, Code "disallowed"). Records of before redirects
// had one of their own have the URL asked for and the status of the page it led to.
type Page struct {
	URL       string `json:"url"`
	Depth     int    `json:"depth"`              // clicks away from the home page
	Location  string `json:"location,omitempty"` // where a redirect leads
	Status    int    `json:"status"`             // 0 = there was no answer
	Code      string `json:"code,omitempty"`
	Links     int    `json:"links"`               // links found, each once
	Canonical string `json:"canonical,omitempty"` // as the page names it
	NoIndex   bool   `json:"noindex,omitempty"`   // it says so to every crawler
	Resources int    `json:"resources,omitempty"` // what rendering it needs, each once

	// What follows is not in records of before it was recorded.

	Meta             []string         `json:"noindex_meta,omitempty"`         // to whom its meta elements say noindex, or none: "robots" for all crawlers, "googlebot"
	Header           []string         `json:"noindex_header,omitempty"`       // likewise, in X-Robots-Tag
	NoIndexFor       []int            `json:"noindex_for,omitempty"`          // indices into Site.Crawlers of those for search that are told not to index it
	Undefined        []string         `json:"directives_undefined,omitempty"` // statements that lack a comma after noindex: no one says what they mean
	Listed           bool             `json:"listed,omitempty"`               // a sitemap that was read names URL
	Verdicts         []engine.Verdict `json:"verdicts,omitempty"`             // on URL, one for each of Site.Crawlers
	Lines            []int32          `json:"lines,omitempty"`                // deciding lines, 0 = no rule decided
	CanonicalBlocked []int            `json:"canonical_blocked,omitempty"`    // indices of those that may not fetch Canonical, where it is another page
}

// NotFetched is said of a page that robots.txt keeps this program from.
const NotFetched = "not fetched"

// Refused reports whether a page was not asked for, since robots.txt keeps this program
// from it.
func (p *Page) Refused() bool { return p.Status == 0 && p.Code == crawl.CodeDisallowed }

// Answered reports whether a page answered with itself, so that what it says is known.
func (p *Page) Answered() bool { return p.Status/100 == 2 }

// Outcome says in words what came of asking for a page, where that is no page; "" = it
// is one, or a redirect that was followed.
func (p *Page) Outcome() string {
	switch {
	case p.Refused():
		return NotFetched + ": robots.txt blocks this audit, too"
	case p.Code == crawl.CodeHTTPStatus:
		return cmp.Or(http.StatusText(p.Status), Meaning(p.Code))
	case p.Code == crawl.CodeOffSite:
		return "redirects to another host: " + cmp.Or(hostOf(p.Location), p.Location)
	case p.Code == crawl.CodeDisallowed:
		return "redirects to a URL that robots.txt blocks for this audit"
	case p.Code != "":
		return Meaning(p.Code)
	}
	return ""
}

// OtherHost is the host of a URL that the page names; "" = it is the page's own.
func (p *Page) OtherHost(url string) string {
	if host := hostOf(url); host != hostOf(p.URL) {
		return host
	}
	return ""
}

// everyCrawler is whom a statement addresses that names no crawler.
const everyCrawler = "robots"

// BlockedFor are the indices of the crawlers that may not fetch the page.
func (p *Page) BlockedFor() (list []int) {
	for i, v := range p.Verdicts {
		if v == engine.Disallow {
			list = append(list, i)
		}
	}
	return list
}

// NoIndexUnseen are the indices of the crawlers that the page tells not to index it,
// and that never see this, since robots.txt does not let them fetch it.
func (p *Page) NoIndexUnseen() (list []int) {
	for _, i := range p.NoIndexFor {
		if i < len(p.Verdicts) && p.Verdicts[i] == engine.Disallow {
			list = append(list, i)
		}
	}
	return list
}

// ListedNoIndex reports whether a sitemap asks for a page to be indexed that itself
// says not to.
func (p *Page) ListedNoIndex() bool { return p.Listed && (p.NoIndex || len(p.NoIndexFor) > 0) }

// HomeFailure is how asking for the home page ended where it gave no page.
type HomeFailure struct {
	URL    string `json:"url"`
	Status int    `json:"status,omitempty"` // 0 = there was no answer
	Code   string `json:"code"`             // one of crawl's codes
}

// String says it as a sentence goes on: "the home page http://a.example/ answers with HTTP 500 Internal Server Error".
func (h *HomeFailure) String() string {
	if h.Code == crawl.CodeHTTPStatus {
		return "the home page " + h.URL + " answers with " + statusText(h.Status)
	}
	return "the home page " + h.URL + " could not be read: " + Meaning(h.Code)
}
