package engine

import "sync"

// robotsTxt is the path that no rule blocks (RFC 9309 2.2.2).
const robotsTxt = "/robots.txt"

// buffers hold rewritten paths for the time of a verdict.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

// Verdict judges a URL ("https://example.com/a?b") or a path ("/a?b"). But for the
// first few, it does not allocate. It may be called from several goroutines.
func (g *Group) Verdict(url string) Decision {
	if g.access != Parsed {
		return g.accessDecision()
	}
	if len(g.rules) == 0 {
		return Decision{Verdict: Allow}
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

// accessDecision is the verdict on every URL where the access result decides and
// no rule is read.
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
	return g.decide(path, g.best(path))
}

// best returns the strongest pattern that matches path, -1 = none.
func (r *ranking) best(path string) int32 {
	if set := r.compiled(); set != nil {
		return set.Best(path)
	}
	for i := range r.ranked {
		if r.ranked[i].Match(path) {
			return int32(i)
		}
	}
	return -1
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

// exempt reports whether no rule blocks a path, whatever the rules are.
func (g *Group) exempt(path string) bool {
	return path == robotsTxt && !g.profile.RobotsTxtJudged
}

// verdictWithout returns the verdict on a path if the rule that decides it, that of
// the pattern best, were taken from the group; second is the best pattern of
// another rule.
func (g *Group) verdictWithout(path string, best, second int32) Verdict {
	if second < 0 {
		return Allow
	}
	return g.verdict(path, &g.ranked[second], g.ranked[best].rule)
}

// verdict is what the strongest pattern that matches path says, while the rule
// deleted does not count; -1 = all do.
func (g *Group) verdict(path string, r *ranked, deleted int32) Verdict {
	switch {
	case r.allow:
		return Allow
	case g.profile.WildcardConflict && g.conflict(path, r, deleted):
		return Undefined
	}
	return Disallow
}

// conflict reports whether a disallow rule that decides by its length meets an
// allow rule that matches as well, one of the two with a wildcard. Of such a
// pair the page of 2019 says that the longer rule wins and that the least
// restrictive one does, and calls its own example of it undefined.
func (g *Group) conflict(path string, disallow *ranked, deleted int32) bool {
	for _, i := range g.allows {
		if r := &g.ranked[i]; r.rule != deleted && (disallow.wild || r.wild) && r.Match(path) {
			return true
		}
	}
	return false
}

// onlyConflict returns the rule that alone is in conflict with the pattern best; -1 = there are several.
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
	best = -1
	for i := range g.ranked {
		if !g.ranked[i].Match(path) {
			continue
		}
		if best < 0 {
			best = int32(i)
		} else if g.ranked[i].rule != g.ranked[best].rule {
			return best, int32(i)
		}
	}
	return best, -1
}
