package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestScheduleAskAs has days of a site that refuses crawlers' names, and what each run tells (AL18).
func TestScheduleAskAs(t *testing.T) {
	type day struct {
		ask, refuses string
		hiccup       bool // only in the run itself
		want         string
	}
	const both, us = "GPTBot,Googlebot", "GPTBot,robots-audit" // refused under our own name, too, it is unclear
	for _, test := range []struct {
		name   string
		digest bool // of the last day only
		days   []day
	}{
		{"refused, unclear for a day, and let in", false, []day{{both, "", false, ""}, {both, "GPTBot", false, "raised AL18"}, {both, us, false, ""}, {both, "GPTBot", false, ""}, {both, "", false, "ended AL18"}, {both, "", false, ""}}},
		{"not confirmed", false, []day{{both, "", false, ""}, {both, "GPTBot", true, ""}, {both, "", false, ""}, {both, "GPTBot", false, "raised AL18"}}},
		{"refused after an unclear day", false, []day{{both, "", false, ""}, {both, us, false, ""}, {both, us, false, ""}, {both, "GPTBot", false, "raised AL18"}, {both, "", false, "ended AL18"}}},
		{"refused from the first day on", false, []day{{both, "GPTBot", false, "raised AL18"}, {both, "GPTBot", false, ""}, {both, "", false, "ended AL18"}}},
		{"nothing is asked any more", false, []day{{both, "", false, ""}, {both, "GPTBot", false, "raised AL18"}, {"", "GPTBot", false, ""}, {"", "", false, ""}, {both, "GPTBot", false, "raised AL18"}}},
		{"the crawler is not asked any more", false, []day{{both, "", false, ""}, {both, "GPTBot", false, "raised AL18"}, {"Googlebot", "GPTBot", false, ""}, {"Googlebot", "", false, ""}}},
		{"a digest without what is not asked any more", true, []day{{both, "", false, ""}, {both, "GPTBot", false, "raised AL18"}, {"Googlebot", "GPTBot", false, ""}, {"Googlebot", "", false, ""}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newLogged(t, 24*time.Hour)
			if test.digest {
				w.files["config.toml"] = strings.Replace(w.files["config.toml"], "path = \"alerts.jsonl\"", "path = \"alerts.jsonl\"\ndigest = \"0 0 * * *\"", 1)
			}
			config := w.files["config.toml"]
			for i, d := range test.days {
				w.files["config.toml"] = fmt.Sprintf("ask-as = %q\n", d.ask) + config
				w.logs(t, false)
				w.wears(loggedHost, face{refuses: d.refuses, hiccup: d.hiccup})
				w.mu.Lock()
				w.again = false
				w.mu.Unlock()
				if got := w.run(t); got != d.want {
					t.Errorf("day %d told %q, due %q", i, got, d.want)
				}
			}
			w.remade(t)
		})
	}
}
