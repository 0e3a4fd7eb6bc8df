package engine

import "sync"

// robotsTxt is the path that no rule blocks (RFC 9309 2.2.2).
const robotsTxt = "/robots.txt"

// buffers are reused for rewritten paths during a verdict.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

// Verdict judges a URL ("https://example.com/a?b") or a path ("/a?b"). After the
// first few calls it does not allocate. Several goroutines may call it.
func (g *Group) Verdict(url string) Decision {
	if g.access != Parsed {
		return g.accessDecision()
	}
	if len(g.Rules) == 0 {
		return Decision{Verdict: Allow}
	}
	if path := plainPath(url); path != "" {
		return g.judge(path)
	}
	if path, slash := pathOf(url); !slash && g.profile.Encoding.keeps(path) {
		return g.judge(path)
	}
	buf := buffers.Get().(*[]byte)
	path, grown := g.profile.Encoding.path(url, *buf)
	d := g.judge(path)
	*buf = grown[:0]
	buffers.Put(buf)
	return d
}

// accessDecision is the verdict on every URL if the access result decides and no
// rule is read.
func (g *Group) accessDecision() Decision {
	switch g.access {
	case AllowAll:
		return Decision{Verdict: Allow}
	case DisallowAll:
		return Decision{Verdict: Disallow}
	}
	return Decision{}
}

// judge gives the verdict on a path as the profile writes it.
func (g *Group) judge(path string) Decision {
	if !g.ordered.Load() && g.scans() {
		return g.scan(path)
	}
	set := g.compiled()
	if set == nil {
		return g.decide(path, g.strongest(path))
	}
	best := set.Best(path)
	if g.profile.WildcardConflict {
		return g.decide(path, best)
	}
	if best < 0 || g.exempt(path) {
		return Decision{Verdict: Allow}
	}
	outcome := set.Owner(best)
	return Decision{verdictOf(outcome), &g.Rules[ruleOf(outcome)]}
}

// best returns the strongest pattern that matches path, -1 = none.
func (r *ranking) best(path string) int32 {
	if set := r.compiled(); set != nil {
		return set.Best(path)
	}
	return r.strongest(path)
}

// decide turns the strongest pattern that matches path (-1 = none) into the
// verdict.
func (g *Group) decide(path string, best int32) Decision {
	if best < 0 || g.exempt(path) {
		return Decision{Verdict: Allow}
	}
	r := &g.ranked[best]
	return Decision{Verdict: g.verdict(path, r, -1), Rule: &g.Rules[r.rule]}
}

// exempt reports whether a path is allowed whatever the rules say.
func (g *Group) exempt(path string) bool {
	return path == robotsTxt && !g.profile.RobotsTxtJudged
}

// verdictWithout returns the verdict on a path if the deciding rule (pattern best)
// is removed from the group. second is the best pattern of another rule.
func (g *Group) verdictWithout(path string, best, second int32) Verdict {
	if second < 0 {
		return Allow
	}
	return g.verdict(path, &g.ranked[second], g.ranked[best].rule)
}

// verdict returns the verdict if r is the strongest pattern that matches path.
// The rule deleted does not count; -1 = all count.
func (g *Group) verdict(path string, r *ranked, deleted int32) Verdict {
	switch {
	case r.allow:
		return Allow
	case g.profile.WildcardConflict && g.conflict(path, r, deleted):
		return Undefined
	}
	return Disallow
}

// conflict reports whether a disallow rule that is the longest match meets a
// matching allow rule, and one of the two has a wildcard. For such a pair the
// page of 2019 says both that the longer rule wins and that the least
// restrictive rule wins. Its own example is called undefined.
func (g *Group) conflict(path string, disallow *ranked, deleted int32) bool {
	for _, i := range g.allows {
		if r := &g.ranked[i]; r.rule != deleted && (disallow.wild || r.wild) && r.Match(path) {
			return true
		}
	}
	return false
}

// onlyConflict returns the only rule that is in conflict with the pattern best; -1 = there are
// several.
func (g *Group) onlyConflict(path string, best int32) int32 {
	rule := int32(-1)
	for _, i := range g.allows {
		r := &g.ranked[i]
		switch {
		case r.rule == rule || !g.ranked[best].wild && !r.wild || !r.Match(path):
		case rule >= 0:
			return -1
		default:
			rule = r.rule
		}
	}
	return rule
}

// bestTwo returns the strongest pattern that matches path and the strongest one
// of another rule, -1 = none.
func (g *Group) bestTwo(path string) (best, second int32) {
	if set := g.compiled(); set != nil {
		return set.BestTwo(path)
	}
	return g.strongestTwo(path)
}

// scanFirst is the number of verdicts for which the rules of a group are scanned in
// the order of the file. Sorting them takes as long as five to ten scans, and most
// callers need one or two URLs.
const scanFirst = 4

// scans reports whether the next verdict is found by a scan. If not, it sorts the rules.
func (r *ranking) scans() bool {
	if !r.profile.WildcardConflict && r.asked.Add(1) <= scanFirst {
		return true
	}
	r.rank()
	return false
}

// scan gives the verdict on a path without sorted rules. It makes the pattern of
// each rule that may match, and keeps the strongest match.
func (g *Group) scan(path string) Decision {
	if g.exempt(path) {
		return Decision{Verdict: Allow}
	}
	p := g.profile
	var best ranked
	var room [2]ranked
	found := false
	for i := range g.Rules {
		rule := &g.Rules[i]
		if p.elsewhere(rule, path) {
			continue
		}
		for _, r := range p.appendRanked(room[:0], int32(i), rule) {
			if (!found || r.outranks(&best, g.Rules)) && r.Match(path) {
				best, found = r, true
			}
		}
		if found && p.FirstMatch {
			break
		}
	}
	switch {
	case !found:
		return Decision{Verdict: Allow}
	case best.allow:
		return Decision{Verdict: Allow, Rule: &g.Rules[best.rule]}
	}
	return Decision{Verdict: Disallow, Rule: &g.Rules[best.rule]}
}

// elsewhere reports whether a rule cannot match a path, since its first bytes differ.
// This is true for most rules of a large file. Up to the first wildcard or byte that an
// encoding may rewrite, a rule is compared as it is written.
func (p *Profile) elsewhere(rule *Rule, path string) bool {
	value := rule.Value
	for i := 0; i < len(value); i++ {
		switch {
		case i < len(path) && value[i] == path[i] && octets[value[i]]&octetRewrite == 0:
		case octets[value[i]]&octetRewrite != 0 || value[i] == '$':
			return false
		default: // an index page may stand for its directory, which is shorter
			return i < len(path) || !rule.Allow || !p.IndexTwin
		}
	}
	return false
}
