package audit

import (
	"cmp"
	"slices"
	"strings"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// pageTeller emits each requested URL once.
type pageTeller struct {
	site *site
	told *HashSet // URLs already emitted

	refused []refusedPage // blocked pages that the current page links to
}

// refusedPage is a page that robots.txt blocks for this program.
type refusedPage struct {
	url   string
	depth int
}

// tell emits a page, the redirects that led to it, and its links that robots.txt blocks for this
// program.
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
		page.Location = "" // the target of all redirects
	}
	if p.Depth == 0 {
		s.done.Links.Home = homeFailure(p, page.URL)
		s.checkHome(p, page.URL)
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

// homeFailure returns the failure of the home page, of which url is the last redirect target; nil = none.
func homeFailure(p *crawl.Page, url string) *HomeFailure {
	if !fails(p) {
		return nil
	}
	return &HomeFailure{URL: url, Status: p.Status, Code: p.Code}
}

// checkHome notes a home page that gives no page, or has noindex.
func (s *site) checkHome(p *crawl.Page, url string) {
	own := s.origins[0].findings
	if own == nil {
		return
	}
	if failure := homeFailure(p, url); failure != nil {
		own.AddDiffering(findings.HomeUnindexed, 0, engine.Warning, failure.String(), url)
	} else if p.Status/100 == 2 && p.NoIndexFor("googlebot") {
		own.AddDiffering(findings.HomeUnindexed, 0, engine.Error, "the home page "+url+" has noindex", url)
	}
}

// fails reports whether a request gave no page. Pages that redirect elsewhere, are blocked, or are
// too long do not count as failed.
func fails(p *crawl.Page) bool {
	switch p.Code {
	case "", crawl.CodeDisallowed, crawl.CodeOffSite, crawl.CodeBodyTooLarge, crawl.CodeBadHTML, crawl.CodeInternal, crawl.CodeCancelled:
		return false
	case crawl.CodeHTTPStatus:
		return p.Status >= 400
	}
	return true
}

// noteRefused notes a page that robots.txt blocks for this program. The page that links to it is
// emitted next.
func (t *pageTeller) noteRefused(url string, depth int) {
	t.refused = append(t.refused, refusedPage{url, depth})
}

// emit judges and sends a page and counts it, unless it was emitted before.
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
	if p.Listed {
		s.checkListed(p)
	}
	s.emit(Record{Page: p})
	return true
}

// setNoIndex notes for which crawlers a page has a noindex.
func (s *site) setNoIndex(page *Page, p *crawl.Page) {
	for _, d := range p.Directives {
		if d.LacksComma() && !slices.Contains(page.Undefined, d.Rules) {
			page.Undefined = append(page.Undefined, d.Rules)
		}
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

// indexes reports whether a crawler builds an index, so that noindex affects it. A crawler without
// a known purpose may do so.
func indexes(c Crawler) bool {
	return c.Purpose == "" || c.Purpose == "news" || strings.Contains(c.Purpose, "search")
}

// setCanonical notes the crawlers for which the canonical URL of a page is blocked.
func (s *site) setCanonical(page *Page) {
	if page.Canonical == "" || page.Canonical == page.URL {
		return
	}
	verdicts, _ := s.verdictsOn(page.Canonical)
	page.CanonicalBlocked = (&Page{Verdicts: verdicts}).BlockedFor()
}

// verdictsOn judges a URL without counting it; nil if its robots.txt was not read.
func (s *site) verdictsOn(url string) (verdicts []engine.Verdict, lines []int32) {
	o := s.readOrigin(url)
	if o == nil {
		return nil, nil
	}
	return o.verdicts(url)
}

// verdicts returns the verdict of each crawler on a URL of the origin, and the line that decides it.
func (o *origin) verdicts(url string) (verdicts []engine.Verdict, lines []int32) {
	for _, g := range o.groups {
		d := g.Verdict(url)
		verdicts, lines = append(verdicts, d.Verdict), append(lines, int32(d.Line()))
	}
	return verdicts, lines
}

// pageHash returns the hash of a page in distinct.
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

// noteUnlisted notes a page that only another page named.
func (s *site) noteUnlisted(url string) {
	if hash, ok := s.pageHash(url); ok {
		if s.unlisted == nil {
			s.unlisted = NewHashSet()
		}
		s.unlisted.AddHash(hash)
	}
}

// listed reports whether a sitemap names a page.
func (s *site) listed(url string) bool {
	hash, ok := s.pageHash(url)
	return ok && s.distinct.HasHash(hash) && (s.unlisted == nil || !s.unlisted.HasHash(hash))
}
