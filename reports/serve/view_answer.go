package serve

import (
	"crypto/subtle"
	"net/http"
	"strconv"
	"unicode/utf8"

	"robots-audit/engine/wording"
)

// answeredView says that an answer was saved.
type answeredView struct {
	Said string `json:"said"`
}

// errOnlyShown says that the dashboard cannot answer alerts.
var errOnlyShown = &failure{http.StatusForbidden, "this dashboard can show alerts, but not answer them"}

// viewAnswer saves an answer to the alert of the path, or to those of the form.
func (d *Desk) viewAnswer(e *exchange) error {
	if d.o.History == "" {
		return errNoHistory
	}
	if d.o.Acknowledge == nil {
		return errOnlyShown
	}
	if err := e.r.ParseForm(); err != nil {
		return badRequest("the form could not be read: " + err.Error())
	}
	form := e.r.PostForm
	if !d.guard.mayWrite(e.r, form.Get("form_token")) {
		return &failure{http.StatusForbidden, "this form is no longer valid. Open the page of alerts again, and send the form from there"}
	}
	a := Answer{Alerts: form["id"], Accept: form.Get("do") == "accept", Until: form.Get("until"), Note: form.Get("note"), Assign: form.Get("do") == "assign", Owner: form.Get("owner")}
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
	case utf8.RuneCountInString(a.Owner) > maxOwner || a.Owner == noOwner:
		return badRequest("owner: expected a name of at most " + strconv.Itoa(maxOwner) + " characters")
	case !a.Accept && !a.Assign && form.Get("do") != "acknowledge":
		return badRequest(`do: expected "acknowledge", "accept" or "assign"`)
	case !a.Accept && !a.Assign && a.Until == "":
		return badRequest("choose a day until which the alert is paused")
	}
	said, err := d.o.Acknowledge(e.r.Context(), a)
	if err != nil {
		return err
	}
	d.past.forget()
	if e.wantsJSON() {
		return e.json(http.StatusOK, answeredView{said})
	}
	return e.redirect(filter.link(d.o.link("/alerts"), "said", said, "by", d.guard.sign("said", said)))
}

// signed reports whether the dashboard itself made a message, so that a link cannot make it show another
// text.
func (g *guard) signed(said, by string) bool {
	return subtle.ConstantTimeCompare([]byte(by), []byte(g.sign("said", said))) == 1
}
