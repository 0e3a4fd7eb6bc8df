package delivery

import (
	"context"
	"net/http"
	"strings"
	"time"

	"robots-audit/audit/watch/alert"
)

// Test sends an example of an alert, marked as a test, by one channel, whatever its minimum
// severity. It needs no store, and tries only once. The text of the result says who accepted it and
// what the answer was, or why it failed and what to do.
func Test(ctx context.Context, c Channel, home alert.Home, now time.Time) Try {
	m := alert.Example(c.Common().Name, alert.Raised, now)
	if w, ok := c.(*Webhook); ok && w.PerEvent { // the alert is opened and resolved
		m.Events = append(m.Events, alert.Example(c.Common().Name, alert.Ended, now).Events...)
	}
	m.Place(home)
	t := Try{ID: m.ID, Channel: c.Common().Name, Tries: 1, State: Accepted}
	r, failed := deliver(ctx, c, parcel{id: m.ID, message: m, entered: now, tries: patience})
	if failed == nil {
		t.Text = r.answer
		if r.note != "" {
			t.Text += ". But " + r.note
		}
		return t
	}
	t.State, t.Text = Failed, failed.what
	if failed.remedy != "" {
		t.Text = strings.TrimRight(failed.what, ". ") + ". " + failed.remedy
	}
	return t
}

// statusRemedy says what to do about an HTTP status that is no success.
func statusRemedy(status int) string {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return "Check the URL and the secret"
	case status == http.StatusNotFound, status == http.StatusGone:
		return "The receiver does not know this URL. Make a new webhook there, and use its URL"
	case status == http.StatusMethodNotAllowed:
		return "The URL accepts no POST. Check it"
	case status == http.StatusTooManyRequests:
		return "Try again in some minutes"
	case status/100 == 4:
		return "Check the URL, and format or template: the receiver does not accept this message"
	case status/100 == 5:
		return "Try again later. If it stays, ask the operator of the receiver"
	}
	return ""
}
