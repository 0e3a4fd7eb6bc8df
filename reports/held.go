package reports

import "robots-audit/audit"

// maxHeld bounds the bytes of records that are held for a site.
const maxHeld = 96 << 10

// add takes a record.
func (s *siteRun) add(rec audit.Record) {
	if s.book == nil {
		s.holds += held(rec)
		if s.holds <= maxHeld {
			if rec.URLs != nil { // the batch is the auditor's
				rec.URLs = rec.URLs.Clone()
			}
			s.held = append(s.held, rec)
			return
		}
		s.begin(s.run.buffers, false)
	}
	s.write(rec)
}

// held is about what a record takes while it is held.
func held(rec audit.Record) int {
	switch {
	case rec.URLs != nil:
		n := 0
		for i := range rec.URLs.List {
			u := &rec.URLs.List[i]
			n += 128 + len(u.Loc) + len(u.LastMod) + 5*len(u.Verdicts)
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

// begin writes the records that are held, and those that follow as they come;
// whole says that all are there.
func (s *siteRun) begin(b *buffers, whole bool) {
	s.buffers = b
	if s.book != nil {
		s.book.Workbook.Scratch = &b.workbook
		return
	}
	r := s.run
	s.kept = map[int]string{}
	s.book = newSiteBook(r, &b.workbook, r.temp(s.base+".spill"), s.site, s.body)
	s.book.Whole, s.book.exports = whole, len(r.Formats) > 0
	s.page = newSitePage(r, s.base, s.book)
	for _, rec := range s.held {
		s.write(rec)
	}
	s.held = nil
}
