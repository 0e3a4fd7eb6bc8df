package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/scheduling"
)

// TestScheduleAccept: an alert that its owner accepts, while the history is open, is resolved by
// the next run, in the message of that run. It does not come back, even after the history is
// rebuilt. Its base run may then be removed.
func TestScheduleAccept(t *testing.T) {
	w := newEdited(t)
	s := story{runs: 4, script: map[string][]span{"AL07": {{2, 9}}, "AL03": {{2, 9}}, "AL09": {{3, 9}}}}
	defer func(was func() time.Time) { scheduling.Clock = was }(scheduling.Clock)
	scheduling.Clock = func() time.Time { return w.now.Add(-30 * time.Minute) } // between two runs
	accept := func(args ...string) (int, string) {
		return call(append([]string{"schedule", "-config", filepath.Join(w.dir, "config.toml")}, args...)...)
	}
	ids := map[string]string{}
	for run := 1; run <= s.runs; run++ {
		w.dress(t, s, run)
		w.once(t)
		w.now = w.now.Truncate(time.Hour).Add(time.Hour)
		if run != 2 {
			continue
		}
		events, _ := w.told(t)
		for _, e := range events {
			ids[e.Condition] = e.Alert
		}
		db, err := history.Open(t.Context(), filepath.Join(w.dir, "history"))
		if err != nil {
			t.Fatal(err)
		}
		code, said := accept("-accept", ids["AL07"], "-note", "the map is gone on purpose")
		if code != cli.ExitDone || said != "AL07 of al07.example.com is accepted as intended. The next run resolves the alert\n" {
			t.Fatalf("exit code %d: %s", code, said)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		for _, wrong := range []struct {
			args []string
			want string
		}{
			{[]string{"-accept", "nope"}, "-accept nope: no such alert. Its ID is in each message"},
			{[]string{"-accept", ids["AL03"]}, "and this is never accepted"},
			{[]string{"-accept", ids["AL07"], "-until", "2026-12-31"}, "-until needs -ack"},
			{[]string{"-accept", ids["AL07"], "-plan"}, "exclude each other"},
		} {
			if code, said := accept(wrong.args...); code != cli.ExitUsage || !strings.Contains(said, wrong.want) {
				t.Errorf("%q: exit code %d: %s", wrong.args, code, said)
			}
		}
	}
	var got []string
	events, messages := w.told(t)
	runs := map[string]string{}
	for _, e := range events {
		runs[e.Condition+" "+string(e.Kind)] = e.Run
		if e.Condition == "AL07" {
			got = append(got, string(e.Kind))
			if e.Kind == alert.Ended && !strings.Contains(e.Text, `accepted as intended, "the map is gone on purpose"`) {
				t.Error(e.Text)
			}
		}
	}
	if fmt.Sprint(got) != "[raised ended]" {
		t.Errorf("told %v", got)
	}
	if run := runs["AL07 ended"]; run == "" || runs["AL09 raised"] != run || len(messages) != 3 {
		t.Errorf("%d messages, for the start, the second and the third run: %v", len(messages), runs)
	}
	if code, said := accept("-accept", ids["AL07"]); code != cli.ExitUsage || !strings.Contains(said, "is already resolved") {
		t.Errorf("exit code %d: %s", code, said)
	}
	if code, said := accept("-ack", ids["AL07"], "-until", "2099-12-31"); code != cli.ExitUsage || !strings.Contains(said, "is already resolved") {
		t.Errorf("exit code %d: %s", code, said)
	}
	w.remade(t)
}
