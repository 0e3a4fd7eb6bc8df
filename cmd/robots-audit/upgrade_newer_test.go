package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// Data of a newer version is reported, and not changed.

// change changes the run.json of a run as a newer version may do, with its checksum.
func (w *upgradeWorld) change(t *testing.T, run string, keys map[string]any) {
	t.Helper()
	name := filepath.Join(run, "run.json")
	of := map[string]any{}
	if err := json.Unmarshal([]byte(w.read(t, name)), &of); err != nil {
		t.Fatal(err)
	}
	delete(of, "checksum")
	for key, value := range keys {
		of[key] = value
	}
	text, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, name, fmt.Sprintf(`{"checksum":"%08x",%s`, crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)), text[1:]))
}

// contents are the files of a folder, by name.
func (w *upgradeWorld) contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.Walk(filepath.Join(w.dir, dir), func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A run of a newer version is read if possible, and never written to.
func TestNewerRun(t *testing.T) {
	t.Parallel()
	const use = "a newer version of this program made the run; use that one"
	commands := []string{"compare -out made run run", "simulate -robots robots.txt -site www.example.com -out made run", "verify -expect expect.csv -run run", "report run", "report run -site www.example.com", "-domains list.txt -out run -resume -no-cache"}
	for name, c := range map[string]struct {
		keys map[string]any
		said []string // of each command; "" = it succeeds
	}{
		"next release": {map[string]any{"version": "0.9.0", "format": 1, "news": []int{1}}, []string{"", "", "", use, use, `version: the run has "0.9.0"`}},
		"other format": {map[string]any{"version": "0.9.0", "format": 2, "crawlers": "all"}, []string{use, use, use, use, use, use}},
		"same release": {map[string]any{"version": strings.TrimSuffix(cli.NextVersion, "-dev"), "news": 1}, []string{"", "", "", "", "", "settings"}},
	} {
		t.Run(name, func(t *testing.T) {
			eachRelease(t, func(t *testing.T, w *upgradeWorld) {
				w.change(t, "run", c.keys)
				before := w.contents(t, "run")
				for i, command := range commands {
					code, said := w.run(t, command)
					if want := c.said[i]; want == "" && code != cli.ExitDone || want != "" && (code != cli.ExitUsage || !strings.Contains(said, want)) {
						t.Errorf("%s: exit code %d: %s", command, code, said)
					}
					if c.said[i] == "" || name == "same release" {
						continue
					}
					for file, text := range w.contents(t, "run") {
						if was, known := before[file]; !known || was != text {
							t.Fatalf("%s: %s has changed", command, file)
						}
					}
				}
			})
		})
	}
}

// A history of a newer version is not changed. Audits are made anyway.
func TestNewerHistory(t *testing.T) {
	eachRelease(t, func(t *testing.T, w *upgradeWorld) {
		name := filepath.Join(w.dir, "history", "history.db")
		db, err := sql.Open("sqlite", name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("PRAGMA user_version = 99"); err != nil {
			t.Fatal(err)
		}
		db.Close()
		before := clitest.Read(t, name)
		for _, command := range []string{"schedule -config history.toml -once", "schedule -config history.toml -reindex history", "schedule -config history.toml -ack 0123456789abcdef -until 2026-12-31"} {
			code, said := w.run(t, command, clitest.ClockOfTest+"=2026-11-04T06:00:10Z")
			if code != cli.ExitFailed || !strings.Contains(said, "history.db: the history was written by a newer version of this program. Use that version (its version is 99, this program's ") {
				t.Errorf("%s: exit code %d: %s", command, code, said)
			}
		}
		if now, err := os.ReadFile(name); err != nil || before != string(now) {
			t.Errorf("history.db has changed: %v", err)
		}
		w.read(t, "history/runs/20261104T060010Z/summary.json")
	})
}

// Unknown keys of a newer version are ignored in a baseline, and reported in a configuration.
func TestNewerFiles(t *testing.T) {
	eachRelease(t, func(t *testing.T, w *upgradeWorld) {
		baseline := strings.ReplaceAll(w.read(t, "kept/lint.baseline"), `{"`, `{"news":[1],"`)
		w.write(t, "new.baseline", baseline)
		w.must(t, cli.ExitDone, "lint -fail-on info -baseline new.baseline robots.txt")
		if now := w.read(t, "new.baseline"); now != baseline {
			t.Errorf("the baseline has changed: %s", now)
		}
		w.write(t, "new.toml", "news = 1\n\n[lint]\nnewer = 2\n")
		for _, command := range []string{"-config new.toml -domains list.txt", "lint -config new.toml robots.txt"} {
			if said := w.must(t, cli.ExitUsage, command); !strings.Contains(said, "new.toml:1: ") && !strings.Contains(said, "new.toml:4: ") {
				t.Errorf("%s: %s", command, said)
			}
		}
		w.write(t, "new.toml", upgradeFiles["history.toml"]+"news = 1\n")
		if said := w.must(t, cli.ExitUsage, "schedule -config new.toml -plan"); !strings.Contains(said, "new.toml:") || !strings.Contains(said, "news") {
			t.Errorf("said: %s", said)
		}
	})
}
