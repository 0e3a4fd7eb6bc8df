package schedule

import (
	"slices"
	"strings"
	"time"
)

// Window is a maintenance window: from each activation on, nobody is told of alerts for
// a while.
type Window struct {
	Name     string // for the texts; may be empty
	Cron     Cron
	Duration time.Duration // of real time, also where clocks change within it
	Sites    []string      // hosts, or "*." and a domain for all hosts below it; empty = every site
}

// Covers reports whether site, a host, is within the window at a time, and until when.
func (w Window) Covers(site string, at time.Time) (until time.Time, ok bool) {
	if !w.names(site) {
		return time.Time{}, false
	}
	for begin := w.Cron.Next(at.Add(-w.Duration)); !begin.IsZero() && !begin.After(at); begin = w.Cron.Next(begin) {
		until, ok = begin.Add(w.Duration), true
	}
	return until, ok
}

// names reports whether the window is one of a site's.
func (w Window) names(site string) bool {
	return len(w.Sites) == 0 || slices.ContainsFunc(w.Sites, func(s string) bool {
		below, wild := strings.CutPrefix(s, "*")
		return strings.EqualFold(s, site) || wild && len(site) > len(below) && strings.EqualFold(site[len(site)-len(below):], below)
	})
}

// Quiet reports whether a site is within one of the windows, and until when: the latest
// end of those that it is in.
func (p Plan) Quiet(site string, at time.Time) (until time.Time, ok bool) {
	for _, w := range p.Windows {
		if end, covered := w.Covers(site, at); covered {
			ok = true
			if end.After(until) {
				until = end
			}
		}
	}
	return until, ok
}
