package alert

import (
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Line reports on one site, or on several with the same event: the most severe event, followed by
// the others. Events that began and events that ended are on separate lines.
type Line struct {
	Kind      Kind             `json:"event"`
	Condition string           `json:"condition"`
	Severity  compare.Severity `json:"severity"`
	Sites     int              `json:"sites"`
	Names     []string         `json:"names"` // of the sites, at most MaxIDs
	Text      string           `json:"text"`
	Details   []string         `json:"details,omitempty"` // for several sites: those that all share
	Next      string           `json:"next,omitempty"`    // the first thing to do, a sentence
	Also      []string         `json:"also,omitempty"`    // other events of these sites, a sentence each
	Alerts    []string         `json:"alerts"`            // IDs of the most severe events, at most MaxIDs
	Links     Links            `json:"links"`             // of the site; empty for several
}

// Bounds of a line.
const (
	together = 3 // minimum number of sites with the same event that share a line
	named    = 3 // number of them that are named
	MaxIDs   = 10
)

// entry has the events of one site, most severe first.
type entry []*Event

// entriesOf groups sorted events by site: new events are one entry, ended ones another.
func entriesOf(events []Event) (list []entry) {
	type key struct {
		site  string
		ended bool
	}
	at := map[key]int{}
	for i := range events {
		e := &events[i]
		k := key{e.Site, e.Kind == Ended}
		n, ok := at[k]
		if !ok {
			n = len(list)
			at[k], list = n, append(list, nil)
		}
		list[n] = append(list[n], e)
	}
	return list
}

// linesOf groups events by site, and sites by the same most severe event.
func linesOf(events []Event) (lines []Line) {
	type key struct {
		kind             Kind
		condition, cause string
		severity         compare.Severity
	}
	keyOf := func(of entry) key { return key{of[0].Kind, of[0].Condition, of[0].Cause, of[0].Severity} }
	entries := entriesOf(events)
	same := map[key][]entry{}
	for _, of := range entries {
		same[keyOf(of)] = append(same[keyOf(of)], of)
	}
	for _, of := range entries {
		switch all := same[keyOf(of)]; {
		case len(all) < together:
			lines = append(lines, lineOf(of))
		case all[0][0] == of[0]:
			lines = append(lines, lineOfMany(all))
		}
	}
	return lines
}

// lineOf makes the line of one site.
func lineOf(of entry) Line {
	e := of[0]
	l := Line{Kind: e.Kind, Condition: e.Condition, Severity: e.Severity, Sites: 1, Names: []string{e.Site}, Text: e.Text, Details: e.Details, Next: e.Next, Alerts: []string{e.Alert}, Links: e.Links}
	var follow, ids, with, withIDs []string
	for _, other := range of[1:] {
		if other.Follows {
			follow, ids = append(follow, conditionOf(other.Condition).short), append(ids, name(other))
			continue
		}
		// an event with the same start as the most severe one does not repeat the time
		if over := conditionOf(other.Condition).over; other.Kind == Ended && other.Since.Equal(e.Since) && strings.HasPrefix(other.Cause, over+", after ") {
			with, withIDs = append(with, over), append(withIDs, name(other))
			continue
		}
		l.Also = append(l.Also, strings.TrimSuffix(strings.TrimPrefix(other.Text, other.Site+": "), ".")+". "+name(other)+".")
	}
	if len(follow) > 0 {
		l.Also = append(l.Also, "with the same change, "+wording.And(follow)+". "+strings.Join(ids, "; ")+".")
	}
	if len(with) > 0 {
		l.Also = append(l.Also, wording.And(with)+". "+strings.Join(withIDs, "; ")+".")
	}
	return l
}

// name names an event within the events of its site.
func name(e *Event) string { return e.Condition + ", alert " + e.Alert }

// lineOfMany makes the line for several sites.
func lineOfMany(all []entry) Line {
	e := all[0][0]
	l := Line{Kind: e.Kind, Condition: e.Condition, Severity: e.Severity, Sites: len(all), Details: slices.Clone(e.Details), Next: e.Next}
	var names []string
	var concerned int64
	others := map[string]int{} // number of sites, by the condition of their other events
	for _, of := range all {
		e := of[0]
		if len(names) < named {
			names = append(names, e.Site)
		}
		if len(l.Alerts) < MaxIDs {
			l.Alerts, l.Names = append(l.Alerts, e.Alert), append(l.Names, e.Site)
		}
		concerned += e.Counts.Concerned
		l.Details = slices.DeleteFunc(l.Details, func(d string) bool { return !slices.Contains(e.Details, d) })
		for _, other := range of[1:] {
			others[other.Condition]++
		}
	}
	if rest := len(all) - len(names); rest > 0 {
		names = append(names, wording.Thousands(rest)+" more")
	}
	l.Text = sentence(wording.Plural(len(all), "site") + ": " + strings.TrimSuffix(e.Cause, ".") + ": " + wording.And(names))
	if concerned > 0 {
		l.Details = slices.Insert(l.Details, 0, wording.URLs(concerned)+" in total.")
	}
	for _, c := range conditions {
		if n := others[c.code]; n > 0 {
			what := c.short
			if e.Kind == Ended {
				what = c.over
			}
			l.Also = append(l.Also, "At "+wording.Thousands(n)+" of them: "+what+" ("+c.code+").")
		}
	}
	return l
}

// show makes external text safe: no hidden characters, one line, at most so many bytes.
func show(text string, most int) string { return escape.Cut(escape.Show(text), most) }
