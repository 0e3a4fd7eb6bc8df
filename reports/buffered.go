package reports

import (
	"cmp"
	"sync"
	"unicode/utf8"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
)

// maxBuffered bounds the bytes of a site's records that are buffered in memory.
const maxBuffered = 96 << 10

// batches is a pool of URL batches for buffered records.
var batches = sync.Pool{New: func() any { return new(audit.URLs) }}

// addRecord buffers a record, or writes it once the buffered ones are too many.
func (s *siteRun) addRecord(rec audit.Record) {
	if s.data == nil {
		s.bufferedBytes += bufferedSize(rec)
		if s.bufferedBytes <= maxBuffered {
			if rec.URLs != nil { // the batch belongs to the auditor
				kept := batches.Get().(*audit.URLs)
				rec.URLs.CopyTo(kept)
				rec.URLs = kept
			}
			s.buffered = append(s.buffered, rec)
			return
		}
		s.begin(nil)
	}
	s.write(rec)
}

// bufferedSize estimates the bytes that a record takes while it is buffered.
func bufferedSize(rec audit.Record) int {
	switch {
	case rec.URLs != nil:
		n := 0
		for i := range rec.URLs.List {
			u := &rec.URLs.List[i]
			n += 144 + len(u.Loc) + len(u.LastMod) + len(u.Written) + 5*len(u.Verdicts)
		}
		return n
	case rec.Robots != nil:
		return 1024 + len(rec.Robots.File.Body) + 64*len(rec.Robots.Rules) + 256*len(rec.Robots.Reads)
	case rec.Findings != nil:
		return 512 * len(rec.Findings.List)
	case rec.Rules != nil:
		return 64 * len(rec.Rules.Counts)
	case rec.Page != nil:
		return 4096
	}
	return 1024
}

// begin writes the buffered records; later records are written as they come. done is nil while
// records are still to come.
func (s *siteRun) begin(done *audit.Done) {
	if s.data != nil {
		return
	}
	s.leftOut = !s.wanted(done)
	if s.demanded {
		s.err = cmp.Or(s.run.makeFoldersOfSites(), s.run.makeAssets())
	}
	s.addPast()
	s.watch()
	s.data = site.New(s.site, s.body)
	s.data.RunStarted, s.data.NotesEdited = s.run.Started, s.notesEdited
	s.data.CountSegments(s.run.segments)
	for _, kind := range outputKinds {
		if s.leftOut || !s.run.writes(kind.name) || s.run.pagesOnly && kind.name != kindPage {
			continue
		}
		out := kind.begin(s, done != nil)
		s.outputs, s.recordOutputs = append(s.outputs, out), append(s.recordOutputs, out)
	}
	for _, rec := range s.buffered {
		if rec.Sitemap != nil && done != nil { // its URLs come before it
			if !utf8.ValidString(rec.Sitemap.URL) {
				rec = asWritten(rec, audit.Encode(nil, rec))
			}
			s.data.NameSitemap(rec.Sitemap)
		}
	}
	for _, rec := range s.buffered {
		s.write(rec)
		if rec.URLs != nil {
			batches.Put(rec.URLs)
		}
	}
	s.buffered = nil
}
