package book

import (
	"slices"
	"testing"

	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/summary"
)

// TestFigureSheets checks that a workbook has the sheet of each key figure.
func TestFigureSheets(t *testing.T) {
	dir := t.TempDir()
	run := NewRun(Options{Folder: &disk.Folder{FS: disk.OS{}, Dir: dir, Temp: dir}}, nil, summary.Totals{Asked: []summary.AskedTotal{{Crawler: "GPTBot"}}})
	for _, name := range summary.FigureSheets() {
		if !slices.Contains(run.SheetNames(), name) {
			t.Errorf("a figure of the run leads to %q; there are %q", name, run.SheetNames())
		}
	}
}
