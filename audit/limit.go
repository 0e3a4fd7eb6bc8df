package audit

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine/wording"
)

// Limit is a limit of this audit that a site reached. URLs beyond it were not tested, so
// the counts are lower bounds: "at least 608: stopped at 500 pages".
type Limit struct {
	Name  string `json:"name"`           // one of the constants below; the name of its flag, if there is one
	Bound string `json:"bound"`          // in words: "500 pages", "2h0m0s"
	Left  int64  `json:"left,omitempty"` // minimum of what was found beyond it, in the unit of the limit; 0 = unknown
}

// Names of limits. They are stable, like codes.
const (
	LimitPages        = "crawl-pages"       // pages asked for; Left are pages
	LimitDepth        = "crawl-depth"       // clicks from the home page; Left are pages
	LimitTime         = "crawl-time"        // time for following links; Left are pages
	LimitPageBytes    = "page-bytes"        // bytes of a page; Left are pages that were longer
	LimitPageParts    = "page-parts"        // links, alternates and resources taken from one page; Left are pages that have more
	LimitLinks        = "links"             // distinct links; LinkCount counts no more than these
	LimitURLs         = "max-urls"          // URLs read of sitemaps; Left are sitemaps
	LimitSitemaps     = "max-sitemaps"      // sitemaps asked for; Left are sitemaps
	LimitSitemapBytes = "max-sitemap-bytes" // bytes of a sitemap; Left are sitemaps that were longer
	LimitSitemapDepth = "sitemap-depth"     // indexes within indexes; Left are sitemaps
	LimitSitemapFails = "sitemap-fails"     // sitemaps that failed one after the other; Left are sitemaps
	LimitOrigins      = "max-origins"       // origins that are asked; Left are sitemaps on others
	LimitSiteTime     = "site-timeout"      // time for the site; Left are pages
	LimitWaiting      = "waiting"           // the site is too slow for the time spent on it; Left are pages
	LimitFault        = "fault"             // not a limit but an error in this program, which stopped the audit of the site
)

// linkLimits are the limits of following links.
var linkLimits = []string{LimitPages, LimitDepth, LimitTime, LimitPageBytes, LimitPageParts, LimitLinks, LimitSiteTime, LimitWaiting, LimitFault}

// leftUnits are what Limit.Left counts.
var leftUnits = map[string]string{
	LimitPages: "page", LimitDepth: "page", LimitTime: "page",
	LimitSiteTime: "page", LimitWaiting: "page",
	LimitURLs: "sitemap", LimitSitemaps: "sitemap", LimitSitemapDepth: "sitemap", LimitSitemapFails: "sitemap", LimitOrigins: "sitemap",
}

// endsAll reports whether nothing further was asked for once the limit was reached.
func (l Limit) endsAll() bool {
	return slices.Contains([]string{LimitSiteTime, LimitWaiting, LimitFault}, l.Name)
}

// String says where the audit stopped, as a sentence goes on: "stopped at 500 pages".
func (l Limit) String() string {
	switch l.Name {
	case LimitSitemapFails:
		return "stopped reading sitemaps after " + l.Bound
	case LimitSiteTime, LimitTime:
		return "stopped after " + l.Bound
	case LimitWaiting:
		return "stopped because the site was too slow"
	}
	return "stopped at " + l.Bound
}

// Rest says how much was found beyond the limit: "387 more pages were found"; "" = nothing.
func (l Limit) Rest() string {
	unit := leftUnits[l.Name]
	if unit == "" || l.Left == 0 {
		return ""
	}
	return wording.Plural(l.Left, "more "+unit) + wording.Verb(l.Left, " was", " were") + " found"
}

// Bound says which limits make the number of known URLs a lower bound: "stopped at 500 pages"; "" =
// none.
func (d *Done) Bound() string {
	return bounds(d.Limits, func(l Limit) bool { return l.Name != LimitLinks })
}

// LinksBound is Bound for LinkCount.
func (d *Done) LinksBound() string {
	return bounds(d.Limits, func(l Limit) bool { return slices.Contains(linkLimits, l.Name) })
}

// addLimit notes that the audit of a site reached a limit, and how many items are known beyond it.
func (s *site) addLimit(name, bound string, left int64) {
	for i := range s.done.Limits {
		if l := &s.done.Limits[i]; l.Name == name && l.Bound == bound {
			l.Left += left
			return
		}
	}
	s.done.Limits = append(s.done.Limits, Limit{name, bound, left})
}

// limitLinks notes the limits that following links reached.
func (s *site) limitLinks(b *crawl.LinkBudget) {
	if n := b.Left.Pages; n > 0 {
		s.addLimit(LimitPages, wording.Plural(int64(b.Pages), "page"), n)
	}
	if n := b.Left.Depth; n > 0 {
		depth := wording.Plural(int64(max(0, b.Depth)), "click") + " from the home page"
		if b.Depth < 0 {
			depth = "the home page"
		}
		s.addLimit(LimitDepth, depth, n)
	}
	if n := b.Left.Time; n > 0 {
		s.addLimit(LimitTime, b.Time.String(), n)
	}
	s.waitingPages = b.Left.Cancelled
	s.done.Links.Kept = b.Left.Disallowed
}

// limitPage notes the limits that reading a page reached.
func (s *site) limitPage(b *crawl.LinkBudget, p *crawl.Page) {
	if p.Code == crawl.CodeBodyTooLarge {
		s.addLimit(LimitPageBytes, wording.Thousands(b.Bytes)+" bytes of a page", 1)
	}
	for _, part := range pageParts {
		if p.Cut[part.name] {
			s.addLimit(LimitPageParts, wording.Thousands(part.most)+" "+part.name+" of a page", 1)
		}
	}
}

// pageParts are the parts of a page that have a limit.
var pageParts = []struct {
	name string
	most int64
}{{"links", crawl.MaxLinks}, {"alternates", crawl.MaxAlternates}, {"resources", crawl.MaxResources}}

// limitSitemap notes the limits that reading a sitemap reached.
func (s *site) limitSitemap(file *crawl.SitemapFile) {
	b := s.auditor.Sitemaps.WithDefaults()
	files := wording.Plural(int64(b.Files), "sitemap")
	switch file.Code {
	case crawl.CodeURLBudget:
		s.addLimit(LimitURLs, wording.Plural(b.URLs, "URL")+" of sitemaps", file.Unread)
		return
	case crawl.CodeBodyTooLarge:
		s.addLimit(LimitSitemapBytes, wording.Thousands(b.Bytes)+" bytes of a sitemap", 1)
	case crawl.CodeSitemapFails:
		s.addLimit(LimitSitemapFails, fmt.Sprintf("%d failed in a row", b.Fails), 1+file.Unread)
	case crawl.CodeSitemapOrigins:
		s.addLimit(LimitOrigins, wording.Plural(orDefault(s.auditor.Origins, 16), "origin"), 1+file.Unread)
	case crawl.CodeSitemapBudget:
		if file.Format == "" {
			s.addLimit(LimitSitemaps, files, 1+file.Unread)
		}
	}
	for _, n := range file.Notes {
		switch n.Code {
		case crawl.CodeSitemapBudget:
			s.addLimit(LimitSitemaps, files, n.Count)
		case crawl.CodeSitemapDepth:
			s.addLimit(LimitSitemapDepth, wording.Plural(b.Depth, "level")+" of sitemap indexes", n.Count)
		}
	}
}

func bounds(limits []Limit, concerned func(Limit) bool) string {
	var parts []string
	for _, l := range limits {
		if words := l.String(); concerned(l) && !slices.Contains(parts, words) {
			parts = append(parts, words)
		}
	}
	return strings.Join(parts, ", ")
}
