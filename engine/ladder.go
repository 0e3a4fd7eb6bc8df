package engine

// Rung is what a profile does from some hour of unreachability on.
type Rung struct {
	Hours    float64 // since the file was first found unreachable
	Cached   bool    // the last good copy is used where there is one
	Do       Access  // else
	SiteDown Access  // else, where the rest of the site does not answer either; zero = the same as Do
	Why      string
}

// unreachable goes up the ladder.
func (p *Profile) unreachable(f File, what string) *Robots {
	rung := p.rung(f.UnreachableHours)
	why := what + ": " + rung.Why
	if rung.Cached && f.Cached != nil {
		r := p.body(File{Body: f.Cached}, what)
		r.Why = why + " (used: the last good copy)"
		return r
	}
	if rung.SiteDown != AccessUnknown && !f.SiteAvailable {
		return p.fixed(rung.SiteDown, why)
	}
	return p.fixed(rung.Do, why)
}

// rung finds the profile's answer after some hours of unreachability; what is
// no time at all, or before it began, counts as its beginning.
func (p *Profile) rung(hours float64) (found Rung) {
	ladder := p.Ladder
	if ladder == nil {
		ladder = rfc9309Ladder
	}
	for i, rung := range ladder {
		if i == 0 || hours >= rung.Hours {
			found = rung
		}
	}
	return found
}
