package reports

import (
	"robots-audit/audit"
	"robots-audit/reports/internal/site"
)

// maxHeld bounds the bytes of records that are held for a site.
const maxHeld = 96 << 10

// take takes a record.
func (s *siteRun) take(rec audit.Record) {
	if s.data == nil {
		s.heldBytes += heldSize(rec)
		if s.heldBytes <= maxHeld {
			if rec.URLs != nil { // the batch is the auditor's
				rec.URLs = rec.URLs.Clone()
			}
			s.held = append(s.held, rec)
			return
		}
		s.begin(false)
	}
	s.write(rec)
}

// heldSize is about what a record takes while it is held.
func heldSize(rec audit.Record) int {
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
func (s *siteRun) begin(whole bool) {
	if s.data != nil {
		return
	}
	s.data = site.New(s.site, s.body)
	s.outputs = s.newOutputs(whole)
	for _, out := range s.outputs {
		s.told = append(s.told, out)
	}
	for _, rec := range s.held {
		s.write(rec)
	}
	s.held = nil
}
