package audit

import (
	"cmp"
	"net/http"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// Page is a URL that following links found: a page, or a redirect on the way to one. It may also be
// a page that was not requested, because robots.txt blocks this program (Status 0, Code
// "disallowed"). In records from before redirects had their own, URL is the requested URL and
// Status that of the final page.
type Page struct {
	URL       string `json:"url"`
	Depth     int    `json:"depth"`              // clicks away from the home page
	Location  string `json:"location,omitempty"` // where a redirect leads
	Status    int    `json:"status"`             // 0 = there was no answer
	Code      string `json:"code,omitempty"`
	Links     int    `json:"links"`               // links found, each once
	Canonical string `json:"canonical,omitempty"` // as written in the page
	NoIndex   bool   `json:"noindex,omitempty"`   // it has a noindex for every crawler
	Resources int    `json:"resources,omitempty"` // number of files needed for rendering, each once

	// Older records lack the following fields.

	Meta             []string         `json:"noindex_meta,omitempty"`         // crawlers for which its meta elements have noindex or none: "robots" for all crawlers, "googlebot"
	Header           []string         `json:"noindex_header,omitempty"`       // likewise, in X-Robots-Tag
	NoIndexFor       []int            `json:"noindex_for,omitempty"`          // indices into Site.Crawlers of the search crawlers that have a noindex
	Undefined        []string         `json:"directives_undefined,omitempty"` // directives that lack a comma after noindex: their meaning is undefined
	Listed           bool             `json:"listed,omitempty"`               // a sitemap that was read has the URL
	Verdicts         []engine.Verdict `json:"verdicts,omitempty"`             // on URL, one for each of Site.Crawlers
	Lines            []int32          `json:"lines,omitempty"`                // deciding lines, 0 = no rule decided
	CanonicalBlocked []int            `json:"canonical_blocked,omitempty"`    // indices of the crawlers for which Canonical is blocked, if it is another page
}

// NotFetched is the outcome of a page that robots.txt blocks for this program.
const NotFetched = "not fetched"

// Refused reports whether a page was not requested because robots.txt blocks this program.
func (p *Page) Refused() bool { return p.Status == 0 && p.Code == crawl.CodeDisallowed }

// Answered reports whether the page itself was received, so that its directives are known.
func (p *Page) Answered() bool { return p.Status/100 == 2 }

// Outcome says in words why a request gave no page; "" = a page, or a redirect that was followed.
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

// OtherHost returns the host of a URL in the page, if it is not the page's own; else "".
func (p *Page) OtherHost(url string) string {
	if host := hostOf(url); host != hostOf(p.URL) {
		return host
	}
	return ""
}

// everyCrawler is the name for all crawlers in a robots directive.
const everyCrawler = "robots"

// BlockedFor returns the indices of the crawlers for which the page is blocked.
func (p *Page) BlockedFor() (list []int) {
	for i, v := range p.Verdicts {
		if v == engine.Disallow {
			list = append(list, i)
		}
	}
	return list
}

// NoIndexUnseen returns the indices of the crawlers for which the page has a noindex that they
// never see, because robots.txt blocks the page.
func (p *Page) NoIndexUnseen() (list []int) {
	for _, i := range p.NoIndexFor {
		if i < len(p.Verdicts) && p.Verdicts[i] == engine.Disallow {
			list = append(list, i)
		}
	}
	return list
}

// ListedNoIndex reports whether a page is in a sitemap, which asks to index it, and has a noindex.
func (p *Page) ListedNoIndex() bool { return p.Listed && (p.NoIndex || len(p.NoIndexFor) > 0) }

// HomeFailure describes a request for the home page that gave no page.
type HomeFailure struct {
	URL    string `json:"url"`
	Status int    `json:"status,omitempty"` // 0 = there was no answer
	Code   string `json:"code"`             // one of crawl's codes
}

// String describes the failure, without a capital: "the home page http://a.example/ answers with
// HTTP 500 Internal Server Error".
func (h *HomeFailure) String() string {
	if h.Code == crawl.CodeHTTPStatus {
		return "the home page " + h.URL + " answers with " + statusText(h.Status)
	}
	return "the home page " + h.URL + " could not be read: " + Meaning(h.Code)
}
