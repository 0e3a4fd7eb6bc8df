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
		"12:00 digest 09:30 since 09:30 runs 2 changed 1 open 4: raised AL01 al10, raised AL10 al10, raised AL11 al10",
		"12:00 summary 09:45 since 09:45 runs 2 changed 1 open 4: ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("told\n%s\ndue\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	w.remade(t)
}

// TestDigestTellsAll has a channel with a digest alone, and a history that keeps few folders. An alert
// that gets worse after its digest, the alerts of a site that is removed, and a digest that was given
// up are told, each once.
func TestDigestTellsAll(t *testing.T) {
	w := newEdited(t)
	w.keep = 2
	w.configure(t, "Googlebot,Bingbot,GPTBot")
	const path = `path = "alerts.jsonl"`
	only := strings.Replace(w.files["config.toml"], path, `path = "away/waiting.jsonl"
digest = "30 * * * *"`, 1)
	w.write(t, "config.toml", only)
	name := filepath.Join(w.dir, "away", "waiting.jsonl")
	robots := map[string]string{"al11.example.com": plain, "al12.example.com": plain}
	told := 0
	// run makes a run, delivers what waits an hour later, and compares what was told.
	run := func(what string, want ...string) {
		t.Helper()
		for host, text := range robots {
			w.wears(host, face{robots: text})
		}
		w.once(t)
		w.now = w.now.Truncate(time.Hour).Add(35 * time.Minute)
		w.once(t) // the digest
		var got []string
		list := messagesIn(t, name)
		for _, m := range list[told:] {
			for _, e := range m.Events {
				text := ""
				if e.Kind == alert.Ended && strings.Contains(e.Text, "no longer audited") {
					text = ", not audited"
				}
				got = append(got, fmt.Sprint(e.Kind, " ", e.Condition, " ", strings.TrimSuffix(e.Site, ".example.com"), text))
			}
			for _, text := range m.Undelivered {
				got = append(got, "lost: "+strings.Fields(text)[1])
			}
		}
		told = len(list)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: told %q, due %q", what, got, want)
		}
		w.now = w.now.Truncate(time.Hour).Add(time.Hour)
	}
	if err := os.Mkdir(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	run("first run")
	robots["al12.example.com"] = plain + "Disalow: /a\n"
	run("an issue", "raised AL12 al12")
	robots["al12.example.com"] += "Disallow: a\n"
	run("another issue", "worse AL12 al12")
	robots["al11.example.com"] = plain + "Disallow: /1\n"
	run("another share", "raised AL10 al11", "raised AL11 al11", "raised AL12 al11")
	run("nothing")
	run("nothing")
	w.write(t, "list", strings.Replace(w.files["list"], "al11.example.com\n", "", 1))
	run("a site is removed", "ended AL10 al11, not audited", "ended AL11 al11, not audited", "ended AL12 al11, not audited")
	if err := os.Rename(filepath.Dir(name), filepath.Dir(name)+"2"); err != nil {
		t.Fatal(err)
	}
	robots["al12.example.com"] = plain
	lost := told
	told = 0
	run("an end that cannot be sent")
	w.now = w.now.Add(25 * time.Hour)
	run("it is given up")
	if err := os.Rename(filepath.Dir(name)+"2", filepath.Dir(name)); err != nil {
		t.Fatal(err)
	}
	told = lost
	robots["al12.example.com"] = plain + "Disalow: /a\n"
	run("the next digest", "lost: digest", "raised AL12 al12")
}

// TestDigestAdded: what a channel got at once is not in the digest that is configured for it later.
// That is also so for an alert that a maintenance window kept back.
func TestDigestAdded(t *testing.T) {
	w := newEdited(t)
	quiet := w.files["config.toml"] + "[[alerts.maintenance]]\ncron = \"0 7 * * *\"\nduration = \"5m\"\nsites = [\"al11.example.com\"]\n"
	w.write(t, "config.toml", quiet)
	s := story{script: map[string][]span{"AL11": {{2, 9}}, "AL12": {{2, 9}}}}
	for run := 1; run <= 4; run++ {
		w.dress(t, s, run)
		if run == 3 {
			w.write(t, "config.toml", strings.Replace(quiet, `path = "alerts.jsonl"`, "path = \"alerts.jsonl\"\ndigest = \"30 * * * *\"", 1))
		}
		w.once(t)
		w.now = w.now.Truncate(time.Hour).Add(time.Hour)
	}
	events, _ := w.told(t)
	told := map[string]int{}
	for _, e := range events {
		if told[e.Alert]++; told[e.Alert] > 1 {
			t.Errorf("told again: %s", e.Text)
		}
	}
	if len(told) < 4 {
		t.Errorf("told %d alerts", len(told))
	}
}

// TestDigestLinks: what a digest reports has links to the run that found it, not to the newest one.
func TestDigestLinks(t *testing.T) {
	w := newEdited(t)
	w.write(t, "config.toml", strings.Replace(w.files["config.toml"], `path = "alerts.jsonl"`, "path = \"alerts.jsonl\"\ndigest = \"30 8,10 * * *\"", 1))
	s := story{script: map[string][]span{"AL11": {{2, 9}}, "AL10": {{5, 9}}, "AL12": {{6, 9}}}}
	for run := 1; run <= 6; run++ {
		w.dress(t, s, run)
		w.once(t)
		w.now = w.now.Truncate(time.Hour).Add(time.Hour)
	}
	w.once(t)
	var digests []alert.Message
	for _, m := range messagesIn(t, filepath.Join(w.dir, "alerts.jsonl")) {
		if m.Period != nil {
			digests = append(digests, m)
		}
	}
	if len(digests) != 2 {
		t.Fatalf("%d digests", len(digests))
	}
	for i, of := range []string{"comparisons/20261102T070000Z/index.html", ""} { // the second is about two runs
		if got := digests[i].Links.Comparison; got != of {
			t.Errorf("digest %d: comparison %q, want %q", i, got, of)
		}
		for _, e := range digests[i].Events {
			if !strings.Contains(e.Links.Comparison, e.Run) || !strings.Contains(e.Links.Page, e.Run) {
				t.Errorf("digest %d: run %s: %+v", i, e.Run, e.Links)
			}
		}
	}
}
