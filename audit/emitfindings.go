package audit

import (
	"fmt"

	"robots-audit/audit/internal/findings"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// emitFindings emits what is to be said about each robots.txt, and counts it.
func (s *site) emitFindings() {
	s.done.Findings, s.done.Effects = &Severities{}, &Severities{}
	for _, o := range s.origins {
		if o.findings == nil {
			continue
		}
		if o.index == 0 {
			s.checkTarget(o, o.name+"/", findings.HomePage)
			s.compareRobots()
		}
		s.makeMatrix(o)
		found := o.findings.Findings(s.fileOrigin(o) != o) // what the file alone shows is told once
		list := make([]Finding, len(found))
		for i := range found {
			list[i] = Finding(found[i])
			s.done.Findings.Add(&list[i])
			s.done.Effects.add(s.effect(&list[i]), int64(1+list[i].More))
			s.noteGravest(o, &list[i])
		}
		o.findings = nil // the loop may take a while to come for the record
		s.emit(Record{Findings: &Findings{Origin: o.index, List: list}})
	}
}

// effect is the severity by which a finding counts: where there are no known URLs,
// nothing is measured.
func (s *site) effect(f *Finding) engine.Severity {
	if s.done.URLs == 0 {
		return f.Severity
	}
	return f.Effect()
}

// noteGravest keeps the finding that changes the verdict on most known URLs.
func (s *site) noteGravest(o *origin, f *Finding) {
	if f.Severity < engine.Warning || f.Flips <= s.gravest.Flips {
		return
	}
	s.gravest, s.gravestOrigin = *f, ""
	if o = s.fileOrigin(o); o.index > 0 {
		s.gravestOrigin = o.name
	}
}

// gravestWords tell it.
func (s *site) gravestWords() string {
	f := &s.gravest
	words := s.allowedWords() + " by every crawler asked about, "
	switch {
	case s.done.BlockedAny > 0:
		words = fmt.Sprintf("the verdict on %s is perhaps a mistake", wording.Known(f.Flips))
	case f.Flips == s.done.URLs:
		words += "perhaps by mistake"
	default:
		words += wording.Thousands(f.Flips) + " of them perhaps by mistake"
	}
	switch {
	case f.Line > 0 && s.gravestOrigin != "":
		words += fmt.Sprintf(" (line %d of the robots.txt of %s)", f.Line, s.gravestOrigin)
	case f.Line > 0:
		words += fmt.Sprintf(" (line %d)", f.Line)
	}
	return words + ": " + f.What
}
