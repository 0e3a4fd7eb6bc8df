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
			add("the site answers otherwise", false, true)
			add("the site does not answer either", false, false)
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
