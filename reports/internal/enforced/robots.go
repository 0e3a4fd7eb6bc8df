package enforced

import (
	"fmt"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// Words of Crawler.Robots.
const (
	allowed = "allowed"
	partly  = "partly blocked"
	blocked = "blocked"
	unknown = "unknown"
)

// readRobots sets what robots.txt says to a crawler.
func (s *Site) readRobots(c *Crawler) {
	c.verdicts = make([]engine.Verdict, len(s.URLs))
	c.Robots = unknown
	own, ok := s.site.Reader(0, c.robot)
	if !ok {
		return
	}
	read := &audit.PolicyRead{GroupReason: own.Group.Reason, GroupTokens: own.Group.Tokens}
	c.group = site.PolicyCrawler{Crawler: &c.robot, Read: read}
	if s.otherRobots(c) {
		return
	}
	var decides audit.Verdict // the first that blocks, or that has a rule
	for u, origin := range s.origins {
		r := own
		if origin != 0 {
			if r, ok = s.site.Reader(origin, c.robot); !ok {
				continue
			}
		}
		v := r.Verdict(s.URLs[u].URL)
		c.verdicts[u] = v.Verdict
		if decides.Verdict != engine.Disallow && (v.Verdict == engine.Disallow || decides.Rule.Line == 0) {
			decides = v
		}
	}
	c.Robots, c.Rule = s.access(c), decides.Why
	if decides.Rule.Line > 0 {
		c.Rule = fmt.Sprintf("line %d: %s", decides.Rule.Line, label(decides.Rule.String()))
	}
	if decides.Verdict != engine.Disallow && (c.Robots == partly || c.Robots == blocked) {
		c.Rule = "by rules for other URLs"
	}
}

// reachWords are values of site.Policy.Access. If it says only that the home page is allowed, the pages asked say more.
var reachWords = map[string]string{
	site.ReachAll: allowed, site.ReachPart: partly, site.ReachNone: blocked, site.HomeBlocked: partly, site.ReachUnknown: unknown,
}

// access is a crawler's access to all pages of the run, or else to those of the policy, or to those that were asked for.
func (s *Site) access(c *Crawler) string {
	if i := c.run; i >= 0 {
		read, n, all := site.Read(s.site.Robots(0), i), site.BlockedFor(s.done, i), s.done.URLs
		switch {
		case read.Access == engine.AccessUnknown || all > 0 && i < len(s.site.Unclear) && s.site.Unclear[i] == all:
			return unknown
		case read.BlocksAll || all > 0 && n == all:
			return blocked
		case n > 0 || read.BlocksRoot:
			return partly
		}
		return allowed
	}
	p := s.site.Policy(s.done)
	for i := range p.Crawlers {
		is := p.Access(&p.Crawlers[i])
		switch words := reachWords[is]; {
		case p.Crawlers[i].Name != c.Name:
		case words != "":
			return words
		case is == site.HomeAllowed && len(s.pages) == 0:
			return allowed
		}
	}
	count := map[engine.Verdict]int{}
	for _, u := range s.pages {
		count[c.verdicts[u]]++
	}
	switch n := len(s.pages); {
	case n == 0 || count[engine.Allow]+count[engine.Disallow] < n:
		return unknown
	case count[engine.Disallow] == n:
		return blocked
	case count[engine.Disallow] > 0:
		return partly
	}
	return allowed
}
