package migration

import (
	"robots-audit/audit/migrate"
	"robots-audit/engine/wording"
)

// never is the gate that never fails.
const never = "never"

// Gates are the values of Failing: severities, and "never".
var Gates = []string{string(migrate.Critical), string(migrate.Error), string(migrate.Warning), string(migrate.Info), never}

// Failing returns how much fails a gate: pairs and leaks of at least its severity, important URLs
// that fail, and expectations that are not met. It does not count unclear results.
func (s *Summary) Failing(gate string) int64 {
	if gate == never {
		return 0
	}
	least := migrate.Severity(gate)
	n := s.Totals.AtLeast(least) + s.Totals.ImportantFailing
	for _, l := range s.Leaks {
		if l.Severity != migrate.Unknown && l.Severity.AtLeast(least) {
			n++
		}
	}
	if s.Expectations != nil {
		n += s.Expectations.Failing
	}
	return n
}

// Unclear reports whether a result is unclear.
func (s *Summary) Unclear() bool {
	return s.Totals.Unknown > 0 || s.Left > 0 || s.Expectations != nil && s.Expectations.Unclear > 0
}

// Lines returns a short text on the check: its headline, and the first classes and leaks. Nothing
// in it is escaped.
func (s *Summary) Lines(most int) []string {
	lines := []string{s.Totals.Headline()}
	for _, c := range s.Classes[:min(len(s.Classes), most)] {
		if c.Class != migrate.ClassOK {
			lines = append(lines, "  "+c.Words+": "+wording.Plural(c.Pairs, "pair"))
		}
	}
	for _, l := range s.Leaks[:min(len(s.Leaks), most)] {
		lines = append(lines, "  "+l.Words)
	}
	return lines
}
