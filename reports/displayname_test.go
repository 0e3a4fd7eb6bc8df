package reports

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestIDN writes the report of a site with an internationalized name: people read it in Unicode
// next to the name for DNS; files and data have only the latter.
func TestIDN(t *testing.T) {
	t.Parallel()
	const name, shown = "xn--mnchen-3ya.example", "münchen.example (xn--mnchen-3ya.example)"
	dir := writeRun(t, testOptions(t.TempDir()), siteRecords(name, 0, 10))
	for file, want := range map[string]string{
		"pages/" + name + ".html": "<h1><bdi>" + shown + "</bdi>",
		"index.html":              `["` + shown + `","` + name + `",`,
		"summary.md":              shown,
		"summary.json":            `"domain":"` + name + `"`,
	} {
		if text, err := os.ReadFile(filepath.Join(dir, file)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %s: %v", file, want, err)
		}
	}
	for file, title := range map[string]string{name + ".xlsx": "robots.txt audit of " + shown, "summary.xlsx": shown} {
		book := openBook(t, dir, file)
		found := false
		for _, sheet := range book.GetSheetList() {
			rows := sheetCells(t, book, sheet)
			for _, row := range rows {
				for _, cell := range row {
					found = found || cell == title
				}
			}
		}
		if !found {
			t.Errorf("%s has no cell %q", file, title)
		}
	}
}
