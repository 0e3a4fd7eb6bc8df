package serve

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// alertsView is the page of alerts.
type alertsView struct {
	alertFilter
	Changes []change    `json:"changes"` // the open alerts, by cause
	Open    []alertView `json:"open"`
	Ended   []alertView `json:"ended"`
	More    bool        `json:"more,omitempty"` // there are more alerts
	Answers bool        `json:"answers"`        // they can be acknowledged here
	Said    string      `json:"said,omitempty"`

	paging
	Cards      []change  `json:"-"` // those of Changes on this page
	Answer     string    `json:"-"` // page that answers all open alerts of the filter; "" = there is at most one
	Resolved   []change  `json:"-"`
	All        int       `json:"-"` // open alerts, with those that the filter leaves out
	Newest     time.Time `json:"-"` // start of the newest run; zero = there is none
	Sites      []string  `json:"-"` // sites that have or had alerts
	Owners     []string  `json:"-"` // of open alerts
	Conditions []choice  `json:"-"` // likewise
	Today      string    `json:"-"`
}

// alertView is an alert.
type alertView struct {
	ID           string    `json:"id"`
	Site         string    `json:"site"`
	Condition    string    `json:"condition"`
	Severity     string    `json:"severity"`
	Class        string    `json:"-"`
	Text         string    `json:"text"`
	Next         string    `json:"next,omitempty"` // the first thing to do
	Since        time.Time `json:"since"`
	Ended        time.Time `json:"ended,omitzero"`
	Run          string    `json:"run"` // run that raised it
	URLs         int64     `json:"urls"`
	Subjects     []string  `json:"subjects,omitempty"`
	Acknowledged time.Time `json:"acknowledged_until,omitzero"`
	Silent       bool      `json:"-"` // it is acknowledged, and the pause is not over
	Accepted     time.Time `json:"accepted,omitzero"`
	Note         string    `json:"note,omitempty"`
	Owner        string    `json:"owner,omitempty"`
	Acceptable   bool      `json:"acceptable,omitempty"`
}

// Limits of the alerts that are shown.
const (
	maxAlerts   = 1000 // open alerts
	maxEnded    = 100  // resolved ones, and changes with them
	maxCards    = 25   // causes of open alerts on a page
	maxAnswer   = 2000 // bytes of a note
	maxOwner    = 100  // characters of an owner
	maxSubjects = 20
)

// viewAlerts lists the alerts by cause, open ones first.
func (d *Desk) viewAlerts(e *exchange) error {
	filter, err := newAlertFilter(e.query)
	if err != nil {
		return err
	}
	at, err := pageNumber(e.query("page"))
	if err != nil {
		return err
	}
	now := d.o.Now()
	v := alertsView{alertFilter: filter, Changes: []change{}, Open: []alertView{}, Ended: []alertView{}, Answers: d.o.Acknowledge != nil, Today: now.Format(time.DateOnly)}
	if said := e.query("said"); said != "" && d.guard.signed(said, e.query("by")) {
		v.Said = said
	}
	var list []history.Alert
	var edits map[string]history.Edit
	err = d.past.read(func(db *history.DB) (err error) {
		if list, err = db.Alerts(e.r.Context(), filter.of(now)); err != nil {
			return err
		}
		if edits, err = db.Edits(e.r.Context()); err != nil {
			return err
		}
		return v.readChoices(e.r.Context(), db)
	})
	if err != nil {
		return err
	}
	v.addAlerts(list, now)
	v.addCauses(list, edits, now)
	p, from, to := newPaging(at, len(v.Changes), maxCards, func(page string) string { return filter.link(d.o.link("/alerts"), "page", page) })
	v.paging, v.Cards = p, v.Changes[from:to]
	linked := v.Cards
	if e.wantsJSON() {
		linked = v.Changes
	}
	d.linkCauses(&v, linked, edits)
	if len(v.Open) > 1 && v.Answers {
		v.Answer = filter.link(d.o.link("/alerts/answer"))
	}
	count, _ := d.past.alerts()
	v.All = max(count, len(v.Open))
	return e.show("alerts.html", "Alerts", "Alerts", v)
}

// readChoices reads the values that the filter can have.
func (v *alertsView) readChoices(ctx context.Context, db *history.DB) (err error) {
	if v.Sites, err = db.AlertSites(ctx, maxAlerts); err != nil {
		return err
	}
	if v.Owners, err = db.AlertOwners(ctx, maxAlerts); err != nil {
		return err
	}
	codes, err := db.AlertConditions(ctx)
	if v.Condition != "" && !slices.Contains(codes, v.Condition) {
		codes = append(codes, v.Condition)
	}
	for _, code := range codes {
		name := code
		if short := alert.Short(code); short != "" {
			name += ": " + short
		}
		v.Conditions = append(v.Conditions, choice{code, name, code == v.Condition})
	}
	return err
}

// addAlerts adds the alerts one by one.
func (v *alertsView) addAlerts(list []history.Alert, now time.Time) {
	for i := range list {
		switch a := newAlertView(&list[i], now); {
		case a.Ended.IsZero():
			v.Open = append(v.Open, a)
		case len(v.Ended) < maxEnded:
			v.Ended = append(v.Ended, a)
		default:
			v.More = true
		}
	}
	v.More = v.More || len(list) == maxAlerts
}

// Count says how many alerts are open.
func (v alertsView) Count() string {
	switch n := len(v.Open); {
	case n == 0 && v.All > 0:
		return "No match among " + wording.Plural(v.All, "open alert")
	case n == 0:
		return "No open alerts"
	default:
		text := wording.Plural(n, "open alert")
		if n < v.All {
			text = wording.Thousands(n) + " of " + wording.Plural(v.All, "open alert")
		}
		if causes := len(v.Changes); causes < n {
			text += " with " + wording.Plural(causes, "cause")
		}
		return text
	}
}

// alertForm are the hidden fields of a form that answers alerts.
type alertForm struct {
	Token string
	View  any
	IDs   []string
}

// Form returns the hidden fields of a form of the page of alerts.
func (p page) Form(ids []string) alertForm { return alertForm{p.FormToken, p.View, ids} }

// Word is the severity as people read it.
func (a alertView) Word() string { return compare.Severity(a.Severity).Word() }

// Sentence is the text without the name of the site, which is shown before it.
func (a alertView) Sentence() string {
	text := strings.TrimPrefix(a.Text, escape.Show(a.Site)+": ")
	if text == "" { // it was raised in a maintenance window
		text = cmp.Or(a.Short(), a.Condition) + ". No message was sent yet"
	}
	return sentence(text)
}

// Short says in a few words what the alert is about.
func (a alertView) Short() string { return alert.Short(a.Condition) }

func newAlertView(a *history.Alert, now time.Time) alertView {
	v := alertView{
		ID: a.ID, Site: a.Site, Condition: a.Condition, Severity: a.Severity, Text: a.Text, Since: a.Since, Ended: a.Ended, Run: a.Raised, URLs: a.URLs,
		Subjects: a.Subjects[:min(len(a.Subjects), maxSubjects)], Acknowledged: a.Acknowledged, Silent: a.Acknowledged.After(now), Accepted: a.Accepted, Note: a.Note, Owner: a.Owner,
	}
	if a.EndedRun == "" {
		v.Next = alert.NextStep(a)
	}
	v.Acceptable = a.EndedRun == "" && alert.Acceptable(a.Condition)
	v.Class = severityClass(a.Severity)
	return v
}

// severityClasses are the styles of severities. Others are info.
var severityClasses = map[string]string{"critical": "critical", "high": "warn", "medium": "warn"}

func severityClass(severity string) string { return cmp.Or(severityClasses[severity], "info") }
