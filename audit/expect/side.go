package expect

import (
	"robots-audit/audit"
	"robots-audit/engine"
)

// side is the robots.txt of an origin as each reader of the set reads it.
type side struct {
	readers   []audit.Reader
	silent    []bool         // by reader: there was no answer, so verdicts are unknown
	matrix    *engine.Matrix // of the groups; nil until a known URL is judged
	decisions []engine.Decision
}

// newSide reads the robots.txt of an origin. If we got no answer, crawlers may still get one. So
// the behaviour without an answer must not decide the gate.
func newSide(set *Set, answers *audit.Answers, index int) side {
	var of side
	for _, r := range set.readers {
		reader, file := answers.Reader(index, r.profile, r.robot), answers.File(index, r.profile, r.robot)
		of.readers = append(of.readers, reader)
		of.silent = append(of.silent, file.Status == 0 && file.Error != "" && reader.Robots.Access != engine.Parsed)
	}
	return of
}

// get judges one URL for one reader.
func (s *side) get(reader int, url string) audit.Verdict {
	r := &s.readers[reader]
	if s.silent[reader] {
		return r.Explain(engine.Decision{})
	}
	return r.Verdict(url)
}

// judge judges one of many URLs for all readers. The decisions are overwritten by the
// next call.
func (s *side) judge(url string) []engine.Decision {
	if s.matrix == nil {
		var groups []*engine.Group
		for _, r := range s.readers {
			groups = append(groups, r.Group)
		}
		s.matrix = engine.NewMatrix(groups...)
		s.decisions = make([]engine.Decision, len(groups))
	}
	s.matrix.Verdicts(url, s.decisions)
	for i, silent := range s.silent {
		if silent {
			s.decisions[i] = engine.Decision{}
		}
	}
	return s.decisions
}
