package alert

import (
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Line reports on one site, or on several to which the same happened: the most severe event,
// and below it the others. What began and what ended are lines of their own.
type Line struct {
	Kind      Kind             `json:"event"`
	Condition string           `json:"condition"`
	Severity  compare.Severity `json:"severity"`
	Sites     int              `json:"sites"`
	Names     []string         `json:"names"` // of the sites, at most MaxIDs
	Text      string           `json:"text"`
	Details   []string         `json:"details,omitempty"` // of several sites: those that are the same for all
	Next      string           `json:"next,omitempty"`    // what to do first, a sentence
	Also      []string         `json:"also,omitempty"`    // what else there is of these sites, a sentence each
	Alerts    []string         `json:"alerts"`            // IDs of the most severe events, at most MaxIDs
	Links     Links            `json:"links"`             // of the site; none of several
}

// Bounds of a line.
const (
	together = 3 // as many sites to which the same happened share a line
	named    = 3 // so many of them are named
	MaxIDs   = 10
)

// entry has the events of one site, the most severe first.
type entry []*Event

// entriesOf puts the events of each site together, which are in order: what came is one
// entry, what ended another.
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

// linesOf puts events together: those of a site, and sites with the same most severe event.
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
		// what came and went with the most severe event need not repeat when
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

// name names an event among others of its site.
func name(e *Event) string { return e.Condition + ", alert " + e.Alert }

// lineOfMany makes the line that several sites share.
func lineOfMany(all []entry) Line {
	e := all[0][0]
	l := Line{Kind: e.Kind, Condition: e.Condition, Severity: e.Severity, Sites: len(all), Details: slices.Clone(e.Details), Next: e.Next}
	var names []string
	var concerned int64
	others := map[string]int{} // sites, by the condition of what else there is of them
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

// show is text from elsewhere, without what is hidden, in one line and at most so many bytes.
func show(text string, most int) string { return escape.Cut(escape.Show(text), most) }
