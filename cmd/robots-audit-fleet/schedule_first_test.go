package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/cmd/internal/job"
	"robots-audit/cmd/internal/scheduling"
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

// TestScheduleShared has two schedules that share sites. The second does not report again what the
// first has, nor what was accepted. A site that only one of them drops keeps its alerts, and one that
// is added again begins anew.
func TestScheduleShared(t *testing.T) {
	w := newEdited(t)
	w.write(t, "config.toml", strings.Replace(w.files["config.toml"], "[alerts]\n", "[[schedule]]\nname = \"weekly\"\ncron = \"0 0 * * MON\"\ndomains = \"weekly\"\n[alerts]\n", 1))
	w.write(t, "list", "al01.example.com\nal04.example.com\n")
	w.write(t, "weekly", "al01.example.com\nal04.example.com\n")
	w.dress(t, story{script: map[string][]span{"AL01": {{1, 9}}, "AL04": {{1, 9}}}}, 1)
	seen := 0
	run := func(schedule string, want ...string) {
		t.Helper()
		if said, err := w.withLoop(t, func(l *job.Loop, ctx context.Context) error { return l.OneRun(ctx, schedule) }); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		w.now = w.now.Add(time.Minute)
		var got []string
		list := messagesIn(t, filepath.Join(w.dir, "alerts.jsonl"))
		for _, m := range list[seen:] {
			if m.Start != nil {
				got = append(got, fmt.Sprint("start ", m.Start.Sites))
			}
			for _, e := range m.Events {
				got = append(got, fmt.Sprint(e.Kind, " ", e.Condition))
			}
		}
		if seen = len(list); !slices.Equal(got, want) {
			t.Errorf("%s told %q, due %q", schedule, got, want)
		}
	}
	run("shops", "start 2", "raised AL01", "raised AL04")
	for _, m := range messagesIn(t, filepath.Join(w.dir, "alerts.jsonl")) {
		for _, e := range m.Events {
			if e.Condition == "AL04" {
				answer := scheduling.Answer{Alerts: []string{e.Alert}, Accept: true}
				if _, err := answer.Enter(t.Context(), filepath.Join(w.dir, "history"), w.now); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	w.now = w.now.Add(time.Minute)
	run("weekly", "ended AL04")
	run("shops")
	w.write(t, "weekly", "al04.example.com\n")
	run("weekly")
	w.write(t, "list", "al04.example.com\n")
	run("shops", "ended AL01")
	w.write(t, "weekly", "al01.example.com\n")
	run("weekly", "start 1", "raised AL01")
	w.write(t, "config.toml", strings.Replace(w.files["config.toml"], `"shops"`, `"renamed"`, 1))
	w.write(t, "list", "al01.example.com\nal04.example.com\n")
	run("renamed")
	w.write(t, "config.toml", w.files["config.toml"])
	w.remade(t)
}
