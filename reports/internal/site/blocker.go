package site

import (
	"cmp"
	"slices"
)

// Blocker returns the line of robots.txt that blocks the pages with most clicks for a crawler, or
// otherwise most URLs, and its rule; 0 = no line blocks any.
func (s *Site) Blocker(crawler int) (origin string, line int, rule string) {
	most, mostClicks := int64(0), int64(0)
	for _, group := range s.rules {
		if !slices.Contains(group.Crawlers, crawler) {
			continue
		}
		for _, c := range group.Counts {
			if !Blocks(c.Rule) || c.Decided == 0 {
				continue
			}
			of, clicks := s.Robots(group.Origin).Origin, int64(0)
			if b := s.blocking[s.firstLine(originLine{s.FileOf(group.Origin).Index, c.Line})]; b != nil && b.crawlerClicks != nil {
				clicks = b.crawlerClicks[crawler]
			}
			if cmp.Or(cmp.Compare(mostClicks, clicks), cmp.Compare(most, c.Decided), cmp.Compare(of, origin), cmp.Compare(c.Line, line)) < 0 {
				most, mostClicks, origin, line, rule = c.Decided, clicks, of, c.Line, c.Rule
			}
		}
	}
	return origin, line, rule
}
