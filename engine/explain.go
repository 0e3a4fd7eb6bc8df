package engine

import (
	"fmt"

	"robots-audit/engine/wording"
)

// Explanation is a verdict with everything it depends on. It answers what
// happens if a line is deleted.
type Explanation struct {
	Decision
	Path     string  // the path and query that the rules are compared with, as the profile writes them
	Octets   int     // length of the deciding rule as it counts for precedence; 0 = no rule decided
	RunnerUp *Rule   // the second-best rule of the group; nil = no other one matches
	Margin   int     // bytes that the deciding rule is longer than the runner-up; 0 also if a tie or the order decided
	Without  Verdict // the verdict if the line of the deciding rule is deleted; if no rule decided, the verdict itself; Unknown = not known, see Group.Reread
	Join     Join    // what else that deletion does
	Why      string  // the verdict's reason in one sentence
}

// Contest is a short Explanation: a verdict, and what it becomes if the line of
// the deciding rule is deleted.
type Contest struct {
	Decision
	Octets   int     // length of the deciding rule as it counts for precedence; 0 = no rule decided
	RunnerUp *Rule   // the second-best rule of the group; nil = no other one matches
	Margin   int     // bytes that the deciding rule is longer than the runner-up; 0 also if a tie or the order decided
	Without  Verdict // the verdict if the line of the deciding rule is deleted; if no rule decided, the verdict itself; Unknown = not known, see Group.Reread
	Join     Join    // what else that deletion does
}

// Contest judges a URL or path and names the runner-up. Like Verdict, it does
// not allocate and is safe for several goroutines. It takes little longer.
func (g *Group) Contest(url string) Contest {
	if g.access != Parsed {
		d := g.accessDecision()
		return Contest{Decision: d, Without: d.Verdict}
	}
	if path, slash := pathOf(url); !slash && g.profile.Encoding.keeps(path) {
		c, _, _ := g.contest(path)
		return c
	}
	buf := buffers.Get().(*[]byte)
	path, grown := g.profile.Encoding.path(url, *buf)
	c, _, _ := g.contest(path)
	*buf = grown[:0]
	buffers.Put(buf)
	return c
}

// contest gives the verdict on a path as the profile writes it. best and second
// are the patterns of the deciding rule and of the runner-up, -1 = none.
func (g *Group) contest(path string) (c Contest, best, second int32) {
	g.rank()
	best, second = g.bestTwo(path)
	c.Decision = g.decide(path, best)
	if c.Rule == nil {
		c.Without = c.Verdict
		return c, -1, -1
	}
	c.Octets = int(g.ranked[best].octets)
	c.Without, c.Join = g.without(path, best, second)
	if second >= 0 {
		c.RunnerUp = &g.Rules[g.ranked[second].rule]
		if !g.profile.FirstMatch {
			c.Margin = c.Octets - int(g.ranked[second].octets)
		}
	}
	return c, best, second
}

// Explain judges a URL or path and says why. Unlike Verdict it allocates.
func (g *Group) Explain(url string) Explanation {
	if g.access != Parsed {
		d := g.accessDecision()
		return Explanation{Decision: d, Without: d.Verdict, Why: "access result: " + g.access.String()}
	}
	path, _ := g.profile.Encoding.path(url, nil)
	c, best, second := g.contest(path)
	e := Explanation{Decision: c.Decision, Path: path, Octets: c.Octets, RunnerUp: c.RunnerUp, Margin: c.Margin, Without: c.Without, Join: c.Join}
	if c.Without == Unknown {
		e.Without = g.reread.once(path, c.Rule.Line)
	}
	switch {
	case e.Rule == nil:
		e.Why = g.whyNoRule(path)
	case second < 0:
		e.Why = fmt.Sprintf("line %d, %q, is the only rule that matches", e.Rule.Line, e.Rule)
	default:
		e.Why = g.whyFirst(&e, best, second)
	}
	return e
}

// whyNoRule says why no rule decided.
func (g *Group) whyNoRule(path string) string {
	switch {
	case path == robotsTxt && !g.profile.RobotsTxtJudged:
		return "/robots.txt is always allowed (RFC 9309 2.2.2)"
	case g.Reason == Exempt:
		return `only the * group would apply, which this crawler does not obey`
	case g.Line == 0:
		return "no group applies: everything is allowed"
	}
	return "no rule of the group matches"
}

// whyFirst says why the deciding rule wins over the runner-up.
func (g *Group) whyFirst(e *Explanation, best, second int32) string {
	switch {
	case e.Verdict == Undefined:
		return fmt.Sprintf("line %d, %q, is longer than a matching allow rule, and one of them has a wildcard: Google's page of 2019 leaves this open", e.Rule.Line, e.Rule)
	case g.profile.FirstMatch:
		return fmt.Sprintf("line %d, %q, is the first rule that matches", e.Rule.Line, e.Rule)
	case e.Margin > 0:
		return fmt.Sprintf("line %d, %q, is %s longer than line %d, %q", e.Rule.Line, e.Rule, wording.Plural(e.Margin, "byte"), e.RunnerUp.Line, e.RunnerUp)
	case g.ranked[best].allow != g.ranked[second].allow:
		return fmt.Sprintf("line %d, %q, is as long as line %d, %q, and Allow wins", e.Rule.Line, e.Rule, e.RunnerUp.Line, e.RunnerUp)
	}
	return fmt.Sprintf("line %d, %q, is as long as line %d, %q, and comes first", e.Rule.Line, e.Rule, e.RunnerUp.Line, e.RunnerUp)
}
