package site

import (
	"slices"

	"robots-audit/audit"
	"robots-audit/engine"
)

// parsed is an origin's robots.txt, parsed with the profiles of the run's crawlers, for facts that
// are not in the records, such as the runner-up of a verdict. It is made when it is first needed.
type parsed struct {
	groups     []*engine.Group // the group of each crawler; nil = this program does not know its profile
	firstAlike []int           // for each crawler, the first one with the same group and the same profile
}

// maxParsed bounds the parsed files of one site that are in memory.
const maxParsed = 16

// parse returns an origin's robots.txt, parsed with the crawlers' profiles.
func (s *Site) parse(origin int) *parsed {
	if r := s.parsed[origin]; r != nil {
		return r
	}
	if len(s.parsed) >= maxParsed {
		s.parsed = nil
		s.answers.Forget()
	}
	r := &parsed{groups: make([]*engine.Group, len(s.Crawlers))}
	obeyed := s.Robots(origin).Obeyed()
	for i := range s.Crawlers {
		r.firstAlike = append(r.firstAlike, i)
		c, p, ok := s.Crawlers[i].Robot()
		if !ok {
			continue
		}
		if obeyed != nil {
			r.groups[i] = obeyed[i]
		} else {
			r.groups[i] = s.answers.Read(origin, p, c).Group(c)
		}
		for k := range i {
			if r.groups[k] != nil && r.groups[i].Reread(0) == "" && s.Crawlers[k].Profile == p.Name && slices.Equal(r.groups[k].Rules, r.groups[i].Rules) {
				r.firstAlike[i] = k
				break
			}
		}
	}
	if s.parsed == nil {
		s.parsed = map[int]*parsed{}
	}
	s.parsed[origin] = r
	return r
}

// ruleGroups returns the groups of the rules in an origin's robots.txt.
func (s *Site) ruleGroups(r *audit.Robots) []audit.RuleGroup {
	return s.answers.RuleGroups(r, s.Crawlers)
}

// Reader returns an origin's robots.txt as a crawler reads it by its own profile; false = it is not known.
func (s *Site) Reader(origin int, c engine.Crawler) (audit.Reader, bool) {
	p, ok := engine.ProfileByName(c.Profile)
	r := s.Robots(origin)
	if !ok || !Answered(r) || r.File.Status == 200 && r.File.Bytes > 0 && len(s.Body(origin)) == 0 {
		return audit.Reader{}, false
	}
	return s.answers.Reader(origin, p, c), true
}
