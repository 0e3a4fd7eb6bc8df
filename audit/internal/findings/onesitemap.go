package findings

import (
	"robots-audit/crawl"
	"robots-audit/engine"
)

// OfSitemap are the findings of the notes on one sitemap, each at the place of its first case.
func OfSitemap(notes []crawl.Note) (list []engine.Finding) {
	for i := range notes {
		n := &notes[i]
		fault, needed := faultOf(n, notes)
		if !needed {
			continue
		}
		found := sitemapFinding(fault.id, fault.severity, fault.one)
		if n.Detail != "" {
			found.What += ": " + n.Detail
		}
		if n.Line > 0 {
			found.Line, found.Column, found.Byte = int(n.Line), int(max(n.Column, 1)), n.Byte
			found.EndColumn = found.Column
		}
		if fault.of != ofSitemaps {
			found.More = int(n.Count - 1)
		}
		list = append(list, found)
	}
	return list
}

// UnreadSitemap is the finding about a sitemap that crawlers cannot read.
func UnreadSitemap(fault string) engine.Finding {
	kind, _ := engine.FindingKindByID(SitemapUnreadable)
	return sitemapFinding(SitemapUnreadable, kind.Severity, "sitemap cannot be read: "+fault)
}

// sitemapFinding is a finding about a sitemap, for all crawlers.
func sitemapFinding(id string, severity engine.Severity, what string) engine.Finding {
	kind, _ := engine.FindingKindByID(id)
	found := kind.Finding()
	found.Severity, found.What, found.Profiles = severity, what, kind.Profiles
	return found
}
