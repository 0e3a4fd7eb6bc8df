//go:build soak

package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// twenty is a story of twenty runs. All conditions come and go, some twice, some as a hiccup, some
// at the same time as a hiccup of the site's other host.
func twenty() story {
	s := story{runs: 20, script: map[string][]span{}, hiccup: map[string]int{}, crawlers: span{9, 12}}
	// at the same time as a real condition that comes or goes
	s.far = map[string][]int{"AL06": {3, 6}, "AL12": {5, 8}}
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

// TestScheduleKills kills a schedule at random moments, and between its steps, over a story with
// hiccups and a retention. Nothing is lost, and each message is delivered at least once with one
// stable ID. The history equals a rebuilt one, and rebuilding is killed too. It makes as many kills
// as requested, but at least 50.
func TestScheduleKills(t *testing.T) {
	n, dice := clitest.Times(t)
	n = max(n, 50)
	w := newEdited(t)
	w.loud, w.keep, w.confirm = true, 4, "20ms"
	w.configure(t, "Googlebot,Bingbot,GPTBot")
	s := twenty()
	ids, kills := map[int]string{}, map[string]int{}
	made := 0
	killed := func(seam string) {
		made++
		kills[seam]++
	}
	length, anew := 300*time.Millisecond, 100*time.Millisecond // of a start, of a rebuild
	share := n/s.runs + 1                                      // kills in a run
	next := dice.IntN(len(seams))
	for run := 1; run <= s.runs || made < n; run++ { // after the story, nothing changes
		w.dress(t, s, run)
		ids[run] = w.now.UTC().Format("20060102T150405Z")
		w.mu.Lock()
		w.finished = filepath.Join(w.dir, "history", "runs", ids[run], "run.json")
		w.mu.Unlock()
		var order []int // seams of this run, in their order
		for range share {
			order = append(order, next%len(seams))
			next++
		}
		if never := slices.IndexFunc(seams, func(s seam) bool { return kills[s.name] == 0 }); run > 5 && never >= 0 {
			order = append(order, never)
		}
		slices.Sort(order)
		for i := 0; ; i++ {
			at := seam{}
			if i < len(order) {
				at = seams[order[i]]
			}
			began := time.Now()
			code, said := w.start(t, at, ids[run], time.Duration(dice.Int64N(int64(length))), "-once")
			if code == -1 {
				killed(at.name)
				continue
			}
			if code != cli.ExitDone && code != cli.ExitUnknown {
				t.Fatalf("exit code %d: %s", code, said)
			}
			if at.name == "" {
				length = time.Since(began)
			}
			break
		}
		if run%4 == 0 {
			dir := filepath.Join(w.dir, "history")
			grown := dumped(t, dir)
			began := time.Now()
			code, said := w.start(t, seam{name: "during -reindex"}, ids[run], time.Duration(dice.Int64N(int64(anew))), "-reindex", dir)
			switch code {
			case -1:
				killed("during -reindex")
			case cli.ExitDone:
				anew = time.Since(began)
			default:
				t.Fatalf("exit code %d: %s", code, said)
			}
			if diff := cmp.Diff(grown, dumped(t, dir)); diff != "" {
				t.Fatalf("run %d, -reindex killed (%d): the history differs (-before +after):\n%s", run, code, diff)
			}
		}
		w.now = w.now.Add(time.Hour)
	}
	events, messages := w.told(t)
	slices.Sort(messages)
	several := len(messages) - len(slices.Compact(slices.Clone(messages)))
	w.firstOnly(t)
	w.hold(t, s, ids)
	w.ask(t, "SELECT count(*), (SELECT count(*) FROM delivery WHERE accepted IS NULL) FROM run", func(rows *sql.Rows) error {
		var runs, open int
		err := rows.Scan(&runs, &open)
		if runs != len(ids) || open > 0 {
			t.Errorf("%d runs of %d, %d messages that were not delivered", runs, len(ids), open)
		}
		return err
	})
	w.remade(t)
	w.killKept(t, killed)
	var table strings.Builder
	for _, name := range slices.Sorted(maps.Keys(kills)) {
		fmt.Fprintf(&table, "%5d  %s\n", kills[name], name)
	}
	t.Logf("%d kills over %d runs; %d events told, %d messages once more\n%s", made, len(ids), len(events), several, &table)
	for _, at := range seams {
		if kills[at.name] == 0 {
			t.Errorf("no kill %s", at.name)
		}
	}
	if made < n {
		t.Errorf("%d kills, want %d", made, n)
	}
}

// killKept damages the history, and kills its rebuild between renaming the damaged file and the new
// one. The next rebuild succeeds.
func (w *edited) killKept(t *testing.T, killed func(seam string)) {
	t.Helper()
	dir := filepath.Join(w.dir, "history")
	folders, err := os.ReadDir(filepath.Join(dir, "runs"))
	if err != nil {
		t.Fatal(err)
	}
	for try := range 3 {
		w.now = w.now.Add(time.Hour)
		if err := os.Truncate(filepath.Join(dir, "history.db"), 5000); err != nil {
			t.Fatal(err)
		}
		kept := seam{"between kept aside and renamed", func(w *edited, _, _ string) bool {
			names, _ := filepath.Glob(filepath.Join(dir, "history.db.damaged-*"))
			return len(names) > try
		}}
		if code, said := w.start(t, kept, "", 0, "-reindex", dir); code == -1 {
			killed(kept.name)
		} else if code != cli.ExitDone {
			t.Fatalf("exit code %d: %s", code, said)
		}
		w.reindex(t, dir)
		left := dumped(t, dir)
		for _, f := range folders {
			if !slices.ContainsFunc(left, func(row string) bool {
				return strings.HasPrefix(row, "run ") && strings.Contains(row, "'"+f.Name()+"'")
			}) {
				holds, _ := filepath.Glob(filepath.Join(dir, "runs", f.Name(), "*"))
				hides, _ := filepath.Glob(filepath.Join(dir, "runs", f.Name(), ".robots-audit", "*"))
				t.Errorf("run %s is not in the history that was made anew; its folder holds %q and %q", f.Name(), holds, hides)
			}
		}
	}
}

// seam is a moment between two steps.
type seam struct {
	name string
	// reached reports it by the files in the history's folder, or by the output; nil = a random
	// moment.
	reached func(w *edited, id, said string) bool
}

// seams are those of a run, in their order.
var seams = []seam{
	{"while it audits", nil},
	{"in its first moments", func(w *edited, id, _ string) bool { return w.there("runs", id) }},
	{"between folder and comparison", func(w *edited, id, _ string) bool { return w.holds("runs", id, "run.json", `"finished": "`) }},
	{"between comparison and transaction", func(w *edited, id, _ string) bool { return w.holds("comparisons", id, "changes.json", "") }},
	{"while it asks again", func(_ *edited, _, said string) bool { return strings.Contains(said, "asking again before an alert") }},
	{"before the transaction", func(w *edited, id, _ string) bool { return w.holds("confirmations", id+".jsonl", "", "") }},
	{"between record and delivery", func(_ *edited, _, said string) bool { return strings.Contains(said, "alert: ") }},
	{"after a delivery", func(_ *edited, _, said string) bool { return strings.Contains(said, "delivered") }},
	{"while it prunes", func(w *edited, _, _ string) bool {
		names, _ := filepath.Glob(filepath.Join(w.dir, "history", "runs", ".removed-*"))
		return names != nil
	}},
	{"after a folder was removed", func(_ *edited, _, said string) bool { return strings.Contains(said, "removed an old folder of a run") }},
}

// there reports whether a folder of the history exists.
func (w *edited) there(names ...string) bool {
	_, err := os.Stat(filepath.Join(append([]string{w.dir, "history"}, names...)...))
	return err == nil
}

// holds reports whether a file of the history exists and contains a text.
func (w *edited) holds(folder, id, name, text string) bool {
	of, err := os.ReadFile(filepath.Join(w.dir, "history", folder, id, name))
	return err == nil && strings.Contains(string(of), text)
}

// start starts the command in its own process. It kills it at a seam, or after a while if that is a
// random moment; no name = never. The code is -1 if it was killed.
func (w *edited) start(t *testing.T, at seam, id string, while time.Duration, args ...string) (code int, said string) {
	t.Helper()
	p := w.command(t, args...)
	for began, watched := time.Now(), at.name != ""; watched; time.Sleep(100 * time.Microsecond) {
		if at.reached == nil && time.Since(began) > while || at.reached != nil && at.reached(w, id, p.said.String()) {
			p.Process.Kill()
			break
		}
		select {
		case <-p.ended:
			watched = false
		default:
		}
	}
	<-p.ended
	return p.ProcessState.ExitCode(), p.said.String()
}

// firstOnly removes messages that were delivered again from the file.
func (w *edited) firstOnly(t *testing.T) {
	t.Helper()
	name := filepath.Join(w.dir, "alerts.jsonl")
	text := clitest.Read(t, name)
	seen := map[string]bool{}
	var kept strings.Builder
	for line := range strings.Lines(text) {
		var m struct{ ID string }
		if json.Unmarshal([]byte(line), &m) == nil && !seen[m.ID] {
			seen[m.ID] = true
			kept.WriteString(line)
		}
	}
	clitest.WriteFile(t, name, kept.String())
}
