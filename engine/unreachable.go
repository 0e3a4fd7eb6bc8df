package engine

// UnreachableStep is what a profile does from some hour of unreachability on.
type UnreachableStep struct {
	Hours    float64 // since the file was first found unreachable
	Cached   bool    // the last good copy is used where there is one
	Do       Access  // else
	SiteDown Access  // else, where the rest of the site does not answer either; zero = the same as Do
	Why      string  // in words
}

// unreachable is what the profile does while a file is unreachable, by the time
// for which it has been so.
func (p *Profile) unreachable(f File, what string) *Robots {
	step := p.unreachableStep(f.UnreachableHours)
	why := what + ": " + step.Why
	if step.Cached && f.Cached != nil {
		r := p.body(File{Body: f.Cached}, what)
		r.Why, r.source = why+" (used: the last good copy)", fromCopy
		return r
	}
	if step.SiteDown != AccessUnknown && !f.SiteAvailable {
		return p.withAccess(step.SiteDown, why)
	}
	return p.withAccess(step.Do, why)
}

// unreachableStep finds what the profile does after some hours of
// unreachability; less than none, or what is no number, counts as none.
func (p *Profile) unreachableStep(hours float64) (found UnreachableStep) {
	for i, step := range p.unreachableSteps() {
		if i == 0 || hours >= step.Hours {
			found = step
		}
	}
	return found
}

// unreachableSteps are the profile's steps in order, the standard's where it has
// none of its own.
func (p *Profile) unreachableSteps() []UnreachableStep {
	if p.WhileUnreachable == nil {
		return rfc9309WhileUnreachable
	}
	return p.WhileUnreachable
}
