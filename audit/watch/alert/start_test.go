package alert

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"robots-audit/audit/compare"
)

// initialEvents are those of a site's first run.
func initialEvents(t *testing.T, now served, site string) []Event {
	t.Helper()
	return renamed(newSite(t, now).run(0, false, nil).Events, site)
}

// TestStart makes the message of a run in which the monitoring of sites starts: whatever is wrong, and
// whatever the channel wants to know, there is one.
func TestStart(t *testing.T) {
	critical, missing, fine := body("User-agent: *\nDisallow: /\n\nSitemap: http://shop.example/sitemap.xml\n"), with(func(s *served) { s.status = 404 }), plain()
	names := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf("shop%d.example", i))
		}
		return list
	}
	many := func(n int, now served) (events []Event) { // with another line for each site
		for i, name := range names(n) {
			for _, e := range initialEvents(t, now, name) {
				e.Cause = fmt.Sprint(e.Cause, i)
				events = append(events, e)
			}
		}
		return events
	}
	known := renamed(eventsOf(t, fine, with(func(s *served) { s.status = 503 })), "known.example")
	for _, test := range []struct {
		name, subject, summary string
		started                []string
		brief                  bool
		events                 []Event
		lines, more, left      int // left = events of the message
		least                  compare.Severity
	}{
		{"nothing is wrong", "Monitoring of 43 sites started, without alerts", "Monitoring of 43 sites started. There is no alert.", names(43), false, nil, 0, 0, 0, compare.Critical},
		{"one site", "Monitoring of shop0.example started: the home page is blocked", "Monitoring of shop0.example started. There are alerts already.", names(1), false, many(1, critical), 1, 0, 1, compare.Info},
		{"some sites", "Monitoring of 43 sites started: 3 with alerts (critical: 2)", "Monitoring of 43 sites started. 3 sites have alerts already: critical at 2, info at 1.",
			names(43), false, append(many(2, critical), initialEvents(t, missing, "shop2.example")...), 3, 0, 3, compare.Info},
		{"a channel for severe ones", "Monitoring of 43 sites started: 3 with alerts (critical: 2)", "Monitoring of 43 sites started. 3 sites have alerts already: critical at 2, info at 1.",
			names(43), false, append(many(2, critical), initialEvents(t, missing, "shop2.example")...), 2, 0, 2, compare.Critical},
		{"many sites", "Monitoring of 43 sites started: 30 with alerts (critical: 30)", "Monitoring of 43 sites started. 30 sites have alerts already: critical at 30.",
			names(43), false, many(30, critical), 20, 10, 30, compare.Info},
		{"counted only", "Monitoring of 43 sites started: 30 with alerts (critical: 30)",
			"Monitoring of 43 sites started. 30 sites have alerts already: critical at 30. They are open from now on, and not listed here.", names(43), true, many(30, critical), 0, 0, 0, compare.Info},
		{"and news of other sites", "Critical at 2 sites: shop0.example and known.example",
			"Monitoring of shop0.example started. There are alerts already. Alerts for 2 sites: critical at 2.", names(1), false, append(many(1, critical), known...), 2, 0, 2, compare.Info},
		{"counted only, and news of other sites", "Critical: known.example: robots.txt could not be fetched",
			"Monitoring of shop0.example started. There are alerts already. They are open from now on, and not listed here. Alerts for 1 site: critical at 1.", names(1), true, append(many(1, critical), known...), 1, 0, 1, compare.Info},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := messageContext
			c.Started, c.Brief = test.started, test.brief
			whole, ok := Digest(c, test.events)
			m, told := whole.Filter("mail 1", test.least, nil)
			if !ok || !told || m.Empty() {
				t.Fatal("no message")
			}
			_, m = stored(t, m)
			if got := m.Subject(); got != test.subject || utf8.RuneCountInString(got) > maxSubject {
				t.Errorf("subject %q", got)
			}
			if got := m.Summary(); !strings.HasPrefix(got, test.summary+" Run of ") {
				t.Errorf("summary %q", got)
			}
			if len(m.Lines) != test.lines || m.LinesMore != test.more || len(m.Events) != test.left || m.Start.Sites != len(test.started) {
				t.Errorf("%d lines and %d more, %d events, %+v", len(m.Lines), m.LinesMore, len(m.Events), m.Start)
			}
			start, _, _ := strings.Cut(m.Lead, "\n")
			for name, text := range map[string]string{"text": m.Text(), "HTML": m.HTML(), "JSON": start} {
				if !strings.Contains(text, m.Start.sentence()) {
					t.Errorf("%s does not say that the monitoring starts: %s", name, text)
				}
			}
			if again, _ := whole.Filter("mail 1", test.least, nil); again.ID != m.ID {
				t.Error("another ID for the same message")
			}
			if m.GivenUp("x") == "" {
				t.Error("its loss is not told")
			}
		})
	}
	// What is wrong with a site in its first run is not one change, to be accepted as a whole.
	c := messageContext
	c.Started = []string{"shop.example"}
	m, _ := Digest(c, initialEvents(t, body("# staging\nUser-agent: *\nDisallow: /\n"), "shop.example"))
	if text := m.Text(); len(m.Events) < 2 || !strings.Contains(text, "-accept ") || strings.Contains(text, "-all") {
		t.Errorf("%d events: %s", len(m.Events), text)
	}
	if _, ok := Digest(messageContext, nil); ok {
		t.Error("a message without news")
	}
}
