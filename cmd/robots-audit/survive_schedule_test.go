//go:build soak

package main

import (
	"database/sql"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestScheduleConditions edits twelve sites and the list of crawlers over twenty runs, so that
// all conditions come and go, some twice, some as a hiccup: each is told at its run, and ends
// at its run, and nothing else is told. A history made anew is the same.
func TestScheduleConditions(t *testing.T) {
	w := newEdited(t)
	w.play(t, twenty())
	w.remade(t)
}

// twenty is a story of twenty runs.
func twenty() story {
	s := story{runs: 20, script: map[string][]span{}, hiccup: map[string]int{}, crawlers: span{9, 12}}
	for i, tw := range twists {
		from := 2 + i%4
		s.script[tw.condition] = []span{{from, from + 3}}
		if i%3 == 0 {
			s.script[tw.condition] = append(s.script[tw.condition], span{16, 18})
		}
		if tw.hiccups {
			s.hiccup[tw.condition] = 14
		}
	}
	return s
}

// TestScheduleKills kills a schedule at random moments, and at the seams between its steps,
// over the twenty runs of a story: nothing is lost, each message is delivered at least once
// with one stable id, and the history is as one made anew from the folders.
func TestScheduleKills(t *testing.T) {
	n, dice := times(t)
	w := newEdited(t)
	w.loud = true
	w.configure(t, "Googlebot,Bingbot,GPTBot")
	s := twenty()
	s.hiccup = nil // after a kill, an answer is no second one
	ids, kills := map[int]string{}, map[string]int{}
	seams := slices.Sorted(maps.Keys(seamsOf))
	done, length := 0, 300*time.Millisecond
	for run := 1; run <= s.runs; run++ {
		w.dress(t, s, run)
		ids[run] = w.now.UTC().Format("20060102T150405Z")
		for more := 1 + dice.IntN(2*n/s.runs); ; more-- {
			seam := ""
			if more > 0 {
				seam = "while it audits"
				if dice.IntN(2) == 0 {
					seam = seams[dice.IntN(len(seams))]
				}
			}
			began := time.Now()
			code, said := w.start(t, seam, ids[run], time.Duration(dice.Int64N(int64(length))))
			if code == -1 {
				done++
				kills[seam]++
				continue
			}
			if code != exitDone && code != exitUnknown {
				t.Fatalf("exit code %d: %s", code, said)
			}
			length = time.Since(began)
			break
		}
		w.now = w.now.Add(time.Hour)
	}
	events, messages := w.told(t)
	slices.Sort(messages)
	several := len(messages) - len(slices.Compact(slices.Clone(messages)))
	w.firstOnly(t)
	w.hold(t, s, ids)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(w.dir, "history", "history.db")+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var runs, open int
	if err := db.QueryRow("SELECT count(*), (SELECT count(*) FROM delivery WHERE accepted IS NULL) FROM run").Scan(&runs, &open); err != nil || runs != s.runs || open > 0 {
		t.Errorf("%d runs, %d messages that were not delivered; %v", runs, open, err)
	}
	w.remade(t)
	t.Logf("%d kills: %v; %d events told, %d messages once more", done, kills, len(events), several)
}

// seamsOf are moments between two steps: what there is then in the history's folder, or what
// has been said.
var seamsOf = map[string]func(w *edited, id, said string) bool{
	"while it audits":                    nil, // at random
	"between folder and comparison":      func(w *edited, id, _ string) bool { return w.holds("runs", id, "run.json", `"finished": "`) },
	"between comparison and transaction": func(w *edited, id, _ string) bool { return w.holds("comparisons", id, "changes.json", "") },
	"before the transaction":             func(w *edited, id, _ string) bool { return w.holds("confirmations", id+".jsonl", "", "") },
	"between record and delivery":        func(_ *edited, _, said string) bool { return strings.Contains(said, "alert: ") },
	"after a delivery":                   func(_ *edited, _, said string) bool { return strings.Contains(said, "delivered") },
}

// holds reports whether a file of the history is there, and holds a text.
func (w *edited) holds(folder, id, name, text string) bool {
	of, err := os.ReadFile(filepath.Join(w.dir, "history", folder, id, name))
	return err == nil && strings.Contains(string(of), text)
}

// start starts schedule -once as a process of its own, and kills it at a seam, or after a
// while; "" = never. The code is -1 where it was killed.
func (w *edited) start(t *testing.T, seam, id string, while time.Duration) (code int, said string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := &hearing{more: make(chan struct{}, 1)}
	p := &exec.Cmd{Path: exe, Args: []string{"robots-audit", "schedule", "-config", filepath.Join(w.dir, "config.toml"), "-once"}, Stdout: out, Stderr: out,
		Env: append(os.Environ(), clockOfTest+"="+w.now.Format(time.RFC3339))}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		p.Wait() // its code says what there is to know
		close(ended)
	}()
	for began := time.Now(); seam != ""; time.Sleep(time.Millisecond) {
		if reached := seamsOf[seam]; reached == nil && time.Since(began) > while || reached != nil && reached(w, id, out.String()) {
			p.Process.Kill()
			break
		}
		select {
		case <-ended:
			seam = ""
		default:
		}
	}
	<-ended
	return p.ProcessState.ExitCode(), out.String()
}

// firstOnly drops messages that were delivered once more from the file.
func (w *edited) firstOnly(t *testing.T) {
	t.Helper()
	name := filepath.Join(w.dir, "alerts.jsonl")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		var m struct{ ID string }
		if json.Unmarshal([]byte(line), &m) == nil && !seen[m.ID] {
			seen[m.ID] = true
			kept.WriteString(line)
		}
	}
	if err := os.WriteFile(name, []byte(kept.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
