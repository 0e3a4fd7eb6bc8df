package audit

import (
	"cmp"
	"context"
)

// CodeTriedTooOften marks a site whose audit started several times and never finished, for any
// reason.
const CodeTriedTooOften = "tried_too_often"

// GivenUp returns the records of a site that is no longer audited, because all tries failed for a
// reason outside its answers and records. Its state is unknown, and its one problem says why. The
// site gets no request.
func (a *Auditor) GivenUp(d Domain, ordinal int, why string) (records []Record) {
	s := newSite(context.Background(), a, d, ordinal, func(rec Record) bool {
		records = append(records, rec)
		return true
	})
	defer s.fetch.Close()
	s.emit(Record{Site: &Site{Name: d.Name, Line: d.Line, Ordinal: ordinal, Crawlers: a.Crawlers, Started: s.now()}})
	s.done.Origin = d.Origin(cmp.Or(d.Scheme, "https"))
	s.problem(StageAudit, CodeTriedTooOften, "", why)
	s.finish()
	return records
}
