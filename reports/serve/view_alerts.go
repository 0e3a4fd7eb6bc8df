package serve

import (
	"context"
	"crypto/subtle"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
)

// alertsView is the page of alerts.
type alertsView struct {
	Site    string      `json:"site,omitempty"` // only the alerts of this site
	Open    []alertView `json:"open"`
	Ended   []alertView `json:"ended"`
	More    bool        `json:"more,omitempty"` // there are more resolved alerts
	Answers bool        `json:"answers"`        // they can be acknowledged here
	Said    string      `json:"said,omitempty"`
	Sites   []string    `json:"-"` // sites of these alerts
	Today   string      `json:"-"`
}

// alertView is an alert.
type alertView struct {
	ID           string    `json:"id"`
	Site         string    `json:"site"`
	Condition    string    `json:"condition"`
	Severity     string    `json:"severity"`
	Class        string    `json:"-"`
	Text         string    `json:"text"`
	Since        time.Time `json:"since"`
	Ended        time.Time `json:"ended,omitzero"`
	Run          string    `json:"run"` // run that raised it
	RunLink      string    `json:"-"`   // "" = its folder was removed
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
	maxEnded    = 100
	maxAnswer   = 2000 // bytes of a note
	maxSubjects = 20
)

// viewAlerts lists the alerts, open ones first.
func (d *Desk) viewAlerts(e *exchange) error {
	v := alertsView{Site: e.query("site"), Open: []alertView{}, Ended: []alertView{}, Answers: d.o.Acknowledge != nil, Today: d.o.Now().Format(time.DateOnly)}
	if said := e.query("said"); said != "" && d.guard.signed(said, e.query("by")) {
		v.Said = said
	}
	var list []history.Alert
	err := d.past.read(func(db *history.DB) (err error) {
		list, err = db.Alerts(e.r.Context(), history.AlertFilter{Site: v.Site, Limit: maxAlerts})
		return err
	})
	if err != nil {
		return err
	}
	folders := map[string]bool{}
	if runs, err := d.runs.list(); err == nil {
		for _, r := range runs {
			folders[r.Run] = !r.Gone && r.Trouble == ""
		}
	}
	for i := range list {
		a := newAlertView(&list[i], d.o.Now())
		if folders[a.Run] {
			a.RunLink = d.o.runLink(a.Run)
		}
		if !slices.Contains(v.Sites, a.Site) {
			v.Sites = append(v.Sites, a.Site)
		}
		switch {
		case a.Ended.IsZero():
			v.Open = append(v.Open, a)
		case len(v.Ended) < maxEnded:
			v.Ended = append(v.Ended, a)
		default:
			v.More = true
		}
	}
	v.More = v.More || len(list) == maxAlerts
	slices.Sort(v.Sites)
	return e.show("alerts.html", "Alerts", "Alerts", v)
}

// Word is the severity as people read it.
func (a alertView) Word() string { return compare.Severity(a.Severity).Word() }

func newAlertView(a *history.Alert, now time.Time) alertView {
	v := alertView{
		ID: a.ID, Site: a.Site, Condition: a.Condition, Severity: a.Severity, Text: a.Text, Since: a.Since, Ended: a.Ended, Run: a.Raised, URLs: a.URLs,
		Subjects: a.Subjects[:min(len(a.Subjects), maxSubjects)], Acknowledged: a.Acknowledged, Silent: a.Acknowledged.After(now), Accepted: a.Accepted, Note: a.Note,
	}
	v.Acceptable = a.EndedRun == "" && alert.Acceptable(a.Condition)
	switch a.Severity {
	case "critical":
		v.Class = "critical"
	case "high":
		v.Class = "warn"
	default:
		v.Class = "info"
	}
	return v
}

// viewAnswer saves an answer to an alert.
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
	note, id := form.Get("note"), e.r.PathValue("id")
	accept := form.Get("do") == "accept"
	switch {
	case len(note) > maxAnswer:
		return badRequest("the note is too long: at most " + strconv.Itoa(maxAnswer) + " bytes")
	case !accept && form.Get("do") != "acknowledge":
		return badRequest(`do: expected "acknowledge" or "accept"`)
	case !accept && form.Get("until") == "":
		return badRequest("choose a day until which the alert is paused")
	}
	said, err := d.o.Acknowledge(e.r.Context(), id, form.Get("until"), note, accept)
	if err != nil {
		return err
	}
	d.past.forget()
	if e.wantsJSON() {
		return e.json(http.StatusOK, map[string]string{"said": said})
	}
	to := url.Values{"said": {said}, "by": {d.guard.sign("said", said)}}
	if site := form.Get("site"); site != "" {
		to.Set("site", site)
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
	mu   sync.Mutex
	at   time.Time
	open int
}

// countAge is how long the count of alerts in the bar is valid.
const countAge = 5 * time.Second

// alerts is the number of open alerts; 0 also if it is unknown.
func (p *past) alerts() int {
	if p.dir == "" {
		return 0
	}
	p.count.mu.Lock()
	defer p.count.mu.Unlock()
	if time.Since(p.count.at) < countAge {
		return p.count.open
	}
	ctx, cancel := context.WithTimeout(context.Background(), countAge)
	defer cancel()
	p.count.open, p.count.at = 0, time.Now()
	p.read(func(db *history.DB) error { // the page of alerts shows errors
		list, err := db.Alerts(ctx, history.AlertFilter{Open: true, Limit: maxAlerts})
		p.count.open = len(list)
		return err
	})
	return p.count.open
}

// forget makes the next call count the alerts again.
func (p *past) forget() {
	p.count.mu.Lock()
	defer p.count.mu.Unlock()
	p.count.at = time.Time{}
}
