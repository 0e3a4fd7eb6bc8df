package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// openAlerts are the conditions of the open alerts, by ID.
func (w *upgradeWorld) openAlerts(t *testing.T) map[string]string {
	t.Helper()
	db, err := history.OpenReader(t.Context(), filepath.Join(w.dir, "history"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	open, err := db.OpenAlerts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]string{}
	for _, a := range open {
		of[a.ID] = a.Condition
	}
	return of
}

// toldAlerts are the alerts in a file of messages, by ID: raised, worsened, ended.
func (w *upgradeWorld) toldAlerts(t *testing.T, name string) map[string]string {
	t.Helper()
	events := map[string]string{}
	for line := range strings.Lines(w.read(t, name)) {
		var message struct {
			Events []struct{ Event, ID string }
		}
		if err := json.Unmarshal([]byte(line), &message); err != nil {
			t.Fatal(err)
		}
		for _, e := range message.Events {
			events[e.ID] = e.Event
		}
	}
	return events
}

// The schedule continues the history of a release: it compares with its last run, resolves its
// alerts, delivers waiting messages, and knows the owner's note.
func TestUpgradeHistory(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, w *upgradeWorld) {
		raised := w.toldAlerts(t, "alerts.jsonl")
		held := w.openAlerts(t)
		if len(held) != 2 || len(raised) != 2 {
			t.Fatalf("%q hold and %q were told, want AL02 and AL03", held, raised)
		}
		if err := os.Mkdir(filepath.Join(w.dir, "outbox"), 0o755); err != nil {
			t.Fatal(err)
		}
		w.serve("changed") // as in the last run of the release; no run is due, but a message
		w.must(t, cli.ExitDone, "schedule -config history.toml -once", clitest.ClockOfTest+"=2026-11-03T20:00:10Z")
		delivered := w.toldAlerts(t, "outbox/alerts.jsonl")
		for id := range raised { // a message that has waited for more than a day is given up
			if late := w.conditionOf(t, id) == "AL03"; (delivered[id] == "raised") == late {
				t.Errorf("%q were delivered, want AL02", delivered)
			}
		}
		w.must(t, cli.ExitUnknown, "schedule -config history.toml -once", clitest.ClockOfTest+"=2026-11-04T06:00:10Z")
		for id, condition := range w.openAlerts(t) {
			if held[id] != condition {
				t.Errorf("%s %s holds, and did not", condition, id)
			}
			delete(held, id)
		}
		if len(held) > 0 {
			t.Errorf("%q do not hold any more", held)
		}
		book := openBook(t, w.dir, "history", "runs", "20261104T060010Z", "www.example.com.xlsx")
		noted := false
		for _, row := range sheetRows(t, book, "Rules", "Rule", "Owner note", "First seen") {
			noted = noted || strings.Contains(row[0], "/sale") && row[1] == upgradeNote
		}
		if !noted {
			t.Errorf("the owner's note is gone: %q", sheetRows(t, book, "Rules", "Rule", "Owner note"))
		}
		w.serve("")
		w.must(t, cli.ExitUnknown, "schedule -config history.toml -once", clitest.ClockOfTest+"=2026-11-05T06:00:10Z")
		events := w.toldAlerts(t, "alerts.jsonl")
		for id := range raised {
			want := map[string]string{"AL02": "ended", "AL03": "raised"}[w.conditionOf(t, id)]
			if events[id] != want {
				t.Errorf("alert %s of the release: %q, want %q", id, events[id], want)
			}
		}
	})
}

// A schedule that was killed during a run before an upgrade continues it afterwards.
func TestUpgradeScheduleCutOff(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, w *upgradeWorld) {
		w.write(t, "list.txt", upgradeFiles["cut.txt"])
		at, run := clitest.ClockOfTest+"=2026-11-04T06:00:10Z", filepath.Join("history", "runs", "20261104T060010Z")
		w.cutOff(t, filepath.Join(run, ".robots-audit", "journal.jsonl"), "schedule -config history.toml -once", at, clitest.VersionOfTest+"="+filepath.Base(t.Name()))
		w.must(t, cli.ExitDone, "schedule -config history.toml -once", at)
		if asked := w.askedOf("open.example.com"); len(asked) > 0 {
			t.Errorf("asked again: %q", asked)
		}
		if runs, err := os.ReadDir(filepath.Join(w.dir, "history", "runs")); err != nil || len(runs) != 3 {
			t.Errorf("%d runs, want 3: %v", len(runs), err)
		}
		if sites, _ := summarySites(t, w.read(t, filepath.Join(run, "summary.json"))); len(sites) != 3 {
			t.Errorf("sites: %v", sites)
		}
	})
}

// conditionOf is the condition of an alert, open or resolved.
func (w *upgradeWorld) conditionOf(t *testing.T, id string) string {
	t.Helper()
	_, after, _ := strings.Cut(w.read(t, "alerts.jsonl"), `"id":"`+id+`","condition":"`)
	condition, _, _ := strings.Cut(after, `"`)
	return condition
}

// The history of a release, rebuilt from its folders, has the same alerts.
func TestUpgradeReindex(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, w *upgradeWorld) {
		held := w.openAlerts(t)
		said := w.must(t, cli.ExitDone, "schedule -config history.toml -reindex history")
		if !strings.Contains(said, "2 runs") || strings.Contains(said, "lost") {
			t.Errorf("said: %s", said)
		}
		now := w.openAlerts(t)
		if len(now) != len(held) || len(held) == 0 {
			t.Fatalf("%q hold, and held before: %q", now, held)
		}
		for id, condition := range held {
			if now[id] != condition {
				t.Errorf("%s %s does not hold any more", condition, id)
			}
		}
	})
}
