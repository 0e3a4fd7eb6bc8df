package site

import (
	"cmp"
	"slices"
)

// Blocker returns the line of robots.txt that blocks most known URLs for a crawler, and
// its rule; 0 = no line blocks any.
func (s *Site) Blocker(crawler int) (origin string, line int, rule string) {
	most := int64(0)
	for _, group := range s.rules {
		if !slices.Contains(group.Crawlers, crawler) {
			continue
		}
		for _, c := range group.Counts {
			of := s.Robots(group.Origin).Origin
			if !Blocks(c.Rule) || c.Decided < most || c.Decided == 0 {
				continue
			}
			if c.Decided > most || cmp.Or(cmp.Compare(of, origin), cmp.Compare(c.Line, line)) < 0 {
				most, origin, line, rule = c.Decided, of, c.Line, c.Rule
			}
		}
	}
	return origin, line, rule
}
