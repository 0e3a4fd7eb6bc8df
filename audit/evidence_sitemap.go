package audit

import (
	"slices"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// notTheirs are codes of bounds and interruptions of our own, which say nothing
// about a sitemap; and of what is no URL, of which Lint tells.
var notTheirs = []string{
	crawl.CodeBadURL,
	crawl.CodeSitemapBudget, crawl.CodeURLBudget, crawl.CodeSitemapDepth, crawl.CodeCancelled, crawl.CodeInternal, crawl.CodeBlockedAddress,
}

// lookAtSitemap notes a sitemap that crawlers cannot read, or that has nothing
// in it.
func (s *site) lookAtSitemap(file *crawl.SitemapFile) {
	e := s.origins[0].evidence
	about := ""
	for _, note := range file.Notes {
		if note.Code == crawl.NoteEmptyFile || note.Code == crawl.NoteEmptySitemap {
			about = "empty"
		}
	}
	if file.Code != "" && !slices.Contains(notTheirs, file.Code) {
		about = file.Code
		if file.Code == crawl.CodeHTTPStatus {
			about = statusText(file.Status)
		}
	}
	if about != "" {
		e.hit("SM003", int32(file.Line), about, file.URL)
	}
}

// lookAtBlocked notes a sitemap that an index names and the rules block. Of
// those that a Sitemap line names, Lint tells.
func (s *site) lookAtBlocked(t *Sitemap) {
	if t.Parent < 0 {
		return
	}
	o := s.readOrigin(t.URL)
	if o == nil {
		return
	}
	for i, v := range t.Self {
		if v == engine.Disallow && t.SelfLines[i] > 0 && o.evidence.seeking[i] && !o.reads[i].BlocksRoot {
			o.evidence.hit("SM002", t.SelfLines[i], "", t.URL)
			return
		}
	}
}
