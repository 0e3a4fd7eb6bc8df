package audit

import (
	"cmp"
	"context"
)

// CodeTriedTooOften marks a site whose audit was begun several times and never came to its end,
// whatever ended the program each time.
const CodeTriedTooOften = "tried_too_often"

// GivenUp returns the records of a site that is not audited any more since all tries have failed
// for a reason that lies neither in its answers nor in its records: it is unknown, and its one
// problem says why. The site is not asked.
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
