package audit

import "fmt"

// emitFindings emits what is to be said about each robots.txt, and counts it.
func (s *site) emitFindings() {
	s.done.Findings = &Severities{}
	for _, o := range s.origins {
		if o.evidence == nil {
			continue
		}
		if o.index == 0 {
			s.lookAtHome(o)
			s.lookAtTwins()
		}
		list := s.findings(o)
		for i := range list {
			s.done.Findings.Add(&list[i])
			s.weighFinding(o, &list[i])
		}
		o.evidence = nil // the loop may take a while to come for the record
		s.emit(Record{Findings: &Findings{Origin: o.index, List: list}})
	}
}

// weighFinding keeps the gravest finding that says something about the site
// itself: what is odd in the file of another origin counts where it touches
// known URLs.
func (s *site) weighFinding(o *origin, f *Finding) {
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
