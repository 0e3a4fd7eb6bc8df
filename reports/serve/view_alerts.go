package serve

import (
	"cmp"
	"net/url"
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
	Changes []change    `json:"changes"` // the open alerts, by what raised them
	Open    []alertView `json:"open"`
	Ended   []alertView `json:"ended"`
	More    bool        `json:"more,omitempty"` // there are more alerts
	Answers bool        `json:"answers"`        // they can be acknowledged here
	Said    string      `json:"said,omitempty"`

	Resolved []change  `json:"-"`
	All      int       `json:"-"` // open alerts, with those that the filter leaves out
	Newest   time.Time `json:"-"` // start of the newest run; zero = there is none
	Sites    []string  `json:"-"` // sites that have or had alerts
	Today    string    `json:"-"`
}

// change has the alerts that one run raised on one site, in one state: open, or ended by one run.
type change struct {
	Site     string   `json:"site"`
	Run      string   `json:"run"`                // run that raised them
	Alerts   []string `json:"alerts"`             // IDs, most severe first, and last those that follow from others
	Compared string   `json:"compared,omitempty"` // page of the comparison of the run
	Versions string   `json:"versions,omitempty"` // page with robots.txt before and after
	Link     string   `json:"link,omitempty"`     // page of the site in the run; left out = its folder was removed
	Newest   string   `json:"newest,omitempty"`   // then the page of the site in the newest run

	List []alertView `json:"-"`
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
	Acceptable   bool      `json:"acceptable,omitempty"`
}

// Limits of the alerts that are shown.
const (
	maxAlerts   = 1000 // open alerts
	maxEnded    = 100  // resolved ones, and changes with them
	maxAnswer   = 2000 // bytes of a note
	maxSubjects = 20
)

// viewAlerts lists the alerts by what raised them, open ones first.
func (d *Desk) viewAlerts(e *exchange) error {
	filter, err := newAlertFilter(e.query)
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
		v.Sites, err = db.AlertSites(e.r.Context(), maxAlerts)
		return err
	})
	if err != nil {
		return err
	}
	runs := map[string]*listed{}
	known, err := d.runs.list()
	if err != nil {
		known = nil
	}
	for _, r := range known {
		runs[r.Run] = r
	}
	if len(known) > 0 {
		v.Newest = known[0].Started
	}
	for _, group := range groupAlerts(list) {
		c := newChange(group, now)
		switch {
		case group[0].EndedRun == "":
			d.linkChange(&c, runs[c.Run], edits)
			if key := newestLike(known, c.Run); key != "" && c.Link == "" {
				if r, err := d.runs.find(key); err == nil {
					if _, site, err := r.site(c.Site); err == nil {
						c.Newest = d.o.siteLink(key, site.Base)
					}
				}
			}
			v.Changes = append(v.Changes, c)
		case len(v.Resolved) < maxEnded:
			v.Resolved = append(v.Resolved, c)
		default:
			v.More = true
		}
	}
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
	open, _ := d.past.alerts()
	v.All = max(open, len(v.Open))
	return e.show("alerts.html", "Alerts", "Alerts", v)
}

// groupAlerts groups alerts by the run and the site that raised them, and by the run that ended them. The groups
// are in the order of their first alerts.
func groupAlerts(list []history.Alert) (groups [][]history.Alert) {
	type key struct{ site, raised, ended string }
	at := map[key]int{}
	for _, a := range list {
		k := key{a.Site, a.Raised, a.EndedRun}
		n, known := at[k]
		if !known {
			n = len(groups)
			at[k], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], a)
	}
	return groups
}

func newChange(group []history.Alert, now time.Time) change {
	alert.SortChange(group)
	c := change{Site: group[0].Site, Run: group[0].Raised}
	for i := range group {
		c.Alerts, c.List = append(c.Alerts, group[i].ID), append(c.List, newAlertView(&group[i], now))
	}
	return c
}

// linkChange adds the links to what there is of the run that raised a change; run is nil if it is unknown.
func (d *Desk) linkChange(c *change, run *listed, edits map[string]history.Edit) {
	if run == nil {
		return
	}
	if run.Compared != "" {
		c.Compared = run.Compared + "#site-" + url.PathEscape(c.Site)
	}
	if run.Gone || run.Trouble != "" {
		return
	}
	c.Link = d.o.siteLink(c.Run, c.Site)
	for _, id := range c.Alerts {
		if edit, ok := edits[id]; ok {
			c.Versions = c.Link + "/versions?" + url.Values{"old": {edit.Old}, "new": {edit.New}}.Encode()
			return
		}
	}
}

// IDs are the IDs of the open alerts.
func (v alertsView) IDs() (ids []string) {
	for i := range v.Open {
		ids = append(ids, v.Open[i].ID)
	}
	return ids
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

// First is the most severe alert.
func (c change) First() alertView { return c.List[0] }

// Next is the first thing to do; "" = it needs a comparison, and there is none.
func (c change) Next() string {
	next := c.List[0].Next
	if c.Compared == "" && strings.Contains(next, "comparison") {
		return ""
	}
	return next
}

// Others are the other alerts.
func (c change) Others() []alertView { return c.List[1:] }

// Class is the style of the most severe alert.
func (c change) Class() string { return c.List[0].Class }

// Left is the number of alerts that are not accepted.
func (c change) Left() int { return c.count(func(a *alertView) bool { return a.Accepted.IsZero() }) }

// Acceptable is the number of these that can be accepted.
func (c change) Acceptable() int {
	return c.count(func(a *alertView) bool { return a.Accepted.IsZero() && a.Acceptable })
}

// Never reports whether one of the alerts cannot be accepted at all.
func (c change) Never() bool { return c.count(func(a *alertView) bool { return !a.Acceptable }) > 0 }

func (c change) count(is func(*alertView) bool) (n int) {
	for i := range c.List {
		if is(&c.List[i]) {
			n++
		}
	}
	return n
}

// Note is the note of all alerts; "" = they have none, or different ones.
func (c change) Note() string {
	for i := range c.List {
		if c.List[i].Note != c.List[0].Note {
			return ""
		}
	}
	return c.List[0].Note
}

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
		Subjects: a.Subjects[:min(len(a.Subjects), maxSubjects)], Acknowledged: a.Acknowledged, Silent: a.Acknowledged.After(now), Accepted: a.Accepted, Note: a.Note,
	}
	if a.EndedRun == "" {
		v.Next = alert.NextStep(a)
	}
	v.Acceptable = a.EndedRun == "" && alert.Acceptable(a.Condition)
	v.Class = severityClass(a.Severity)
	return v
}

// severityClass is the style of a severity.
func severityClass(severity string) string {
	switch severity {
	case "critical":
		return "critical"
	case "high", "medium":
		return "warn"
	}
	return "info"
}
