package serve

import (
	"cmp"
	"context"
	"crypto/subtle"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// alertFilter selects the alerts of the page. Alerts of one change stay together.
type alertFilter struct {
	Site     string `json:"site,omitempty"`
	Severity string `json:"severity,omitempty"` // lowest severity of the most severe alert of a change: "error"
	Age      string `json:"age,omitempty"`      // time since the change: one of ages
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

// viewAnswer saves an answer to the alert of the path, or to those of the form.
func (d *Desk) viewAnswer(e *exchange) error {
	if d.o.History == "" {
		return errNoHistory
	}
	if d.o.Acknowledge == nil {
		return &failure{http.StatusForbidden, "this dashboard can show alerts, but not answer them"}
	}
	if err := e.r.ParseForm(); err != nil {
		return badRequest("the form could not be read: " + err.Error())
	}
	form := e.r.PostForm
	if !d.guard.mayWrite(e.r, form.Get("form_token")) {
		return &failure{http.StatusForbidden, "this form is no longer valid. Open the page of alerts again, and send the form from there"}
	}
	a := Answer{Alerts: form["id"], Accept: form.Get("do") == "accept", Until: form.Get("until"), Note: form.Get("note")}
	if id := e.r.PathValue("id"); id != "" {
		a.Alerts = []string{id}
	}
	filter, err := newAlertFilter(form.Get)
	switch {
	case err != nil:
		return err
	case len(a.Alerts) == 0 || len(a.Alerts) > maxAlerts:
		return badRequest("id: expected the IDs of 1 to " + wording.Thousands(maxAlerts) + " alerts")
	case len(a.Note) > maxAnswer:
		return badRequest("the note is too long: at most " + strconv.Itoa(maxAnswer) + " bytes")
	case !a.Accept && form.Get("do") != "acknowledge":
		return badRequest(`do: expected "acknowledge" or "accept"`)
	case !a.Accept && a.Until == "":
		return badRequest("choose a day until which the alert is paused")
	}
	said, err := d.o.Acknowledge(e.r.Context(), a)
	if err != nil {
		return err
	}
	d.past.forget()
	if e.wantsJSON() {
		return e.json(http.StatusOK, map[string]string{"said": said})
	}
	to := url.Values{"said": {said}, "by": {d.guard.sign("said", said)}}
	for name, value := range filter.Fields() {
		to.Set(name, value)
	}
	http.Redirect(e.w, e.r, d.o.link("/alerts?")+to.Encode(), http.StatusSeeOther)
	return nil
}

// signed reports whether the dashboard itself made a message, so that a link cannot make it show another
// text.
func (g *guard) signed(said, by string) bool {
	return subtle.ConstantTimeCompare([]byte(by), []byte(g.sign("said", said))) == 1
}

// alertCount is the last count of open alerts.
type alertCount struct {
	mu    sync.Mutex
	at    time.Time
	open  int
	known bool
}

// countAge is how long the count of alerts in the bar is valid.
const countAge = 5 * time.Second

// alerts is the number of open alerts. known is false if it could not be read, or there is no history.
func (p *past) alerts() (open int, known bool) {
	if p.dir == "" {
		return 0, false
	}
	p.count.mu.Lock()
	defer p.count.mu.Unlock()
	if time.Since(p.count.at) < countAge {
		return p.count.open, p.count.known
	}
	ctx, cancel := context.WithTimeout(context.Background(), countAge)
	defer cancel()
	p.count.open, p.count.at = 0, time.Now()
	err := p.read(func(db *history.DB) error { // the page of alerts shows errors
		list, err := db.Alerts(ctx, history.AlertFilter{Open: true, Limit: maxAlerts})
		p.count.open = len(list)
		return err
	})
	p.count.known = err == nil
	return p.count.open, p.count.known
}

// forget makes the next call count the alerts again.
func (p *past) forget() {
	p.count.mu.Lock()
	defer p.count.mu.Unlock()
	p.count.at = time.Time{}
}
