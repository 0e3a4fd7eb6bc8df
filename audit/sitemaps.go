package audit

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// declared returns the site's Sitemap lines, or the usual place where it has none.
func (s *site) declared() []crawl.DeclaredSitemap {
	if len(s.origins[0].sitemaps) == 0 {
		if s.domain.Scheme == "ftp" {
			return nil // sitemaps come by http and https
		}
		return s.usualPlace()
	}
	var found []crawl.DeclaredSitemap
	for _, line := range s.origins[0].sitemaps {
		found = append(found, crawl.DeclaredSitemap{URL: line.URL, Line: line.Line})
	}
	return found
}

// usualPlace is where a sitemap lies that no robots.txt names.
func (s *site) usualPlace() []crawl.DeclaredSitemap {
	return []crawl.DeclaredSitemap{{URL: s.origins[0].name + "/sitemap.xml"}}
}

// walk reads sitemaps and all they lead to.
func (s *site) walk(from []crawl.DeclaredSitemap) {
	before := s.done.Sitemaps // the indices of an earlier walk
	for item := range s.fetch.Sitemaps(s.ctx, from, s.auditor.Sitemaps) {
		if item.URL != nil {
			item.Sitemap += before
			s.sitemapURL(item)
			continue
		}
		item.File.Index += before
		if item.File.Parent >= 0 {
			item.File.Parent += before
		}
		s.sitemapFile(item.File)
	}
}

// sitemapURL takes one URL of a sitemap.
func (s *site) sitemapURL(item crawl.SitemapItem) {
	tally := s.tally(item.Sitemap)
	if reason := item.URL.LeftOut; reason != "" {
		s.leaveOut(tally, reason, 1)
		return
	}
	if item.URL.Kind == crawl.KindLoc || s.auditor.Kinds == nil || slices.Contains(s.auditor.Kinds, item.URL.Kind) {
		s.add(tally, item.Sitemap, item.URL)
	}
}

// sitemapFile takes the end of a sitemap: all its URLs have been handed out.
func (s *site) sitemapFile(file *crawl.SitemapFile) {
	s.judgeAll()
	t := s.tally(file.Index)
	delete(s.perSitemap, file.Index)
	s.submitted.end(file, t.LeftOut[LeftOrigins])
	t.SitemapFile = *file
	if head, _, reason := split([]byte(file.URL)); reason == "" {
		if o, why := s.origin(head); why == "" && (o.asked || file.Status != 0) {
			s.ask(o)
			for _, g := range o.groups {
				d := g.Verdict(file.URL)
				t.Self = append(t.Self, d.Verdict)
				t.SelfLines = append(t.SelfLines, int32(d.Line()))
			}
		}
	}
	for _, note := range file.Notes {
		if note.Code == crawl.NoteEmptyLoc {
			s.leaveOut(t, LeftEmpty, note.Count)
		}
	}
	s.done.Sitemaps++
	s.emit(Record{Sitemap: t})
	s.judgeSitemap(file)
	s.judgeSelf(t)
	s.lookAtBlocked(t)
}

// judgeSitemap notes what went wrong with a sitemap.
func (s *site) judgeSitemap(file *crawl.SitemapFile) {
	read := file.Format != "" && file.Status/100 == 2
	if read {
		s.readable++
	} else {
		s.unreadable++
	}
	defaultPlace := file.Parent < 0 && file.Line == 0
	switch {
	case file.Code == "":
	case defaultPlace && file.Code == crawl.CodeHTTPStatus && (file.Status == 404 || file.Status == 410):
		s.unreadable--
		s.problem(StageSitemap, crawl.CodeSitemapNotFound, file.URL, "robots.txt names no sitemap and there is none at the usual place")
		return
	default:
		s.problem(StageSitemap, file.Code, file.URL, file.Detail)
	}
	s.lookAtSitemap(file)
}

// CodeSitemapBlocked marks a sitemap that robots.txt keeps crawlers from fetching.
const CodeSitemapBlocked = "sitemap_blocked"

// judgeSelf notes a sitemap that is itself blocked: we read it all the same,
// and say so.
func (s *site) judgeSelf(t *Sitemap) {
	var names []string
	line := int32(0)
	for i, v := range t.Self {
		if v == engine.Disallow && !s.origins[0].reads[i].BlocksRoot { // who is shut out wants no sitemap
			names = append(names, s.auditor.Crawlers[i].Label)
			line = max(line, t.SelfLines[i])
		}
	}
	if len(names) == 0 || line == 0 { // line 0: not the sitemap, all is blocked
		return
	}
	s.blockedSitemaps++
	s.problem(StageSitemap, CodeSitemapBlocked, t.URL, fmt.Sprintf("blocked from crawling for %s by line %d of robots.txt; it was read all the same", strings.Join(names, ", "), line))
}
