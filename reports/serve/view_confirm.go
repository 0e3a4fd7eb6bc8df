package serve

import (
	"slices"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
	"robots-audit/engine/wording"
)

// confirmView is the page that answers all open alerts of a filter at once.
type confirmView struct {
	alertFilter
	Alerts []string        `json:"alerts"` // IDs, most severe first
	Sites  []string        `json:"sites"`
	Kinds  []conditionView `json:"conditions"` // most severe first
	More   bool            `json:"more,omitempty"`

	All   effect `json:"-"` // the alerts
	Today string `json:"-"`
	Back  string `json:"-"` // link to the alerts
}

// conditionView counts the alerts of a condition and a severity.
type conditionView struct {
	Condition string `json:"condition"`
	Severity  string `json:"severity"`
	Alerts    int    `json:"count"`
}

// Word and Class show the severity. Short says what the condition is.
func (c conditionView) Word() string  { return compare.Severity(c.Severity).Word() }
func (c conditionView) Class() string { return severityClass(c.Severity) }
func (c conditionView) Short() string { return alert.Short(c.Condition) }

// viewConfirm shows which alerts an answer to all alerts of a filter is about. The form names each of them, so that the
// answer is about no alert that came meanwhile.
func (d *Desk) viewConfirm(e *exchange) error {
	filter, err := newAlertFilter(e.query)
	if err != nil {
		return err
	}
	if d.o.Acknowledge == nil {
		return errOnlyShown
	}
	now := d.o.Now()
	open := filter.of(now)
	open.Open = true
	var list []history.Alert
	err = d.past.read(func(db *history.DB) (err error) {
		list, err = db.Alerts(e.r.Context(), open)
		return err
	})
	if err != nil {
		return err
	}
	v := confirmView{alertFilter: filter, Alerts: []string{}, Sites: []string{}, Kinds: []conditionView{}, More: len(list) == maxAlerts, Today: now.Format(time.DateOnly), Back: filter.link(d.o.link("/alerts"))}
	for i := range list {
		a := newAlertView(&list[i], now)
		v.Alerts, v.All.List = append(v.Alerts, a.ID), append(v.All.List, a)
		v.Sites = append(v.Sites, a.Site)
		at := slices.IndexFunc(v.Kinds, func(c conditionView) bool { return c.Condition == a.Condition && c.Severity == a.Severity })
		if at < 0 {
			at = len(v.Kinds)
			v.Kinds = append(v.Kinds, conditionView{Condition: a.Condition, Severity: a.Severity})
		}
		v.Kinds[at].Alerts++
	}
	v.Sites = different(v.Sites)
	return e.show("answer.html", "Answer "+wording.Plural(len(list), "alert"), "Alerts", v)
}
