package audit

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit/internal/hreflang"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// declared returns the site's Sitemap lines.
func (s *site) declared() []crawl.DeclaredSitemap {
	var found []crawl.DeclaredSitemap
	for _, line := range s.origins[0].sitemaps {
		found = append(found, crawl.DeclaredSitemap{URL: line.URL, Line: line.Line})
	}
	return found
}

// walk reads sitemaps and all sitemaps that they lead to.
func (s *site) walk(from []crawl.DeclaredSitemap) {
	before := s.done.Sitemaps // number of sitemaps of an earlier walk
	budget := s.auditor.Sitemaps
	budget.Allowed, budget.Page = s.mayRead, s.mayFetch
	for item := range s.fetch.Sitemaps(s.ctx, from, budget) {
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

// sitemapURL processes one URL of a sitemap.
func (s *site) sitemapURL(item crawl.SitemapItem) {
	tally := s.tally(item.Sitemap)
	if item.URL.First {
		s.languages().Begin()
	}
	if reason := item.URL.LeftOut; reason != "" {
		s.languages().Skip()
		s.leaveOut(tally, reason, 1)
		return
	}
	if item.URL.Kind == crawl.KindLoc || s.auditor.Kinds == nil || slices.Contains(s.auditor.Kinds, item.URL.Kind) {
		s.addURL(tally, item.Sitemap, item.URL)
		s.addHreflang(item.URL)
		return
	}
	s.done.KindsSkipped++
}

// sitemapFile processes the end of a sitemap, after its last URL.
func (s *site) sitemapFile(file *crawl.SitemapFile) {
	s.judgeAll()
	s.endHreflang(hreflang.Source{URL: file.URL, Line: file.Line})
	t := s.tally(file.Index)
	delete(s.perSitemap, file.Index)
	s.countFails(file)
	s.second.noteSitemap(file)
	if head, _, reason := split([]byte(file.URL)); reason == "" && s.isOwn(head) {
		s.samples.noteSitemap(file) // others are not requested as crawlers
	}
	absent := s.noteAbsent(file)
	if absent && s.search.first != nil {
		return // one row for missing sitemaps is enough; the problem names all paths
	}
	s.dropOutsideNote(file)
	s.noteHosts(file)
	t.SitemapFile = *file
	if head, _, reason := split([]byte(file.URL)); reason == "" {
		if o, why := s.origin(head); why == "" && (o.asked || file.Status != 0) {
			s.ask(o)
			t.judgeItself(o)
		}
	}
	for _, note := range file.Notes {
		if note.Code == crawl.NoteEmptyLoc || note.Code == crawl.NoteMissingLoc {
			s.leaveOut(t, LeftEmpty, note.Count)
		}
	}
	if file.Code == crawl.CodeURLBudget {
		s.leaveOut(t, LeftBudget, 1) // the URL at which reading stopped
	}
	s.done.Sitemaps++
	s.emit(Record{Sitemap: t})
	if absent {
		s.search.first = file
		return // judged at the end of the search
	}
	s.judgeSitemap(file)
	s.judgeSelf(t)
	s.checkIndexed(t)
}

// judgeSitemap notes what went wrong with a sitemap.
func (s *site) judgeSitemap(file *crawl.SitemapFile) {
	s.limitSitemap(file)
	if file.Code == CodeWrongHost && s.unrequested == "" {
		s.unrequested = file.URL
	}
	s.done.SitemapsUnread += file.Unread
	if file.Format != "" && file.Status/100 == 2 {
		s.done.SitemapsRead++
	} else {
		s.done.SitemapsUnread++
	}
	// At /sitemap.xml, any failure other than "not found" is worth its own problem.
	expected := file.Code == crawl.CodeHTTPStatus && notFound(file.Status) || !strings.HasSuffix(file.URL, commonPaths[0])
	switch {
	case file.Code == "":
	case file == s.search.first && expected:
		s.done.SitemapsUnread--
		code, detail := s.noSitemap()
		s.problem(StageSitemap, code, file.URL, detail)
		return
	default:
		s.problem(StageSitemap, file.Code, file.URL, file.Detail)
	}
	s.checkSitemap(file)
}

// judgeItself sets the verdicts on the sitemap itself, or on the first target of its redirects that is
// blocked: redirects end there for a crawler.
func (t *Sitemap) judgeItself(o *origin) {
	urls := []string{t.URL}
	for _, hop := range t.Hops {
		if hop.URL != t.URL && strings.HasPrefix(hop.URL, o.name+"/") {
			urls = append(urls, hop.URL)
		}
	}
	for n, url := range urls {
		verdicts, lines := o.verdicts(url)
		blocked := slices.Contains(verdicts, engine.Disallow)
		if n == 0 || blocked {
			t.Self, t.SelfLines = verdicts, lines
		}
		if n > 0 && blocked {
			t.BlockedTarget = url
		}
		if blocked {
			return
		}
	}
}

// CodeSitemapBlocked marks a sitemap that robots.txt blocks for crawlers.
const CodeSitemapBlocked = "sitemap_blocked"

// judgeSelf notes a sitemap that is itself blocked. The audit reads it anyway, and says so.
func (s *site) judgeSelf(t *Sitemap) {
	var names []string
	line := int32(0)
	for i, v := range t.Self {
		if v == engine.Disallow && !s.origins[0].reads[i].BlocksRoot { // a crawler that is blocked everywhere needs no sitemap
			names = append(names, s.auditor.Crawlers[i].Label)
			line = max(line, t.SelfLines[i])
		}
	}
	if len(names) == 0 || line == 0 { // line 0: everything is blocked, not only the sitemap
		return
	}
	s.blockedSitemaps++
	detail := fmt.Sprintf("blocked from crawling for %s by line %d of robots.txt", strings.Join(names, ", "), line)
	if t.BlockedTarget != "" {
		detail = "it redirects to " + t.BlockedTarget + ", which is " + detail
	}
	if t.Status != 0 {
		detail += "; this audit read it anyway"
	}
	s.problem(StageSitemap, CodeSitemapBlocked, t.URL, detail)
}
