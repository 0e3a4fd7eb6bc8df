package expect

import (
	"robots-audit/audit"
	"robots-audit/engine"
)

// side is the robots.txt of an origin as each reader of the set has it.
type side struct {
	groups    []*engine.Group // by reader
	why       []string        // by reader: why, where no rule decides
	silent    []bool          // by reader: nothing was answered, so that nothing is known of what would be
	matrix    *engine.Matrix  // of the groups; nil until a known URL is judged
	decisions []engine.Decision
}

// newSide reads the robots.txt of an origin. Where nobody answered, a crawler may well
// be answered: what it does while it is not is no verdict to pass a gate by.
func newSide(set *Set, answers *audit.Answers, index int) side {
	var of side
	for _, r := range set.readers {
		robots := answers.Read(index, r.profile, r.robot)
		why := "no rule matches"
		if robots.Access != engine.Parsed {
			why = audit.ReadWhy(robots.Why)
		}
		file := answers.File(index, r.profile, r.robot)
		of.groups, of.why = append(of.groups, robots.Group(r.robot)), append(of.why, why)
		of.silent = append(of.silent, file.Status == 0 && file.Error != "" && robots.Access != engine.Parsed)
	}
	return of
}

// get judges one URL for one reader.
func (s *side) get(reader int, url string) Got {
	if s.silent[reader] {
		return s.got(reader, engine.Decision{})
	}
	return s.got(reader, s.groups[reader].Verdict(url))
}

// judge judges one of many URLs for all readers. The decisions are overwritten by the
// next call.
func (s *side) judge(url string) []engine.Decision {
	if s.matrix == nil {
		s.matrix = engine.NewMatrix(s.groups...)
		s.decisions = make([]engine.Decision, len(s.groups))
	}
	s.matrix.Verdicts(url, s.decisions)
	for i, silent := range s.silent {
		if silent {
			s.decisions[i] = engine.Decision{}
		}
	}
	return s.decisions
}

// got says what a reader's decision rests on.
func (s *side) got(reader int, d engine.Decision) Got {
	g := Got{Verdict: d.Verdict}
	if d.Rule != nil {
		g.Rule = *d.Rule
	} else {
		g.Why = s.why[reader]
	}
	return g
}
