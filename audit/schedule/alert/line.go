package alert

import (
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Line is one or several events that are told as one.
type Line struct {
	Kind      Kind             `json:"event"`
	Condition string           `json:"condition"`
	Severity  compare.Severity `json:"severity"`
	Sites     int              `json:"sites"`
	Text      string           `json:"text"`
	Details   []string         `json:"details,omitempty"` // of several events: those that are the same for all
	Alerts    []string         `json:"alerts"`            // their IDs, at most MaxIDs
}

// Bounds of a line.
const (
	together = 3 // as many sites to which the same happened are told as one
	named    = 3 // of which so many are named
	MaxIDs   = 10
)

// linesOf puts events together: those of sites to which the same happened.
func linesOf(events []Event) (lines []Line) {
	type key struct {
		kind             Kind
		condition, cause string
		severity         compare.Severity
	}
	same := map[key][]int{}
	keyOf := func(e *Event) key { return key{e.Kind, e.Condition, e.Cause, e.Severity} }
	for i := range events {
		same[keyOf(&events[i])] = append(same[keyOf(&events[i])], i)
	}
	for i := range events {
		e := &events[i]
		switch all := same[keyOf(e)]; {
		case len(all) < together:
			lines = append(lines, Line{e.Kind, e.Condition, e.Severity, 1, e.Text, e.Details, []string{e.Alert}})
		case all[0] == i:
			lines = append(lines, lineOf(events, all))
		}
	}
	return lines
}

// lineOf tells several events as one. A site has one alert of a condition, so that there
// are as many sites.
func lineOf(events []Event, all []int) Line {
	e := &events[all[0]]
	l := Line{Kind: e.Kind, Condition: e.Condition, Severity: e.Severity, Sites: len(all), Details: slices.Clone(e.Details)}
	var names []string
	var concerned int64
	for _, i := range all {
		if len(names) < named {
			names = append(names, events[i].Site)
		}
		if len(l.Alerts) < MaxIDs {
			l.Alerts = append(l.Alerts, events[i].Alert)
		}
		concerned += events[i].Counts.Concerned
		l.Details = slices.DeleteFunc(l.Details, func(d string) bool { return !slices.Contains(events[i].Details, d) })
	}
	if rest := len(all) - len(names); rest > 0 {
		names = append(names, wording.Thousands(rest)+" more")
	}
	l.Text = sentence(wording.Plural(len(all), "site") + ": " + strings.TrimSuffix(e.Cause, ".") + ": " + wording.And(names))
	if concerned > 0 {
		l.Details = slices.Insert(l.Details, 0, wording.Known(concerned)+" concerned in all.")
	}
	return l
}

// show is text from elsewhere, without what is hidden, in one line and at most so many bytes.
func show(text string, most int) string { return escape.Cut(escape.Show(text), most) }
