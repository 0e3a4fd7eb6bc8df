package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestScheduleFirst has a site with each condition that may be there in the first run. The message of
// that run reports it, the next run does not, and the run after the fix reports its end once. A site
// that is added later begins then. A rebuilt history is the same.
func TestScheduleFirst(t *testing.T) {
	first := []string{"AL01", "AL02", "AL03", "AL04", "AL05", "AL06", "AL07", "AL08", "AL09"}
	for _, test := range []struct {
		mode          string
		lists, counts bool // the first message lists the alerts, and counts the sites
	}{{"", true, true}, {"alert", true, true}, {"summary", false, true}, {"none", false, false}} {
		t.Run("first="+test.mode, func(t *testing.T) {
			w := newEdited(t)
			if test.mode != "" {
				text := strings.Replace(w.files["config.toml"], "[[schedule]]\n", fmt.Sprintf("[[schedule]]\nfirst = %q\n", test.mode), 1)
				w.write(t, "config.toml", text)
			}
			s := story{script: map[string][]span{}}
			for _, c := range first {
				s.script[c] = []span{{1, 3}}
			}
			run := func(n int) {
				w.dress(t, s, n)
				w.once(t)
				w.now = w.now.Truncate(time.Hour).Add(time.Hour)
			}
			for n := 1; n <= 4; n++ {
				if n == 2 { // a site is added
					w.wears("new.example.com", twists[0].face)
					w.write(t, "list", w.files["list"]+"new.example.com\n")
				}
				run(n)
			}
			told := map[string][]string{} // by run, "raised AL01 of al01.example.com"
			var starts []string
			for _, m := range messagesIn(t, filepath.Join(w.dir, "alerts.jsonl")) {
				if m.Start != nil {
					starts = append(starts, fmt.Sprint(m.Run[:11], " ", m.Start.Sites, " ", m.Start.Alerts))
				}
				for _, e := range m.Events {
					told[e.Run[:11]] = append(told[e.Run[:11]], fmt.Sprint(e.Kind, " ", e.Condition, " of ", e.Site))
				}
			}
			var raised, ended, added []string
			for _, c := range first {
				host := strings.ToLower(c) + ".example.com"
				raised, ended = append(raised, "raised "+c+" of "+host), append(ended, "ended "+c+" of "+host)
				if c == "AL09" {
					raised, ended = append(raised, "raised AL01 of "+host), append(ended, "ended AL01 of "+host)
				}
			}
			added = []string{"raised AL01 of new.example.com"}
			if test.mode == "none" { // a robots.txt that cannot be fetched is always an alert
				raised, ended, added = []string{"raised AL03 of al03.example.com"}, []string{"ended AL03 of al03.example.com"}, nil
			} else if !test.lists {
				raised, added = nil, nil
			}
			expect := func(id string, want []string) {
				t.Helper()
				got := slices.DeleteFunc(slices.Sorted(slices.Values(told[id])), func(s string) bool { // a changed file may have news of its own
					return id == "20261102T08" && (strings.HasPrefix(s, "raised AL1") || test.mode == "none" && !strings.Contains(s, "AL03"))
				})
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("run %s told\n%s\ndue\n%s", id, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
			expect("20261102T06", raised)
			expect("20261102T07", added)
			expect("20261102T08", ended)
			expect("20261102T09", nil)
			if want := []string{"20261102T06 12 map[critical:4 high:2 info:2 medium:1]", "20261102T07 1 map[critical:1]"}; test.counts != slices.Equal(starts, want) || !test.counts && starts != nil {
				t.Errorf("started %q", starts)
			}
			w.remade(t)
		})
	}
}
