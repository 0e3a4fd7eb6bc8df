package audit

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// commonPaths are the usual places of sitemaps that no robots.txt names, in the order of the
// search: the protocol's example, the index of Yoast and other plugins, WordPress's own, and other
// formats that the protocol allows.
var commonPaths = []string{"/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml", "/sitemap.xml.gz", "/sitemap.txt"}

// NoteUndeclared is the code of a note on a sitemap that robots.txt does not name, found at one of
// the common paths.
const NoteUndeclared = "undeclared"

// CodeSitemapUnread marks a site whose robots.txt names sitemaps only in lines that crawlers
// ignore, and that has none at the common paths.
const CodeSitemapUnread = "sitemap_line_unread"

// sitemapSearch is the search at the common paths.
type sitemapSearch struct {
	on    bool               // the search is running
	first *crawl.SitemapFile // the first missing sitemap
	tried []string           // the paths of all missing ones
	ended bool               // the search found a sitemap, or an error
}

// searchSitemap requests a sitemap at the common paths, one after the other, until it finds one, or
// an error that more requests would make worse. It skips paths that robots.txt blocks for this
// program, except the first, which is commonly requested.
func (s *site) searchSitemap() {
	own := s.origins[0]
	s.search.on = true
	for i, path := range commonPaths {
		url := own.name + path
		if slices.ContainsFunc(own.sitemaps, func(l SitemapLine) bool { return sameURL(l.URL, url) }) {
			continue // already requested
		}
		if d := own.self.Verdict(url); i > 0 && d.Verdict == engine.Disallow && d.Line() > 0 {
			continue
		}
		s.walk([]crawl.DeclaredSitemap{{URL: url}})
		if s.search.ended || s.ctx.Err() != nil {
			break
		}
	}
	s.search.on = false
	if first := s.search.first; first != nil && s.done.SitemapsRead == 0 {
		s.judgeSitemap(first)
	}
}

// noteAbsent processes the end of a sitemap at one of the common paths, and reports whether there
// is none. Any other result ends the search.
func (s *site) noteAbsent(file *crawl.SitemapFile) bool {
	if !s.search.on || file.Parent >= 0 || s.search.ended {
		return false
	}
	gone := file.Code == crawl.CodeHTTPStatus && file.Status/100 == 4 && file.Status != 429
	if !gone && file.Code != crawl.CodeNotASitemap && file.Code != crawl.CodeEmptyFile { // such as the site's own "not found" page
		s.search.ended = true
		if file.Format != "" {
			file.Notes = append(file.Notes, crawl.Note{Code: NoteUndeclared, Count: 1, Detail: "robots.txt names no sitemap that could be read"})
		}
		return false
	}
	s.search.tried = append(s.search.tried, strings.TrimPrefix(file.URL, s.origins[0].name))
	return true
}

// noSitemap says why the site has no readable sitemap.
func (s *site) noSitemap() (code, detail string) {
	own := s.origins[0]
	code, detail = crawl.CodeSitemapNotFound, "robots.txt names no sitemap"
	if own.file.Truncated {
		detail = "the part of robots.txt that could be read names no sitemap"
	}
	whole := func(l SitemapLine) bool { _, err := crawl.ResolveURL(l.URL); return err == nil }
	if slices.ContainsFunc(own.sitemaps, whole) {
		detail = "no sitemap in robots.txt could be read"
	} else if found := unreadSitemap(own.findings.Lint()); found != nil {
		code = CodeSitemapUnread
		detail = fmt.Sprintf("robots.txt names no sitemap that crawlers can use: line %d, %q", found.Line, escape.ShowInvalid(found.Text[:min(len(found.Text), 80)]))
	}
	return code, detail + ", and there is none at " + strings.Join(s.search.tried, ", ")
}

// unreadSitemap returns the first finding about a Sitemap line that crawlers ignore; nil = none.
func unreadSitemap(lint []engine.Finding) *engine.Finding {
	var first *engine.Finding
	for i := range lint {
		f := &lint[i]
		switch f.ID {
		case findings.SitemapNotAbsolute, findings.SitemapLineUnread, findings.SitemapBeyondLimit:
			if first == nil || f.Line < first.Line {
				first = f
			}
		}
	}
	return first
}
