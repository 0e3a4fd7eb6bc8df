package engine

import "fmt"

// Prediction is what a profile will do with the answer it got, from some time on
// and under some condition, if nothing changes.
type Prediction struct {
	Hours  float64 // from so many hours after the file was first found so
	If     string  // "" = in any case; else the condition in words
	Access Access  // Parsed: the rules of the file, or of the last good copy, apply
	Why    string  // in words
}

// Forecast tells what will become of an answer: one Prediction where time makes
// no difference, else those of each step of Profile.WhileUnreachable, in order.
// What f says of age, cached copy and site is ignored: each condition has a
// Prediction of its own instead.
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

// changesInTime reports whether the profile does something else about an answer
// after a year of it than at first.
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
