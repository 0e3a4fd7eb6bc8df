//go:build release

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestKeepFiles makes the files of a release that later versions must be able to read,
// testdata/VERSION, with that version. TEST_PROGRAM is its test binary, named robots-audit, which
// takes the clock of schedules from the environment. TEST_RELEASE is its version; UPGRADES.md has
// the commands.
func TestKeepFiles(t *testing.T) {
	program, release := os.Getenv("TEST_PROGRAM"), os.Getenv("TEST_RELEASE")
	if filepath.Base(program) != "robots-audit" || release == "" {
		t.Fatal("TEST_PROGRAM=…/robots-audit and TEST_RELEASE=0.2.0 say of what the files are")
	}
	w := newUpgradeWorld(t, program)
	w.env = append(w.env, clitest.VersionOfTest+"="+release)
	if said := w.must(t, cli.ExitDone, "version"); !strings.HasPrefix(said, "robots-audit "+release+" ") {
		t.Fatalf("the program is %s", said)
	}

	w.must(t, cli.ExitUnknown, "-domains list.txt -out run -cache cache.db -crawl -urls clicks.csv -segments segments.csv -crawlers Googlebot,Bingbot,GPTBot -format csv,jsonl,parquet")
	w.cutOff(t, filepath.Join("cut", ".robots-audit", "journal.jsonl"), "-domains cut.txt -out cut -reports evidence")
	w.must(t, cli.ExitUnknown, "schedule -config history.toml -once", clitest.ClockOfTest+"=2026-11-02T06:00:10Z")
	w.serve("changed")
	w.must(t, cli.ExitUnknown, "schedule -config history.toml -once", clitest.ClockOfTest+"=2026-11-03T06:00:10Z")
	w.acknowledge(t)
	w.note(t, upgradeBook)
	w.must(t, cli.ExitDone, "compare -out comparison history/runs/20261102T060010Z history/runs/20261103T060010Z")
	w.serve("")
	w.must(t, cli.ExitFindings, "migrate -map map.csv -out migration -ca-cert ca.pem -connect-to ::"+w.address)
	w.must(t, cli.ExitDone, "lint -write-baseline lint.baseline robots.txt")
	for name, args := range map[string]string{"lint.jsonl": "lint -json robots.txt", "lint.sarif": "lint -sarif robots.txt", "answers.jsonl": "check -jsonl"} {
		cmd := w.command(args)
		cmd.Stdin = strings.NewReader(upgradeFiles["questions.jsonl"])
		out, _ := cmd.Output() // lint ends with 1
		w.write(t, name, strings.ReplaceAll(string(out), w.dir, "/srv/www.example.com"))
	}
	text, err := os.ReadFile(cmp.Or(os.Getenv("TEST_CONFIG"), "../../config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, "config.toml", string(text))
	if err := os.Remove(filepath.Join(w.dir, "ca.pem")); err != nil {
		t.Fatal(err)
	}
	w.keep(t, filepath.Join("testdata", release))
}

// acknowledge acknowledges the first reported alert.
func (w *upgradeWorld) acknowledge(t *testing.T) {
	var message struct{ Events []struct{ ID string } }
	line, _, _ := strings.Cut(w.read(t, "alerts.jsonl"), "\n")
	if err := json.Unmarshal([]byte(line), &message); err != nil || len(message.Events) == 0 {
		t.Fatalf("%v: %s", err, line)
	}
	w.must(t, cli.ExitDone, "schedule -config history.toml -ack "+message.Events[0].ID+" -until 2026-12-31 -note known", clitest.ClockOfTest+"=2026-11-03T09:00:00Z")
}

// note writes a person's note into a workbook.
func (w *upgradeWorld) note(t *testing.T, name string) {
	book, err := excelize.OpenFile(filepath.Join(w.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	rows, err := book.GetRows("Rules")
	if err != nil {
		t.Fatal(err)
	}
	column := 0
	for i, row := range rows {
		for j, cell := range row {
			if cell == "Owner note" {
				column = j + 1
			} else if column > 0 && strings.Contains(cell, "/sale") {
				at, _ := excelize.CoordinatesToCellName(column, i+1)
				if err := book.SetCellStr("Rules", at, upgradeNote); err != nil {
					t.Fatal(err)
				}
				if err := book.Save(); err != nil {
					t.Fatal(err)
				}
				return
			}
		}
	}
	t.Fatalf("%s has no place for a note: %q", name, rows)
}

// notKept are the extensions of files for people, which no program reads.
var notKept = map[string]bool{".html": true, ".css": true, ".js": true, ".xlsx": true}

// keep copies the files that programs read to their place, without the others, which are most. None
// may contain the name of the folder in which they were made.
func (w *upgradeWorld) keep(t *testing.T, to string) {
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	all := int64(0)
	err := filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.Contains(text, []byte(w.dir)) {
			t.Errorf("%s names %s", path, w.dir)
		}
		name, _ := filepath.Rel(w.dir, path)
		if notKept[filepath.Ext(name)] && filepath.ToSlash(name) != upgradeBook {
			return nil
		}
		name = filepath.Join(to, name)
		all += int64(len(text))
		t.Logf("%7d %s", len(text), name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		return os.WriteFile(name, text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%7d bytes in all", all)
}
