package serve

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestAlerts lists alerts, and accepts answers only from the dashboard's own forms.
func TestAlerts(t *testing.T) {
	dir, _ := newHistory(t, shopFirst)
	var entered []string
	acknowledge := func(_ context.Context, id, until, note string, accept bool) (string, error) {
		if until == "yesterday" {
			return "", &Refusal{"that is over"}
		}
		entered = append(entered, fmt.Sprint(id, until, note, accept))
		return "said of " + id + " <b>", nil
	}
	_, a := newDesk(t, Options{History: dir, Acknowledge: acknowledge})
	var v alertsView
	if a.json("/alerts", &v); len(v.Open) != 3 || len(v.Ended) != len(hostileTexts)-3 || !v.Answers || v.Open[0].URLs != 3 || !v.Open[0].Acceptable {
		t.Fatalf("%+v", v)
	}
	v = alertsView{}
	if a.json("/alerts?site=other.example", &v); len(v.Open)+len(v.Ended) != 0 {
		t.Errorf("of another site: %+v", v)
	}
	var runs runsView
	if a.json("/", &runs); runs.Alerts != 3 {
		t.Errorf("%d alerts are told beside the runs, want 3", runs.Alerts)
	}
	answer, page := a.do("GET", "/alerts", "")
	harmless(t, "alerts", page)
	if !strings.Contains(page, "Alerts (3)") {
		t.Error("the bar does not count the alerts")
	}
	token := regexp.MustCompile(`name="form_token" value="([^"]+)"`).FindStringSubmatch(page)
	cookie := answer.Header.Get("Set-Cookie")
	if token == nil || cookie == "" {
		t.Fatal("the page has no form")
	}
	cookie, _, _ = strings.Cut(cookie, ";")
	post := func(form url.Values, cookie string) (*http.Response, string) {
		return a.do("POST", "/alerts/alert1", form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Cookie", cookie)
	}
	form := func(token, do, until string) url.Values {
		return url.Values{"form_token": {token}, "do": {do}, "until": {until}, "note": {"mine"}}
	}
	for what, c := range map[string]struct {
		form   url.Values
		cookie string
		status int
	}{
		"no token":        {form("", "acknowledge", "2026-12-31"), cookie, 403},
		"wrong token":     {form(token[1]+"x", "acknowledge", "2026-12-31"), cookie, 403},
		"no cookie":       {form(token[1], "acknowledge", "2026-12-31"), "", 403},
		"another session": {form(token[1], "acknowledge", "2026-12-31"), "robots-audit-session=" + strings.Repeat("a", 43), 403},
		"nothing to do":   {form(token[1], "", "2026-12-31"), cookie, 400},
		"no day":          {form(token[1], "acknowledge", ""), cookie, 400},
		"refused":         {form(token[1], "acknowledge", "yesterday"), cookie, 422},
	} {
		if answer, text := post(c.form, c.cookie); answer.StatusCode != c.status {
			t.Errorf("%s: %s %s", what, answer.Status, text)
		}
	}
	if entered != nil {
		t.Fatalf("entered: %q", entered)
	}
	answer, _ = post(form(token[1], "acknowledge", "2026-12-31"), cookie)
	if answer.StatusCode != http.StatusSeeOther || len(entered) != 1 || entered[0] != "alert12026-12-31minefalse" {
		t.Fatalf("%s, entered %q", answer.Status, entered)
	}
	_, page = a.do("GET", answer.Header.Get("Location"), "")
	harmless(t, "what was said", page)
	if !strings.Contains(page, "said of alert1 &lt;b&gt;") {
		t.Error("what was said is not shown")
	}
	if _, page := a.do("GET", "/alerts?said=send+your+password&by=x", ""); strings.Contains(page, "password") {
		t.Error("a link has the desk say anything")
	}
	if answer, _ := post(form(token[1], "accept", ""), cookie); answer.StatusCode != http.StatusSeeOther || len(entered) != 2 || entered[1] != "alert1minetrue" {
		t.Errorf("accepted: %s, entered %q", answer.Status, entered)
	}

	_, a = newDesk(t, Options{History: dir})
	_, page = a.do("GET", "/alerts", "")
	token = regexp.MustCompile(`content="([^"]+)" name="form-token"|name="form_token" value="([^"]+)"`).FindStringSubmatch(page)
	if token != nil || !strings.Contains(page, "can show alerts, but not answer them") {
		t.Error("alerts that can only be read have a form")
	}
	if answer, _ := post(form("x", "accept", ""), ""); answer.StatusCode != http.StatusForbidden {
		t.Errorf("answer to what can only be read: %s", answer.Status)
	}
}
