package serve

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
)

// alertFilter selects the alerts of the page. By site, severity and age, alerts of one change stay together.
type alertFilter struct {
	Site      string `json:"site,omitempty"`
	Severity  string `json:"severity,omitempty"`  // lowest severity of the most severe alert of a change: "error"
	Age       string `json:"age,omitempty"`       // time since the change: one of ages
	Condition string `json:"condition,omitempty"` // "AL01"
	Owner     string `json:"owner,omitempty"`     // "-" = no owner
	State     string `json:"state,omitempty"`     // one of alertStates
	Run       string `json:"run,omitempty"`       // that raised them
	Schedule  string `json:"schedule,omitempty"`  // of that run
}

// noOwner selects alerts that nobody works on. No owner has this name.
const noOwner = "-"

// alertStates are the choices of a state.
var alertStates = []choice{
	{Name: "all states"},
	{Value: string(history.Unanswered), Name: "open, without an answer"},
	{Value: string(history.Acknowledged), Name: "acknowledged"},
	{Value: string(history.Accepted), Name: "accepted"},
	{Value: string(history.Resolved), Name: "resolved"},
}

// States are the choices of a state.
func (f alertFilter) States() []choice { return chosen(alertStates, f.State) }

// chosen marks the chosen one of some choices.
func chosen(list []choice, value string) []choice {
	list = slices.Clone(list)
	for i := range list {
		list[i].Chosen = list[i].Value == value
	}
	return list
}

// choice is a value of a filter.
type choice struct {
	Value, Name string
	Chosen      bool
}

// Severities are the choices of the lowest severity.
func (f alertFilter) Severities() (list []choice) {
	for _, s := range alert.Severities {
		c := choice{s.Word(), s.Word() + " or above", s.Word() == f.Severity}
		switch s {
		case compare.Critical:
			c.Name = c.Value
		case compare.Info:
			c.Name, c.Value, c.Chosen = "all severities", "", f.Severity == ""
		}
		list = append(list, c)
	}
	slices.Reverse(list)
	return list
}

// ages are the choices of an age, with the days that it is from and below; 0 = no bound.
var ages = []struct {
	choice
	from, below int
}{
	{choice{Name: "at any time"}, 0, 0},
	{choice{Value: "day", Name: "in the last 24 hours"}, 0, 1},
	{choice{Value: "week", Name: "in the last 7 days"}, 0, 7},
	{choice{Value: "month", Name: "in the last 30 days"}, 0, 30},
	{choice{Value: "older", Name: "more than 30 days ago"}, 30, 0},
}

// Ages are the choices of an age.
func (f alertFilter) Ages() (list []choice) {
	for _, a := range ages {
		list = append(list, a.choice)
	}
	return chosen(list, f.Age)
}

// newAlertFilter reads the filter from a form.
func newAlertFilter(get func(string) string) (f alertFilter, err error) {
	f = alertFilter{get("site"), get("severity"), get("age"), get("condition"), get("owner"), get("state"), get("run"), get("schedule")}
	if f.Severity == compare.Info.Word() {
		f.Severity = "" // everything is as severe
	}
	is := func(c choice) bool { return c.Chosen }
	switch {
	case !slices.ContainsFunc(f.States(), is):
		return f, badRequest("state: expected open, acknowledged, accepted or resolved")
	case !slices.ContainsFunc(f.Severities(), is):
		return f, badRequest("severity: expected critical, error, warning or info")
	case !slices.ContainsFunc(f.Ages(), is):
		return f, badRequest("age: expected day, week, month or older")
	}
	return f, nil
}

// of is the filter for the history.
func (f alertFilter) of(now time.Time) history.AlertFilter {
	h := history.AlertFilter{Site: f.Site, Raised: f.Run, Schedule: f.Schedule, Condition: f.Condition, State: history.AlertState(f.State), Now: now, Limit: maxAlerts}
	if h.Unowned = f.Owner == noOwner; !h.Unowned {
		h.Owner = f.Owner
	}
	for _, s := range alert.Severities {
		if s.Word() == f.Severity {
			h.Least = string(s)
		}
	}
	for _, a := range ages {
		if a.Value != f.Age {
			continue
		}
		if a.below > 0 {
			h.After = now.Add(-time.Duration(a.below) * 24 * time.Hour)
		}
		if a.from > 0 {
			h.Before = now.Add(-time.Duration(a.from) * 24 * time.Hour)
		}
	}
	return h
}

// Narrow reports whether the filter leaves out something.
func (f alertFilter) Narrow() bool { return f != alertFilter{} }

// Fields are the parts of the filter, by the names of its form.
func (f alertFilter) Fields() map[string]string {
	fields := map[string]string{"site": f.Site, "severity": f.Severity, "age": f.Age, "condition": f.Condition, "owner": f.Owner, "state": f.State, "run": f.Run, "schedule": f.Schedule}
	maps.DeleteFunc(fields, func(_, value string) bool { return value == "" })
	return fields
}

// link is the address of a page with the filter. more are further parameters, by name.
func (f alertFilter) link(path string, more ...string) string {
	q := url.Values{}
	for name, value := range f.Fields() {
		q.Set(name, value)
	}
	for i := 0; i < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return strings.TrimSuffix(path+"?"+q.Encode(), "?")
}
