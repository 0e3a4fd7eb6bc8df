package site

import (
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// cause is the reason why two crawlers get different verdicts for a URL.
type cause struct{ class, explanation string }

// cause finds out why crawler j gets the verdict want for a URL and crawler i gets another one. If
// their profiles are the reason, it is found by experiment: the first profile with a single point
// taken from the second.
func (s *Site) cause(origin, i, j int, loc string, want engine.Verdict) cause {
	robots := s.Robots(origin)
	ri, rj := Read(robots, i), Read(robots, j)
	ci, cj := &s.Crawlers[i], &s.Crawlers[j]
	if ri.Access != rj.Access {
		class := "status reading"
		if robots.File.Status >= 200 && robots.File.Status < 300 && robots.File.Code == "" {
			class = "size"
		}
		return cause{class, fmt.Sprintf("%s: %s; %s: %s", ci.Label, DescribeAccess(ri), cj.Label, DescribeAccess(rj))}
	}
	a, pi, okA := ci.Robot()
	other, pj, okB := cj.Robot()
	if !okA || !okB {
		return cause{"other reader", "the profiles differ"}
	}
	if ci.Name != cj.Name || strings.Join(ci.Tokens, ",") != strings.Join(cj.Tokens, ",") {
		if g := s.groupAs(origin, i, j, pi, other); g.Verdict(loc).Verdict == want {
			return ownGroup(ci.Label, cj.Label, ri.GroupTokens, ri.GroupLine, g, a, other, want)
		}
	}
	f := s.answers.File(origin, pi, a)
	for d, p := range audit.Differences(pi, pj) {
		if s.disagreements.budget -= len(f.Body) + 1000; s.disagreements.budget < 0 {
			return cause{"other reader", "not analysed: too many differences"}
		}
		if p.Read(f).Group(a).Verdict(loc).Verdict == want {
			words := fmt.Sprintf("%s and %s differ in %s", pi.Name, pj.Name, d.About)
			if d.Says(pi) != "" {
				words += fmt.Sprintf(": %s %s; %s %s", pi.Name, d.Says(pi), pj.Name, d.Says(pj))
			}
			return cause{d.Class, words}
		}
	}
	return cause{"several", fmt.Sprintf("%s and %s differ in several points", ci.Label, cj.Label)}
}

// ownGroup is the cause if the two crawlers would differ even with one profile, since they obey
// different groups.
func ownGroup(first, second, tokens string, line int, g *engine.Group, a, other engine.Crawler, want engine.Verdict) cause {
	obeys := func(label, tokens string, line int) string {
		if line == 0 {
			return label + " follows no group"
		}
		return fmt.Sprintf("%s follows the group for %s (line %d)", label, escape.Cut(tokens, 100), line)
	}
	words := obeys(first, tokens, line) + ", " + obeys(second, strings.Join(g.Tokens, ", "), g.Line)
	blocked := a
	if want == engine.Disallow {
		blocked = other
	}
	switch {
	case a.IgnoresGlobal != other.IgnoresGlobal && (line == 0 || g.Line == 0):
		return cause{"* exempt", words + ": one of them ignores the group for *"}
	case strings.HasPrefix(blocked.Purpose, "AI ") || blocked.Purpose == "control token":
		return cause{"AI policy", words}
	}
	return cause{"own group", words}
}

// groupAs is the group that crawler j would obey with the profile p of crawler i. It is called for each
// URL with different verdicts, and joining groups takes long if there are thousands.
func (s *Site) groupAs(origin, i, j int, p *engine.Profile, crawlerJ engine.Crawler) *engine.Group {
	key := [3]int{origin, i, j}
	known := &s.disagreements.groups
	g := (*known)[key]
	if g == nil {
		if *known == nil || len(*known) > maxGroups {
			*known = map[[3]int]*engine.Group{}
		}
		g = s.answers.Read(origin, p, crawlerJ).Group(crawlerJ)
		(*known)[key] = g
	}
	return g
}

// maxGroups bounds the cached groups.
const maxGroups = 100
