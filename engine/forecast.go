package engine

import "fmt"

// Prediction says how a profile will treat the answer it got, from some hour on
// and under some condition, if nothing changes.
type Prediction struct {
	Hours  float64 // hours since the file was first found in this state
	If     string  // "" = in any case; else the condition in words
	Access Access  // Parsed: the rules of the file, or of the last good copy, apply
	Why    string  // in words
}

// Forecast says how the meaning of an answer changes over time. It returns one
// Prediction if time makes no difference, else one or two for each step of
// Profile.WhileUnreachable, in order. It ignores the age, cached copy and site
// state in f: each condition gets its own Prediction.
func (p *Profile) Forecast(f File) []Prediction {
	f.UnreachableHours, f.Cached, f.SiteAvailable = 0, nil, true
	now := p.access(f)
	if !p.changesInTime(f) {
		return []Prediction{{Access: now.Access, Why: now.Why}}
	}
	var list []Prediction
	for _, step := range p.unreachableSteps() {
		f.UnreachableHours = step.Hours
		add := func(condition string, cached bool, up bool) {
			f.Cached, f.SiteAvailable = nil, up
			if cached {
				f.Cached = []byte{}
			}
			r := p.access(f)
			list = append(list, Prediction{step.Hours, condition, r.Access, r.Why})
		}
		switch {
		case step.Cached:
			add("a good copy was kept", true, true)
			add("no copy was kept", false, true)
		case step.SiteDown != AccessUnknown:
			add("the rest of the site answers", false, true)
			add("the rest of the site does not answer", false, false)
		default:
			add("", false, true)
		}
	}
	return list
}

// changesInTime reports whether the profile treats an answer differently after
// it has lasted a year.
func (p *Profile) changesInTime(f File) bool {
	f.UnreachableHours, f.Cached = 0, []byte("x")
	soon := p.access(f)
	f.UnreachableHours = 365 * 24
	late := p.access(f)
	return soon.Access != late.Access || soon.Why != late.Why
}

// String says it in one line: "after 12 hours, if no copy was kept: allow_all".
func (p Prediction) String() string {
	when := "now"
	switch {
	case p.Hours >= 48:
		when = fmt.Sprintf("after %g days", p.Hours/24)
	case p.Hours > 0:
		when = fmt.Sprintf("after %g hours", p.Hours)
	}
	if p.If != "" {
		when += ", if " + p.If
	}
	return when + ": " + p.Access.String()
}

// UnreachableStep says what a profile does once a file has been unreachable for
// some hours.
type UnreachableStep struct {
	Hours    float64 // since the file was first found unreachable
	Cached   bool    // the last good copy is used if there is one
	Do       Access  // otherwise
	SiteDown Access  // otherwise, if the rest of the site does not answer either; zero = the same as Do
	Why      string  // in words
}

// unreachable gives the result for an unreachable file, by the hours since it
// became so.
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

// unreachableStep finds the step for some hours of unreachability. A negative
// number or NaN counts as 0.
func (p *Profile) unreachableStep(hours float64) (found UnreachableStep) {
	for i, step := range p.unreachableSteps() {
		if i == 0 || hours >= step.Hours {
			found = step
		}
	}
	return found
}

// unreachableSteps are the profile's steps in order. Without its own, a profile
// has the steps of RFC 9309.
func (p *Profile) unreachableSteps() []UnreachableStep {
	if p.WhileUnreachable == nil {
		return rfc9309WhileUnreachable
	}
	return p.WhileUnreachable
}
