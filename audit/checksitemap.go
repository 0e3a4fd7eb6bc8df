package audit

import (
	"fmt"
	"slices"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// ownBounds are codes of bounds and interruptions of our own, which say nothing
// about a sitemap; and of what is no URL, of which Lint tells.
var ownBounds = []string{
	crawl.CodeBadURL, crawl.CodeSitemapOrigins, crawl.CodeDisallowed,
	crawl.CodeSitemapBudget, crawl.CodeURLBudget, crawl.CodeSitemapDepth, crawl.CodeCancelled, crawl.CodeInternal, crawl.CodeBlockedAddress,
}

// checkSitemap notes a sitemap that crawlers cannot read, or that has nothing
// in it.
func (s *site) checkSitemap(file *crawl.SitemapFile) {
	own := s.origins[0].findings
	fault := ""
	for _, note := range file.Notes {
		if note.Code == crawl.NoteEmptyFile || note.Code == crawl.NoteEmptySitemap {
			fault = "empty"
		}
	}
	if file.Code != "" && !slices.Contains(ownBounds, file.Code) && s.ctx.Err() == nil { // what was read when the site's time was over says nothing, either
		fault = Meaning(file.Code)
		if file.Code == crawl.CodeHTTPStatus {
			fault = statusText(file.Status)
		}
	}
	if fault != "" {
		own.AddOccurrence(findings.SitemapUnreadable, int32(file.Line), fault, file.URL)
	}
	for _, note := range file.Notes {
		if note.Code == crawl.NoteNotWellFormed {
			own.AddOccurrence(findings.SitemapNotWellFormed, int32(file.Line), s.illFormed(file.Line, note), file.URL)
		} else if id := entriesTold[note.Code]; id != "" {
			own.AddOccurrences(id, int32(file.Line), s.firstOf(id, file.Line, note.Detail), file.URL, note.Count)
		} else if fault := entryFaults[note.Code]; fault != "" {
			own.AddOccurrence(findings.SitemapEntriesFaulty, int32(file.Line), fault, file.URL)
		}
	}
}

// entryFaults say what is wrong with entries of a sitemap, by the code of its note.
var entryFaults = map[string]string{
	crawl.NoteMissingLoc:      "entries that name no URL",
	crawl.NoteEmptyLoc:        "entries whose loc is empty",
	crawl.NoteMisplacedLoc:    "URLs in another place than an entry's loc",
	crawl.NoteNoHost:          "URLs without a host",
	crawl.NoteNoURL:           "entries that are no URL",
	crawl.NoteOutside:         "URLs outside of the sitemap's directory, and that host's robots.txt does not name the sitemap",
	crawl.NoteInvalidLastMod:  "a lastmod that is no W3C datetime",
	crawl.NoteIncompleteNews:  "news without a field that Google demands",
	crawl.NoteIncompleteVideo: "videos without a field that Google demands",
	crawl.NoteIncompleteImage: "images without a loc",
}

// entriesTold are the findings that count entries, by the code of their note.
var entriesTold = map[string]string{
	crawl.NoteUnresolved:  findings.SitemapURLsUnresolved,
	crawl.NoteRelativeLoc: findings.SitemapURLsRelative,
}

// faultPlace is where the first fault of a kind is kept: by the id of its finding and the Sitemap line.
type faultPlace struct {
	id   string
	line int // 0 stands for the sitemaps that no line names
}

// maxFaults bounds the faults that are kept.
const maxFaults = 1000

// illFormed returns where the first of the sitemaps that a line leads to is
// not well-formed.
func (s *site) illFormed(line int, note crawl.Note) string {
	return s.firstOf(findings.SitemapNotWellFormed, line, fmt.Sprintf("line %d, byte %d: %s", note.Line, note.Byte, note.Detail))
}

// firstOf returns the first fault of a kind that was told of the sitemaps that a line
// leads to, which fault may be.
func (s *site) firstOf(id string, line int, fault string) string {
	place := faultPlace{id, line}
	if first, ok := s.faults[place]; ok {
		return first
	}
	if len(s.faults) == maxFaults {
		return ""
	}
	if s.faults == nil {
		s.faults = map[faultPlace]string{}
	}
	s.faults[place] = fault
	return fault
}

// checkIndexed notes a sitemap that an index names and the rules block. Of
// those that a Sitemap line names, Lint tells.
func (s *site) checkIndexed(t *Sitemap) {
	if t.Parent < 0 {
		return
	}
	o := s.readOrigin(t.URL)
	if o == nil {
		return
	}
	var lines []int32
	for i, v := range t.Self {
		if v == engine.Disallow && t.SelfLines[i] > 0 && o.findings.FindsPages(i) && !o.reads[i].BlocksRoot {
			lines = append(lines, t.SelfLines[i])
		}
	}
	o.findings.AddBlocked(findings.IndexedSitemapBlocked, lines, t.URL)
}
