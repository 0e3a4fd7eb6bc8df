package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/watch/alert"
)

// messagesIn are the messages that a file of alerts has, in order.
func messagesIn(t *testing.T, name string) (list []alert.Message) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var m alert.Message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// TestSchedulePeriods has a channel with a digest and a summary beside one that gets all at once.
// What is critical and what the first run reports come at once, the rest with the digest, each once. A
// start between two times changes nothing, and neither does a start long after one.
func TestSchedulePeriods(t *testing.T) {
	w := newEdited(t)
	w.write(t, "config.toml", w.files["config.toml"]+`[[alerts.file]]
path = "waiting.jsonl"
digest = "30 9,21 * * *"
summary = "45 9 * * *"
timezone = "UTC"
`)
	s := story{script: map[string][]span{
		"AL01": {{2, 3}}, "AL12": {{3, 9}}, "AL11": {{3, 4}}, "AL09": {{1, 4}}, // AL09 is there in the first run
		"AL10": {{7, 9}},
	}}
	told := func() (lines []string) {
		for _, m := range messagesIn(t, filepath.Join(w.dir, "waiting.jsonl")) {
			line := ""
			switch {
			case m.Start != nil:
				line = "start"
			case m.Period != nil:
				line = fmt.Sprint(m.Period.Kind, " ", m.Period.Due.Format("15:04"), " since ", m.Period.From.Format("15:04"), " runs ", m.Period.Runs, " changed ", m.Period.Changed, " open ", m.Period.Open)
			default:
				line = "run"
			}
			var events []string
			for _, e := range m.Events {
				events = append(events, fmt.Sprint(e.Kind, " ", e.Condition, " ", strings.TrimSuffix(e.Site, ".example.com")))
			}
			slices.Sort(events)
			lines = append(lines, w.now.Format("15:04 ")+line+": "+strings.Join(events, ", "))
		}
		return lines
	}
	var got []string
	for run := 1; run <= 8; run++ {
		w.dress(t, s, run)
		before := len(messagesIn(t, filepath.Join(w.dir, "waiting.jsonl")))
		w.once(t)
		got = append(got, told()[before:]...)
		before = len(told())
		w.once(t) // nothing is due
		got = append(got, told()[before:]...)
		if run == 6 { // the machine is off for a day
			w.now = w.now.Add(24 * time.Hour)
		}
		w.now = w.now.Truncate(time.Hour).Add(time.Hour)
	}
	want := []string{
		"06:00 start: raised AL01 al09, raised AL09 al09",
		"07:00 run: raised AL01 al01",
		"08:00 run: ended AL01 al01",
		"09:00 run: ended AL01 al09, ended AL09 al09",
		"10:00 digest 09:30 since 05:59 runs 5 changed 4 open 1: ended AL10 al11, ended AL11 al01, ended AL11 al11, ended AL12 al01, ended AL12 al11, raised AL12 al12",
		"10:00 summary 09:45 since 05:59 runs 5 changed 4 open 1: ",
		"12:00 digest 09:30 since 09:30 runs 3 changed 1 open 4: raised AL01 al10, raised AL10 al10, raised AL11 al10",
		"12:00 summary 09:45 since 09:45 runs 3 changed 1 open 4: ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("told\n%s\ndue\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	w.remade(t)
}
