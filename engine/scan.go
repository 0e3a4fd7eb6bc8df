package engine

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
