package schedule

import (
	"slices"
	"strings"
	"time"
)

// Window is a maintenance window: for some time after each activation, no alerts are sent.
type Window struct {
	Name     string // for the texts; may be empty
	Cron     Cron
	Duration time.Duration // in real time, even if clocks change within it
	Sites    []string      // hosts, or "*." and a domain for all hosts below it; empty = every site
}

// covers reports whether a site, given by its host, is within the window at a time.
func (w Window) covers(site string, at time.Time) bool {
	begin := w.Cron.Next(at.Add(-w.Duration))
	return w.names(site) && !begin.IsZero() && !begin.After(at)
}

// names reports whether the window applies to a site.
func (w Window) names(site string) bool {
	return len(w.Sites) == 0 || slices.ContainsFunc(w.Sites, func(s string) bool {
		below, wild := strings.CutPrefix(s, "*")
		return strings.EqualFold(s, site) || wild && len(site) > len(below) && strings.EqualFold(site[len(site)-len(below):], below)
	})
}

// Quiet reports whether a site is within one of the windows at a time.
func (p Plan) Quiet(site string, at time.Time) bool {
	return slices.ContainsFunc(p.Windows, func(w Window) bool { return w.covers(site, at) })
}
