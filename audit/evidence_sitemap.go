package audit

import (
	"fmt"
	"slices"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// notTheirs are codes of bounds and interruptions of our own, which say nothing
// about a sitemap; and of what is no URL, of which Lint tells.
var notTheirs = []string{
	crawl.CodeBadURL, crawl.CodeSitemapOrigins, crawl.CodeDisallowed,
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
	for _, note := range file.Notes {
		if note.Code == crawl.NoteNotWellFormed {
			e.hit("SM008", int32(file.Line), s.illFormed(file.Line, note), file.URL)
		} else if words := entryFaults[note.Code]; words != "" {
			e.hit("SM009", int32(file.Line), words, file.URL)
		}
	}
}

// entryFaults say what is wrong with entries of a sitemap, by the code of its note.
var entryFaults = map[string]string{
	crawl.NoteMissingLoc:      "entries that name no URL",
	crawl.NoteEmptyLoc:        "entries whose loc is empty",
	crawl.NoteMisplacedLoc:    "URLs in another place than an entry's loc",
	crawl.NoteNoHost:          "URLs without a host",
	crawl.NoteRelativeLoc:     "URLs that are not absolute",
	crawl.NoteOutside:         "URLs outside of the sitemap's directory, and that host's robots.txt does not name the sitemap",
	crawl.NoteInvalidLastMod:  "a lastmod that is no W3C datetime",
	crawl.NoteIncompleteNews:  "news without a field that Google demands",
	crawl.NoteIncompleteVideo: "videos without a field that Google demands",
	crawl.NoteIncompleteImage: "images without a loc",
}

// maxIllFormed bounds the Sitemap lines for which the first fault is kept.
const maxIllFormed = 1000

// illFormed returns where the first of the sitemaps that a line leads to is
// not well-formed; line 0 stands for those that no line names.
func (s *site) illFormed(line int, note crawl.Note) string {
	if first, ok := s.faults[line]; ok {
		return first
	}
	if len(s.faults) == maxIllFormed {
		return ""
	}
	if s.faults == nil {
		s.faults = map[int]string{}
	}
	s.faults[line] = fmt.Sprintf("line %d, byte %d: %s", note.Line, note.Byte, note.Detail)
	return s.faults[line]
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
