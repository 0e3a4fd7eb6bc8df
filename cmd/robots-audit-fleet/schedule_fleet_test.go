package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit/fleet/store"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/internal/scheduling"
)

// fleetTable is the table [fleet] for a node, with a test bucket.
func fleetTable(t *testing.T, servers string) (table, bucket string) {
	t.Helper()
	bucket = filepath.Join(t.TempDir(), "bucket")
	return fmt.Sprintf("[fleet]\nservers = %q\nbucket = %q\n", servers, store.FolderURL(bucket)), bucket
}

// inFleet lets a fleet make the audits of the world's schedule.
func (w *edited) inFleet(t *testing.T, table string) {
	t.Helper()
	w.write(t, "config.toml", strings.Replace(w.files["config.toml"], "domains = \"list\"", "domains = \"list\"\nfleet = true", 1)+table)
}

// makes makes the runs that are due at the world's time, and moves that on by an hour.
func (w *edited) makes(t *testing.T, want int) (said string) {
	t.Helper()
	at := w.now
	w.now = w.now.Add(time.Hour)
	scheduling.Clock = func() time.Time { return at }
	t.Cleanup(func() { scheduling.Clock = time.Now })
	code, said := call("schedule", "-config", filepath.Join(w.dir, "config.toml"), "-once")
	if code != want {
		t.Fatalf("exit code %d: %s", code, said)
	}
	return said
}

// theWorker starts a worker of a fleet.
func theWorker(t *testing.T, servers, bucket string) {
	t.Helper()
	fleetProcess(t, "worker", "-servers", servers, "-bucket", store.FolderURL(bucket), "-tries", "1").says(t, " is up")
}

// millisOfSite matches the last column of a site in the dump of a history: its duration.
var millisOfSite = regexp.MustCompile(`(?m)^(site_run .*) \d+$`)

// TestScheduleFleet: a schedule with a fleet has the same runs as one without: the same files,
// history and alerts.
func TestScheduleFleet(t *testing.T) {
	_, servers := fleetNode(t, nil)
	table, bucket := fleetTable(t, servers)
	theWorker(t, servers, bucket)
	alone, many := newEdited(t), newEdited(t)
	many.files["config.toml"] = strings.Replace(many.files["config.toml"], `"important.csv"`, fmt.Sprintf("%q", filepath.Join(alone.dir, "important.csv")), 1) // run.json has its name
	many.inFleet(t, table)
	if code, said := call("schedule", "-config", filepath.Join(many.dir, "config.toml"), "-plan"); code != cli.ExitDone || !strings.Contains(said, "sites of "+filepath.Join(many.dir, "list")+", by the fleet;") {
		t.Errorf("-plan: exit code %d: %s", code, said)
	}
	for run := range 2 {
		var id string
		for _, w := range []*edited{alone, many} {
			if run == 1 {
				w.wears("al01.example.com", twists[0].face)
				w.wears("al04.example.com", twists[3].face)
			}
			id = w.now.Format("20060102T150405Z")
			w.makes(t, cli.ExitDone)
		}
		if diff := differingRuns(filepath.Join(alone.dir, "history", "runs", id), filepath.Join(many.dir, "history", "runs", id)); diff != "" && run == 0 { // later runs know the one before
			t.Errorf("the folders of run %s differ (-alone +fleet):\n%s", id, diff)
		}
	}
	var stories []string
	for _, w := range []*edited{alone, many} {
		events, _ := w.told(t)
		var story strings.Builder
		for _, e := range events {
			fmt.Fprintf(&story, "%s %s %s %s\n", e.Kind, e.Condition, strings.TrimPrefix(e.Site, "https://"), e.Run)
		}
		stories = append(stories, story.String())
	}
	if diff := cmp.Diff(stories[0], stories[1]); diff != "" || !strings.Contains(stories[0], "raised AL01 al01.example.com 20261102T070000Z") || !strings.Contains(stories[0], "AL04") {
		t.Errorf("what is told differs (-alone +fleet):\n%s%s", diff, stories[1])
	}
	var histories [][]string
	for _, w := range []*edited{alone, many} {
		rows := strings.Join(dumped(t, filepath.Join(w.dir, "history")), "\n")
		histories = append(histories, strings.Split(timesOfRuns.ReplaceAllString(millisOfSite.ReplaceAllString(rows, "$1 …"), "…"), "\n"))
	}
	if diff := cmp.Diff(histories[0], histories[1]); diff != "" {
		t.Errorf("the histories differ (-alone +fleet):\n%s", diff)
	}
	many.remade(t)
}

// TestScheduleFleetKilled: a schedule that is killed or stopped while the fleet does its run
// continues with it, and there is only one run. If it was killed before the fleet had the run, it
// submits it then.
func TestScheduleFleetKilled(t *testing.T) {
	_, servers := fleetNode(t, nil)
	table, bucket := fleetTable(t, servers)
	w := newEdited(t)
	w.files["list"] = "al01.example.com\nal02.example.com\n"
	w.loud = true
	w.configure(t, "Googlebot")
	w.inFleet(t, table)
	config, history := filepath.Join(w.dir, "config.toml"), filepath.Join(w.dir, "history")
	submitted := func() []string {
		runs, _ := filepath.Glob(filepath.Join(bucket, "fleet", "*", "run.json"))
		return runs
	}
	noted := func() []string {
		notes, _ := filepath.Glob(filepath.Join(history, "submitted", "*"))
		return notes
	}
	t.Setenv(clitest.ClockOfTest, w.now.Format(time.RFC3339))
	p := fleetProcess(t, "schedule", "-config", config, "-once")
	p.says(t, "is queued and waits: no worker for region default")
	p.kill()
	first := noted()
	if len(first) != 1 || len(submitted()) != 1 {
		t.Fatalf("%q are noted, and %q submitted", first, submitted())
	}
	p = fleetProcess(t, "schedule", "-config", config)
	p.says(t, "waiting for a run of the fleet")
	if runtime.GOOS != "windows" {
		p.Process.Signal(os.Interrupt)
		p.says(t, "stopped by a signal")
		if code := p.wait(); code != cli.ExitSignal {
			t.Errorf("stopped: exit code %d", code)
		}
	} else {
		p.kill()
	}
	theWorker(t, servers, bucket)
	w.now = w.now.Add(time.Minute)
	w.makes(t, cli.ExitDone)
	id := strings.TrimSuffix(filepath.Base(first[0]), ".json")
	if ids := w.entered(t); !slices.Equal(ids, []string{id}) || len(submitted()) != 1 || len(noted()) > 0 {
		t.Errorf("recorded %q, submitted %q, noted %q; want %s once", ids, submitted(), noted(), id)
	}

	// Killed between writing the note and submitting: the next start submits the run. It removes
	// the remains of a folder.
	next := w.now.Format("20060102T150405Z")
	left := filepath.Join(history, "submitted", next+".part-1")
	if err := os.MkdirAll(left, 0o755); err != nil {
		t.Fatal(err)
	}
	note := fmt.Sprintf(`{"schedule":"shops","started":%q,"id":"20261102-070100-neverwas"}`, w.now.Format(time.RFC3339))
	w.write(t, "history/submitted/"+next+".json", note)
	w.makes(t, cli.ExitDone)
	if ids := w.entered(t); !slices.Equal(ids, []string{id, next}) || len(submitted()) != 2 || len(noted()) > 0 {
		t.Errorf("recorded %q, submitted %q, noted %q; want %s, too", ids, submitted(), noted(), next)
	}

	// Killed when the folder was in its place: there is nothing to wait for.
	w.write(t, "history/submitted/"+next+".json", note)
	w.now = w.now.Add(-time.Hour)
	if said := w.makes(t, cli.ExitDone); !strings.Contains(said, "no run is due") || len(noted()) > 0 {
		t.Errorf("noted %q: %s", noted(), said)
	}

	// A run that the fleet has given up has failed, and the next one is new.
	hopeless := w.now.Format("20060102T150405Z")
	failure := filepath.Join(bucket, "fleet", "20261102-070100-neverwas", "failed.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(failure), 0o755), os.WriteFile(failure, []byte(`{"by":"w1","tries":6,"why":"it rains"}`), 0o644)); err != nil {
		t.Fatal(err)
	}
	w.write(t, "history/submitted/"+hopeless+".json", note)
	if said := w.makes(t, cli.ExitFailed); !strings.Contains(said, "was given up by w1 after try 6: it rains") || len(noted()) > 0 {
		t.Errorf("noted %q: %s", noted(), said)
	}

	// A configuration without a fleet does not wait for it.
	lost := w.now.Format("20060102T150405Z")
	w.write(t, "history/submitted/"+lost+".json", note)
	w.configure(t, "Googlebot")
	if said := w.makes(t, cli.ExitDone); !strings.Contains(said, "the configuration has changed since the start of the run") || len(noted()) > 0 {
		t.Errorf("noted %q: %s", noted(), said)
	}
	if ids := w.entered(t); len(ids) != 3 || len(submitted()) != 2 {
		t.Errorf("recorded %q, submitted %q", ids, submitted())
	}
}

// TestScheduleFleetRefusals: settings that a fleet does not support are reported when the
// configuration is read. A fleet that cannot be reached is a failed audit; nothing waits for it
// then.
func TestScheduleFleetRefusals(t *testing.T) {
	defer func(before time.Duration) { schedulePatience = before }(schedulePatience)
	schedulePatience = 0
	_, servers := fleetNode(t, nil)
	table, _ := fleetTable(t, servers)
	for _, c := range []struct {
		name, settings, table, list string
		code                        int
		words                       string
	}{
		{"no table", "", "", "", cli.ExitUsage, "config.toml:10: fleet = true needs the table [fleet]"},
		{"no bucket", "", "[fleet]\nservers = \"nats://127.0.0.1:1\"\n", "", cli.ExitUsage, "config.toml:11: [fleet] has no bucket"},
		{"no servers", "", "[fleet]\nbucket = \"file:///b\"\n", "", cli.ExitUsage, "config.toml:11: [fleet] has no servers"},
		{"an unknown key", "", table + "server = \"x\"\n", "", cli.ExitUsage, "Did you mean servers?"},
		{"one file", "single-file = true\n", table, "", cli.ExitUsage, "a schedule has fleet = true: -single-file"},
		{"no region", "", table + "region = \"a b\"\n", "", cli.ExitUsage, "-region \"a b\""},
		{"no URL", "", "[fleet]\nservers = \"here\"\nbucket = \"file:///b\"\n", "", cli.ExitUsage, "is not a URL"},
		{"no bucket's URL", "", "[fleet]\nservers = \"nats://127.0.0.1:1\"\nbucket = \"here\"\n", "", cli.ExitUsage, "is not a bucket. Write a URL"},
		{"no secrets", "", table + "secrets = \"missing\"\n", "", cli.ExitUsage, "cannot be read"},
		{"a password", "", table, "https://me:secret@a.example\n", cli.ExitUsage, "has a user name and a password"},
		{"nobody there", "", "[fleet]\nservers = \"nats://127.0.0.1:1\"\nbucket = \"" + store.FolderURL(t.TempDir()) + "\"\n", "", cli.ExitFailed, "schedule shops: the fleet: server nats://127.0.0.1:1 does not answer"},
	} {
		dir := t.TempDir()
		config := filepath.Join(dir, "config.toml")
		text := "# 1\n" + c.settings + "# 2\nquiet = true\n[history]\ndir = \"history\"\n[[schedule]]\nname = \"shops\"\ncron = \"@daily\"\ndomains = \"list\"\nfleet = true\n" + c.table
		if c.list == "" {
			c.list = "a.example\n"
		}
		clitest.Write(t, "", map[string]string{config: text, filepath.Join(dir, "list"): c.list})
		code, told := call("schedule", "-config", config, "-once")
		if code != c.code || !strings.Contains(told, c.words) || strings.Contains(told, "secret@") {
			t.Errorf("%s: exit code %d, %s; want %d and %q", c.name, code, told, c.code, c.words)
		}
		left, _ := filepath.Glob(filepath.Join(dir, "history", "*", "*"))
		if len(left) > 0 {
			t.Errorf("%s: there is %q", c.name, left)
		}
	}
}
