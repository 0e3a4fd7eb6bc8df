package audit

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"robots-audit/audit/internal/hashset"
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

	Meta             []string         `json:"noindex_meta,omitempty"`      // to whom its meta elements say noindex, or none: "robots" for all crawlers, "googlebot"
	Header           []string         `json:"noindex_header,omitempty"`    // likewise, in X-Robots-Tag
	NoIndexFor       []int            `json:"noindex_for,omitempty"`       // indices into Site.Crawlers of those for search that are told not to index it
	Listed           bool             `json:"listed,omitempty"`            // a sitemap that was read names URL
	Verdicts         []engine.Verdict `json:"verdicts,omitempty"`          // on URL, one for each of Site.Crawlers
	Lines            []int32          `json:"lines,omitempty"`             // deciding lines, 0 = no rule decided
	CanonicalBlocked []int            `json:"canonical_blocked,omitempty"` // indices of those that may not fetch Canonical, where it is another page
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
		return NotFetched + ": robots.txt keeps this audit from it, too"
	case p.Code == crawl.CodeHTTPStatus:
		return cmp.Or(http.StatusText(p.Status), Meaning(p.Code))
	case p.Code == crawl.CodeOffSite:
		return "redirects to another host: " + cmp.Or(hostOf(p.Location), p.Location)
	case p.Code == crawl.CodeDisallowed:
		return "redirects to a URL from which robots.txt keeps this audit"
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

// pageTeller tells each URL that was asked for once.
type pageTeller struct {
	site *site
	told *hashset.Set // URLs that have been told

	refused []refusedPage // that the page at hand links to
}

// refusedPage is a page that robots.txt keeps this program from.
type refusedPage struct {
	url   string
	depth int
}

// tell emits what came of a page, of the redirects on the way to it, and of what it
// links to and robots.txt keeps this program from.
func (t *pageTeller) tell(p *crawl.Page) {
	s := t.site
	page := Page{
		URL: p.URL, Depth: p.Depth, Location: p.Location, Status: p.Status, Code: p.Code,
		Links: len(p.Links), Canonical: p.Canonical, Resources: len(p.Resources),
	}
	for _, r := range p.Redirects {
		t.emit(&Page{URL: r.URL, Depth: p.Depth, Location: r.To, Status: r.Status})
		page.URL = r.To
	}
	if page.Location == page.URL {
		page.Location = "" // it is where all redirects led
	}
	if p.Depth == 0 && fails(p) {
		s.done.Links.Home = &HomeFailure{URL: page.URL, Status: p.Status, Code: p.Code}
	}
	if p.Status/100 == 2 {
		s.setNoIndex(&page, p)
		s.setCanonical(&page)
	}
	if t.emit(&page) {
		s.checkNoIndex(&page)
	}
	for _, r := range t.refused {
		t.emit(&Page{URL: r.url, Depth: r.depth, Code: crawl.CodeDisallowed})
	}
	t.refused = t.refused[:0]
}

// fails reports whether there is no page where one was asked for. What leads elsewhere,
// or may not be fetched, is another matter, and so is what is too long to be read.
func fails(p *crawl.Page) bool {
	switch p.Code {
	case "", crawl.CodeDisallowed, crawl.CodeOffSite, crawl.CodeBodyTooLarge, crawl.CodeBadHTML, crawl.CodeInternal, crawl.CodeCancelled:
		return false
	case crawl.CodeHTTPStatus:
		return p.Status >= 400
	}
	return true
}

// noteRefused notes a page that robots.txt keeps this program from, and that the page
// links to which is told next.
func (t *pageTeller) noteRefused(url string, depth int) {
	t.refused = append(t.refused, refusedPage{url, depth})
}

// emit sends a page with the verdicts on it, and counts it, unless it has been told.
func (t *pageTeller) emit(p *Page) bool {
	if !t.told.Add(p.URL) {
		return false
	}
	s := t.site
	p.Verdicts, p.Lines = s.verdictsOn(p.URL)
	p.Listed = s.listed(p.URL)
	if len(p.NoIndexUnseen()) > 0 {
		s.done.Links.NoIndexUnseen++
	}
	if p.ListedNoIndex() {
		s.done.Links.ListedNoIndex++
	}
	s.emit(Record{Page: p})
	return true
}

// setNoIndex notes whom a page tells not to index it.
func (s *site) setNoIndex(page *Page, p *crawl.Page) {
	for _, d := range p.Directives {
		if !d.SaysNoIndex() {
			continue
		}
		to := &page.Meta
		if d.Header {
			to = &page.Header
		}
		if agent := cmp.Or(d.Agent, everyCrawler); !slices.Contains(*to, agent) {
			*to = append(*to, agent)
		}
	}
	page.NoIndex = p.NoIndex
	for i, c := range s.auditor.Crawlers {
		if indexes(c) && (p.NoIndex || slices.ContainsFunc(c.Tokens, p.NoIndexFor)) {
			page.NoIndexFor = append(page.NoIndexFor, i)
		}
	}
}

// indexes reports whether a crawler fills an index, so that noindex means something to
// it. Of one that the crawler list does not have nobody knows, and it may.
func indexes(c Crawler) bool {
	return c.Purpose == "" || c.Purpose == "news" || strings.Contains(c.Purpose, "search")
}

// setCanonical notes which crawlers may not fetch the page that a page names in its place.
func (s *site) setCanonical(page *Page) {
	if page.Canonical == "" || page.Canonical == page.URL {
		return
	}
	verdicts, _ := s.verdictsOn(page.Canonical)
	page.CanonicalBlocked = (&Page{Verdicts: verdicts}).BlockedFor()
}

// verdictsOn judges a URL without counting it; nil where its robots.txt was not read.
func (s *site) verdictsOn(url string) (verdicts []engine.Verdict, lines []int32) {
	o := s.readOrigin(url)
	if o == nil {
		return nil, nil
	}
	for _, g := range o.groups {
		d := g.Verdict(url)
		verdicts, lines = append(verdicts, d.Verdict), append(lines, int32(d.Line()))
	}
	return verdicts, lines
}

// pageHash is what distinct knows a page by.
func (s *site) pageHash(url string) (uint64, bool) {
	head, path, reason := split([]byte(url))
	if reason != "" {
		return 0, false
	}
	o, reason := s.origin(head)
	if reason != "" {
		return 0, false
	}
	if len(path) == 0 {
		path = []byte("/")
	}
	return s.distinct.Hash(o.index<<4|class(crawl.KindLoc), path), true
}

// noteUnlisted notes a page that only another page has named.
func (s *site) noteUnlisted(url string) {
	if hash, ok := s.pageHash(url); ok {
		if s.unlisted == nil {
			s.unlisted = hashset.New()
		}
		s.unlisted.AddHash(hash)
	}
}

// listed reports whether a sitemap names a page.
func (s *site) listed(url string) bool {
	hash, ok := s.pageHash(url)
	return ok && s.distinct.HasHash(hash) && (s.unlisted == nil || !s.unlisted.HasHash(hash))
}
