package alert

import (
	"cmp"
	"slices"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

// follow marks the events of a site's run that only follow from others. If the whole file changed,
// or one line causes all flips, AI access (AL10) and the share of blocked URLs (AL11) change as a
// result. Errors from known URLs (AL12) only repeat that such URLs are blocked.
func (in *Input) follow(j *Judged) {
	events := j.Events
	news := func(code string) bool {
		return slices.ContainsFunc(events, func(e Event) bool { return e.Condition == code && e.Kind != Ended })
	}
	whole := slices.ContainsFunc(wholeFile, news)
	if whole || news("AL01") || news("AL02") {
		for i := range events {
			if e := &events[i]; e.Kind == Raised && e.Condition == "AL12" && j.needsURLs(e.Alert) {
				e.Follows = true
			}
		}
	}
	if !whole && !(news("AL01") && in.oneLineFlips()) {
		return
	}
	for i := range events {
		if e := &events[i]; e.Kind == Raised && (e.Condition == "AL11" || e.Condition == "AL10" && !in.otherPreferences()) {
			e.Follows = true
		}
	}
}

// needsURLs reports whether only known URLs show the subjects of an alert.
func (j *Judged) needsURLs(alert string) bool {
	return needsURLs(&j.Alerts[slices.IndexFunc(j.Alerts, func(a history.Alert) bool { return a.ID == alert })])
}

func needsURLs(a *history.Alert) bool {
	return !slices.ContainsFunc(a.Subjects, func(id string) bool { return !compare.NeedsURLs(id) })
}

// SortChange sorts the alerts that one run raised on one site: most severe first, then by URLs.
// Those that may only follow from others are last.
func SortChange(list []history.Alert) {
	has := func(codes ...string) bool {
		return slices.ContainsFunc(list, func(a history.Alert) bool { return slices.Contains(codes, a.Condition) })
	}
	whole := has(wholeFile...)
	blocked, home := whole || has("AL01", "AL02"), whole || has("AL01")
	follows := func(a *history.Alert) int {
		switch {
		case a.Condition == "AL12" && blocked && needsURLs(a), (a.Condition == "AL10" || a.Condition == "AL11") && home:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b history.Alert) int {
		return cmp.Or(follows(&a)-follows(&b), compareSeverities(compare.Severity(a.Severity), compare.Severity(b.Severity)), cmp.Compare(b.URLs, a.URLs), cmp.Compare(a.Condition, b.Condition))
	})
}

// oneLineFlips reports whether undoing one changed line of the site's own robots.txt would undo all
// flips.
func (in *Input) oneLineFlips() bool {
	own := in.Compared.Own()
	if own == nil {
		return false
	}
	var flipping int
	for i := range own.Diff {
		if l := &own.Diff[i]; l.Flips() > 0 || l.NotCounted {
			flipping++
		}
	}
	return flipping == 1
}

// otherPreferences reports whether the file states different preferences for the use of its pages.
// This change is independent of access.
func (in *Input) otherPreferences() bool {
	return slices.ContainsFunc(in.Compared.Changes, func(ch compare.Change) bool { return ch.Kind == compare.KindPolicy && ch.What == compare.Preferences })
}
