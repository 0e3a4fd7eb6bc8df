package engine

// scanFirst is the number of verdicts for which the rules of a group are scanned as
// they are in the file. To put them in order takes as long as five to ten such
// scans, and most of those who read a file of others ask for one or two URLs.
const scanFirst = 4

// scans reports whether the next verdict is found by a scan, and puts the rules in order
// where it is not.
func (r *ranking) scans() bool {
	if !r.profile.WildcardConflict && r.asked.Add(1) <= scanFirst {
		return true
	}
	r.rank()
	return false
}

// scan gives the verdict on a path without an order of precedence: of each rule that
// may match it makes the pattern, and keeps the strongest that does.
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

// elsewhere reports whether a rule begins with other text than a path, so that it cannot
// match: of most rules of a large file the first octets tell. Up to the first
// wildcard or octet that an encoding may rewrite a rule is compared as it is written.
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
