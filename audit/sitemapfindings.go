package audit

import (
	"cmp"
	"slices"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// SitemapFindings are the findings about one sitemap, in the order of its lines: as those of an audit,
// but at the place of the first case, which crawl.ReadSitemap and Site.LintSitemap know. More is the
// number of other cases.
func SitemapFindings(file *crawl.SitemapFile) []engine.Finding {
	list := findings.OfSitemap(file.Notes)
	if unreadable(file) {
		fault := Meaning(file.Code)
		if file.Code == crawl.CodeHTTPStatus {
			fault = statusText(file.Status)
		}
		list = append(list, findings.UnreadSitemap(fault))
	}
	slices.SortStableFunc(list, func(x, y engine.Finding) int {
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(y.Severity, x.Severity), cmp.Compare(x.Column, y.Column), cmp.Compare(x.ID, y.ID))
	})
	return list
}

// unreadable reports whether crawlers cannot read a sitemap, and no note says why.
func unreadable(file *crawl.SitemapFile) bool {
	return file.Code != "" && !NotesSay(file) && !slices.Contains(readable, file.Code)
}
