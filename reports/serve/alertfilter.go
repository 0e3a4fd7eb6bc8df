package serve

import (
	"maps"
	"net/url"
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

// severities are the choices of the lowest severity, by the words of compare.Severity.
var severities = []choice{
	{Name: "all severities"},
	{Value: "warning", Name: "warning or above"},
	{Value: "error", Name: "error or above"},
	{Value: "critical", Name: "critical"},
}

// Severities are the choices of the lowest severity.
func (f alertFilter) Severities() []choice { return chosen(severities, f.Severity) }

// ages are the choices of an age.
var ages = []choice{
	{Name: "at any time"},
	{Value: "day", Name: "in the last 24 hours"},
	{Value: "week", Name: "in the last 7 days"},
	{Value: "month", Name: "in the last 30 days"},
	{Value: "older", Name: "more than 30 days ago"},
}

// ageDays are the days of an age. With "older", it is an age of more days.
var ageDays = map[string]int{"day": 1, "week": 7, "month": 30, "older": 30}

// Ages are the choices of an age.
func (f alertFilter) Ages() []choice { return chosen(ages, f.Age) }

// newAlertFilter reads the filter from a form.
func newAlertFilter(get func(string) string) (f alertFilter, err error) {
	f = alertFilter{get("site"), get("severity"), get("age"), get("condition"), get("owner"), get("state"), get("run"), get("schedule")}
	if f.Severity == compare.Info.Word() {
		f.Severity = "" // everything is as severe
	}
	switch {
	case choiceName(alertStates, f.State) == "":
		return f, badRequest("state: expected open, acknowledged, accepted or resolved")
	case choiceName(severities, f.Severity) == "":
		return f, badRequest("severity: expected critical, error, warning or info")
	case choiceName(ages, f.Age) == "":
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
	switch start := now.Add(-time.Duration(ageDays[f.Age]) * 24 * time.Hour); f.Age {
	case "":
	case "older":
		h.Before = start
	default:
		h.After = start
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
