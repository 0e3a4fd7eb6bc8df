//go:build soak

package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"robots-audit/cmd/internal/cli"
)

// noted reads the owner note of the first blocked URL in a run's workbook. Before that it writes
// one, if a text is given.
func (w *edited) noted(t *testing.T, id string, write *string) (note string) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(w.dir, "history", "runs", id, "al10*.xlsx"))
	if len(names) != 1 {
		t.Fatalf("workbooks: %q", names)
	}
	f, err := excelize.OpenFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := f.GetRows("Blocked")
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		at := slices.Index(row, "Owner note")
		if at < 0 {
			continue
		}
		cell, _ := excelize.CoordinatesToCellName(at+1, i+2)
		if write != nil {
			later := time.Now().Add(time.Minute) // later than the run by more than a second
			if err := errors.Join(f.SetCellStr("Blocked", cell, *write), f.Save(), os.Chtimes(names[0], later, later)); err != nil {
				t.Fatal(err)
			}
		}
		if note, err = f.GetCellValue("Blocked", cell); err != nil {
			t.Fatal(err)
		}
		return note
	}
	t.Fatal("no column of notes")
	return ""
}

// TestScheduleNotes writes a note into the workbook of a run. The next runs have it in their
// workbooks and pages until it is removed.
func TestScheduleNotes(t *testing.T) {
	w := newFewEdited(t, "al10.example.com")
	w.set(t, `reports = "page"`, `reports = "page,workbook"`)
	text, none := "asked the shop's team", ""
	for run, want := range []string{"", text, text, ""} {
		id := w.now.Format("20060102T150405Z")
		if code, said := w.process(t); code != cli.ExitDone {
			t.Fatalf("exit code %d: %s", code, said)
		}
		pages, _ := filepath.Glob(filepath.Join(w.dir, "history", "runs", id, "pages", "al10*.html"))
		shown := false
		for _, name := range pages {
			page, err := os.ReadFile(name)
			shown = shown || err == nil && strings.Contains(string(page), "asked the shop")
		}
		if got := w.noted(t, id, nil); got != want || shown != (want != "") {
			t.Errorf("run %d: the workbook has %q, want %q; on the page: %v", run+1, got, want, shown)
		}
		switch run {
		case 0:
			w.noted(t, id, &text)
		case 2:
			w.noted(t, id, &none)
		}
	}
}
