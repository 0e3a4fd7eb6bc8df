package alert

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"robots-audit/audit/compare"
)

var messageContext = Context{
	Run: "20261122T060000Z", Schedule: "shops", At: time.Date(2026, 11, 22, 7, 0, 0, 0, time.FixedZone("CET", 3600)),
	Links: Links{Page: "runs/20261122T060000Z/index.html", Workbook: "runs/20261122T060000Z/summary.xlsx", Comparison: "comparisons/20261122T060000Z/index.html"},
	Site:  func(site string) Links { return Links{Workbook: "runs/20261122T060000Z/" + site + ".xlsx"} },
}

// someEvents are real ones, each of a site with a name of its own.
func someEvents(t *testing.T) (events []Event) {
	t.Helper()
	for n, test := range conditionCases {
		if test.raised == "" || strings.Contains(test.name, " ") && n%2 == 0 {
			continue
		}
		s := newSite(t, plain())
		s.options = test.options
		s.run(0, false, nil)
		s.now = test.bad
		for _, e := range s.run(time.Hour, false, nil).Events {
			e.Text = strings.Replace(e.Text, host, fmt.Sprintf("shop%d.example", n), 1)
			e.Site = fmt.Sprintf("shop%d.example", n)
			events = append(events, e)
		}
		s.now = plain()
		if n == 4 {
			events = append(events, s.run(192*time.Minute, false, nil).Events...)
		}
	}
	return events
}

// TestDigest: 200 sites behind one dead server are one line, and all of them stand in JSON.
func TestDigest(t *testing.T) {
	s := newSite(t, plain())
	s.run(0, false, nil)
	s.now = with(func(s *served) { s.status = 503 })
	one := s.run(time.Hour, false, nil).Events[0]
	var events []Event
	for n := range 200 {
		e := one
		e.Site = fmt.Sprintf("site%03d.example", n)
		e.Alert, e.Text = ID(e.Site, e.Condition, e.Run), strings.Replace(e.Text, host, e.Site, 1)
		events = append(events, e)
	}
	s = newSite(t, plain())
	s.run(0, false, nil)
	s.now = body(robots + "Disalow: /x\n")
	events = append(events, s.run(time.Hour, false, nil).Events...)

	m, ok := Digest(messageContext, events)
	m, wanted := m.Filter("mail 1", compare.Info, nil)
	if !ok || !wanted || len(m.Lines) != 2 || len(m.Events) != 201 || m.Sites != 201 || len(m.Attachments) != MaxAttachments {
		t.Fatalf("%d lines, %d events of %d sites, %d workbooks", len(m.Lines), len(m.Events), m.Sites, len(m.Attachments))
	}
	const want = "200 sites: robots.txt cannot be had since 07:00 UTC: HTTP 503 Service Unavailable. Googlebot: everything is blocked from crawling, for at most 12 h more: " +
		"site000.example, site001.example, site002.example and 197 more."
	if m.Lines[0].Text != want || len(m.Lines[0].Alerts) != MaxIDs || !slices.Contains(m.Lines[0].Details, "1,800 known URLs concerned in all.") {
		t.Errorf("told as %+v", m.Lines[0])
	}
	if want := "Critical and 1 more: 200 sites: robots.txt cannot be had"; !strings.HasPrefix(m.Subject(), want) || len([]rune(m.Subject())) > 120 {
		t.Errorf("subject %q", m.Subject())
	}
	if n := len(m.Text()); n > 4000 {
		t.Errorf("a text of %d bytes", n)
	}
	high, _ := m.Filter("mail 2", compare.High, nil)
	if len(high.Lines) != 1 || high.Sites != 200 || high.ID == m.ID {
		t.Errorf("of the high ones: %+v", high.Lines)
	}
	for n := range 5000 {
		e := one
		e.Site = fmt.Sprintf("further%04d.example", n)
		e.Alert = ID(e.Site, e.Condition, e.Run)
		events = append(events, e)
	}
	many, _ := Digest(messageContext, events)
	many, _ = many.Filter("mail 1", compare.Info, nil)
	if text, err := json.Marshal(many); len(many.Events) != MaxEvents || many.EventsMore != 5201-MaxEvents || !strings.HasPrefix(many.Lines[0].Text, "5,200 sites: ") || err != nil || len(text) > 8<<20 {
		t.Errorf("%d events and %d more, %d bytes: %s", len(many.Events), many.EventsMore, len(text), many.Lines[0].Text)
	}
	two, _ := Digest(messageContext, events[:2])
	if len(two.Lines) != 2 {
		t.Errorf("two sites are told as %+v", two.Lines)
	}
}

// TestFilter: who was told of an alert is told of its end; the ID is the same for the same.
func TestFilter(t *testing.T) {
	event := func(kind Kind, severity, was compare.Severity, id string) Event {
		return Event{Kind: kind, Alert: id, Condition: "AL07", Severity: severity, Was: was, Site: "a.example", Text: id}
	}
	events := []Event{event(Ended, compare.Info, compare.Critical, "1"), event(Raised, compare.Medium, compare.Medium, "2"), event(Ended, compare.Info, compare.Medium, "3"), event(Worse, compare.High, compare.High, "4")}
	m, _ := Digest(messageContext, events)
	for least, want := range map[compare.Severity]string{compare.Critical: "1", compare.High: "4 1", compare.Medium: "4 2 1 3", compare.Info: "4 2 1 3"} {
		got, ok := m.Filter("mail 1", least, nil)
		var ids []string
		for _, e := range got.Events {
			ids = append(ids, e.Alert)
		}
		if strings.Join(ids, " ") != want || !ok {
			t.Errorf("from %s on: %q, want %s", least, ids, want)
		}
	}
	slices.Reverse(events)
	other, _ := Digest(messageContext, events)
	a, _ := m.Filter("mail 1", compare.Info, nil)
	b, _ := other.Filter("mail 1", compare.Info, nil)
	c, _ := m.Filter("mail 2", compare.Info, nil)
	if a.ID != b.ID || a.ID == c.ID || len(a.ID) != 16 {
		t.Errorf("ids %q, %q, %q", a.ID, b.ID, c.ID)
	}
	if _, ok := Digest(messageContext, nil); ok {
		t.Error("nothing is told")
	}
	none, _ := Digest(messageContext, events[:1])
	if _, ok := none.Filter("mail 1", compare.Critical, nil); ok && events[0].Was != compare.Critical {
		t.Error("a channel is told of what it does not want to know")
	}
	lost, ok := none.Filter("mail 1", compare.Critical, []string{m.GivenUp("421 try later\r\nBcc: x")})
	if !ok || !strings.Contains(lost.Text(), `(421 try later\x0D\x0ABcc: x): High and 3 more: 4.`) || !strings.Contains(lost.Subject(), "1 earlier message could not be delivered") {
		t.Errorf("%q\n%s", lost.Subject(), lost.Text())
	}
	if lost.GivenUp("x") != "" {
		t.Errorf("it had nothing new: %q", lost.GivenUp("x"))
	}
}

// TestMessageForms: JSON and back is the same message; nothing hidden gets into any form,
// and nothing from elsewhere into the page.
func TestMessageForms(t *testing.T) {
	events := someEvents(t)
	s := newSite(t, plain())
	s.run(0, false, nil)
	s.now = body("# staging \u202egnp.exe \x1b[31m <img src=x onerror=alert(1)>\x00\n" + robots)
	events = append(events, s.run(time.Hour, false, nil).Events...)
	m, _ := Digest(messageContext, events)
	m, _ = m.Filter("mail 1", compare.Info, []string{"The message on the run of 21 Nov 2026 07:00 CET could not be delivered (535 refused): Critical: b.example: robots.txt is empty: everything is open."})
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var back Message
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if again, _ := json.Marshal(back); string(again) != string(text) {
		t.Errorf("JSON and back:\n%s\n%s", text, again)
	}
	for _, form := range []string{m.Text(), m.HTML(), m.Subject(), m.Lead, back.Text(), back.HTML()} {
		for _, r := range form {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				t.Fatalf("%q in %s", r, form)
			}
		}
		if len(form) == 0 {
			t.Error("a form is empty")
		}
	}
	if strings.ContainsAny(m.Subject(), "\r\n") {
		t.Errorf("subject %q", m.Subject())
	}
	page := m.HTML()
	for _, no := range []string{"<img", "<script", "<link", "url(", `src="`, `href="`, "http-equiv", "@import"} {
		if strings.Contains(page, no) {
			t.Errorf("the page has %q", no)
		}
	}
	for _, l := range m.Lines {
		if !strings.Contains(m.Text(), l.Text) || !strings.Contains(page, l.Alerts[0]) {
			t.Errorf("the message does not say %q", l.Text)
		}
	}
	if dir := os.Getenv("ROBOTS_AUDIT_MESSAGE"); dir != "" { // to be looked at
		os.WriteFile(filepath.Join(dir, "message.html"), []byte(page), 0o644)
		os.WriteFile(filepath.Join(dir, "message.txt"), []byte(m.Text()), 0o644)
		os.WriteFile(filepath.Join(dir, "message.json"), text, 0o644)
	}
}
