package alert

import (
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
			list = append(list, history.Alert{ID: ID("shop.example", "AL07", string(rune('a'+i))), Site: "shop.example", Condition: "AL07", Severity: "high", Since: at.AddDate(0, 0, -20+i), Text: "shop.example: a sitemap is missing."})
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
