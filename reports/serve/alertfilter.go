package serve

import (
	"slices"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
)

// alertFilter selects the alerts of the page. Alerts of one change stay together.
type alertFilter struct {
	Site     string `json:"site,omitempty"`
	Severity string `json:"severity,omitempty"` // lowest severity of the most severe alert of a change: "error"
	Age      string `json:"age,omitempty"`      // time since the change: one of ages
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
		a.Chosen = a.Value == f.Age
		list = append(list, a.choice)
	}
	return list
}

// newAlertFilter reads the filter from a form.
func newAlertFilter(get func(string) string) (f alertFilter, err error) {
	f = alertFilter{get("site"), get("severity"), get("age")}
	if f.Severity == compare.Info.Word() {
		f.Severity = "" // everything is as severe
	}
	chosen := func(c choice) bool { return c.Chosen }
	switch {
	case !slices.ContainsFunc(f.Severities(), chosen):
		return f, badRequest("severity: expected critical, error, warning or info")
	case !slices.ContainsFunc(f.Ages(), chosen):
		return f, badRequest("age: expected day, week, month or older")
	}
	return f, nil
}

// of is the filter for the history.
func (f alertFilter) of(now time.Time) history.AlertFilter {
	h := history.AlertFilter{Site: f.Site, Limit: maxAlerts}
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
	fields := map[string]string{"site": f.Site, "severity": f.Severity, "age": f.Age}
	for name, value := range fields {
		if value == "" {
			delete(fields, name)
		}
	}
	return fields
}
