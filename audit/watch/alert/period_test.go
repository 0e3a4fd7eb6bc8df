package alert

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

// TestSummary makes the message of a week, in which much or nothing has happened.
func TestSummary(t *testing.T) {
	at := time.Date(2026, 11, 23, 8, 0, 0, 0, cet)
	open := func(n int) (list []history.Alert) {
		for i := range n {
			list = append(list, history.Alert{ID: ID("shop.example", "AL07", string(rune('a'+i))), Site: "shop.example", Condition: "AL07", Severity: "high", Since: at.AddDate(0, 0, -20+i), Raised: fmt.Sprint(i), Text: "shop.example: a sitemap is missing."})
		}
		return append(list, history.Alert{ID: "quiet", Site: "shop.example", Condition: "AL11", Severity: "medium", Since: at.AddDate(-1, 0, 0)}) // raised in a maintenance window
	}
	for _, test := range []struct {
		name, subject, summary string
		runs, changed, open    int
		still                  int // lines
	}{
		{"nothing", "Nothing changed on 43 sites, no alert is open", "Since 16 Nov 2026 08:00 CET: 7 runs, and nothing changed on 43 sites. No alert is open.", 7, 0, 0, 0},
		{"nothing new", "Nothing changed on 43 sites, 2 alerts are open", "Since 16 Nov 2026 08:00 CET: 7 runs, and nothing changed on 43 sites. 2 alerts are open, the oldest since 3 Nov 2026.", 7, 0, 2, 2},
		{"one alert", "Nothing changed on 43 sites, 1 alert is open", "Since 16 Nov 2026 08:00 CET: 7 runs, and nothing changed on 43 sites. 1 alert is open, since 3 Nov 2026.", 7, 0, 1, 1},
		{"changes", "Changes on 5 of 43 sites, 30 alerts are open", "Since 16 Nov 2026 08:00 CET: 1 run, and changes on 5 of 43 sites. 30 alerts are open, the oldest since 3 Nov 2026.", 1, 5, 30, 21},
		{"no run", "No run was stored since 16 Nov, no alert is open", "Since 16 Nov 2026 08:00 CET: no run was stored. No alert is open.", 0, 0, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := Period{Kind: KindSummary, Due: at.UTC(), From: at.AddDate(0, 0, -7).UTC(), Runs: test.runs, Sites: 43, Changed: test.changed, Still: []string{}}
			p.AddOpen(open(test.open))
			whole, ok := Digest(Context{Run: "20261123T060000Z", At: at, Period: &p}, nil)
			m, told := whole.Filter("mail 1", compare.Critical, nil)
			if _, m = stored(t, m); !ok || !told || m.ID != p.ID("mail 1") || p.ID("mail 2") == m.ID {
				t.Fatal("no message, or without an ID of its own")
			}
			if got := m.Subject(); got != test.subject || utf8.RuneCountInString(got) > maxSubject {
				t.Errorf("subject %q", got)
			}
			if got := m.Summary(); got != test.summary {
				t.Errorf("summary %q", got)
			}
			if got := m.Still(); len(got) != test.still || test.still > 0 && !strings.HasPrefix(got[0], "Error, since 3 Nov 2026: shop.example: a sitemap is missing.") {
				t.Errorf("open alerts %q", got)
			}
			for name, text := range map[string]string{"text": m.Text(), "HTML": m.HTML(), "JSON": m.Lead} {
				if !strings.Contains(text, test.summary) || test.still > 0 && name != "JSON" && strings.Count(text, "a sitemap is missing") != min(test.open, maxStill) {
					t.Errorf("%s: %s", name, text)
				}
			}
		})
	}
}

// TestOpenCauses makes one text of the alerts that one run raised on one site, and counts all of them.
// Links of the message say that they are those of the newest run.
func TestOpenCauses(t *testing.T) {
	since := time.Date(2026, 11, 16, 6, 0, 0, 0, time.UTC)
	var open []history.Alert
	add := func(site, run, condition, severity, text string) {
		open = append(open, history.Alert{ID: ID(site, condition, run), Site: site, Raised: run, Condition: condition, Severity: severity, Since: since, Text: site + ": " + text + "."})
	}
	add("shop.example", "2", "AL01", "critical", "the home page is blocked")
	add("shop.example", "2", "AL07", "high", "a sitemap is missing")
	add("shop.example", "1", "AL07", "high", "another sitemap is missing")
	for i := range maxStill {
		add(fmt.Sprintf("site%d.example", i), "3", "AL10", "medium", "the policy changed")
	}
	for i := range maxStill {
		add(fmt.Sprintf("site%d.example", i), "3", "AL12", "medium", "there is an issue")
	}
	add("shop.example", "2", "AL11", "medium", "more URLs are blocked")
	p := Period{Kind: KindSummary, Due: since.AddDate(0, 0, 7), From: since, Runs: 7, Sites: 43, Changed: 5, Still: []string{}}
	p.AddOpen(open)
	m, _ := Digest(Context{Run: "20261123T060000Z", At: since.AddDate(0, 0, 7), Period: &p, Links: Links{Page: "runs/1/index.html", Comparison: "comparisons/1/index.html"}}, nil)
	list := m.Still()
	if p.Open != len(open) || len(list) != maxStill+1 {
		t.Fatalf("%d alerts in %d texts: %q", p.Open, len(list), list)
	}
	for i, want := range map[int]string{
		0: "Critical, since 16 Nov 2026: shop.example: the home page is blocked. 2 more alerts with this cause.",
		1: "Error, since 16 Nov 2026: shop.example: another sitemap is missing.",
		2: "Warning, since 16 Nov 2026: site0.example: the policy changed. 1 more alert with this cause.",
		// 18 of the 20 sites have a text
		maxStill: "4 more alerts.",
	} {
		if list[i] != want {
			t.Errorf("text %d: %q, want %q", i, list[i], want)
		}
	}
	m.Place(Home{Base: "https://audit.example/"})
	for link, name := range map[string]string{"runs/1/index.html": "Page of the newest run", "comparisons/1/index.html": "What changed in the newest run"} {
		if !slices.Contains(m.RunLinks(), Fact{Name: name, URL: "https://audit.example/" + link}) {
			t.Errorf("no link %q: %+v", name, m.RunLinks())
		}
	}
}

// TestUrgent: what waits for a digest, and what does not.
func TestUrgent(t *testing.T) {
	events := someEvents(t)
	m, _ := Digest(messageContext, events)
	urgent := m.Urgent()
	if n := len(urgent.Events); n == 0 || n == len(events) {
		t.Fatalf("%d of %d events are urgent", n, len(events))
	}
	for _, e := range events {
		now := false
		for _, u := range urgent.Events {
			now = now || u.Alert == e.Alert && u.Kind == e.Kind
		}
		if now != (e.Was == compare.Critical) {
			t.Errorf("%s %s (%s): sent at once: %v", e.Kind, e.Condition, e.Was, now)
		}
	}
	p := Period{Kind: KindDigest, Still: []string{}}
	if m, ok := Digest(Context{Period: &p}, nil); ok || !m.Empty() {
		t.Error("a digest without news")
	}
}
