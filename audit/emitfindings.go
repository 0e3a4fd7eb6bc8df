package audit

import (
	"fmt"
	"slices"

	"robots-audit/audit/internal/findings"
)

// emitFindings emits what is to be said about each robots.txt, and counts it.
func (s *site) emitFindings() {
	s.done.Findings = &Severities{}
	for _, o := range s.origins {
		if o.findings == nil {
			continue
		}
		if o.index == 0 {
			s.checkTarget(o, o.name+"/", findings.HomePage)
			s.compareRobots()
		}
		found := o.findings.Findings(s.toldBefore(o))
		list := make([]Finding, len(found))
		for i := range found {
			list[i] = Finding(found[i])
			s.done.Findings.Add(&list[i])
			s.noteGravest(o, &list[i])
		}
		o.findings = nil // the loop may take a while to come for the record
		s.emit(Record{Findings: &Findings{Origin: o.index, List: list}})
	}
}

// toldBefore reports whether an earlier origin of the site serves the very same
// file, as http and https mostly do: what the file alone shows is told once.
func (s *site) toldBefore(o *origin) bool {
	return slices.ContainsFunc(s.origins[:o.index], func(other *origin) bool {
		return o.file.SHA256 != "" && other.file.SHA256 == o.file.SHA256 && other.file.Status == o.file.Status
	})
}

// noteGravest keeps the gravest finding that says something about the site
// itself: what is odd in the file of another origin counts where it touches
// known URLs.
func (s *site) noteGravest(o *origin, f *Finding) {
	if o.index > 0 && f.URLs == 0 {
		return
	}
	if g := &s.gravest; g.ID == "" || f.Severity > g.Severity || f.Severity == g.Severity && f.URLs > g.URLs {
		s.gravest = *f
		s.gravestOrigin = ""
		if o.index > 0 {
			s.gravestOrigin = o.name
		}
	}
}

// gravestWords names the gravest finding.
func (s *site) gravestWords() string {
	f := &s.gravest
	words := fmt.Sprintf("%s %s", f.Severity, f.ID)
	if f.Line > 0 {
		words += fmt.Sprintf(" in line %d", f.Line)
	}
	if s.gravestOrigin != "" {
		words += " of the robots.txt of " + s.gravestOrigin
	}
	return words + ": " + f.What
}
