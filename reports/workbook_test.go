package reports

import (
	"archive/zip"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/book"
	"robots-audit/reports/internal/xlsx"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sheetText is a workbook as text: one line for each row, after the sheet's name.
func sheetText(t testing.TB, name string) string {
	t.Helper()
	f := openBook(t, name)
	var b strings.Builder
	for _, sheet := range f.GetSheetList() {
		rows := sheetCells(t, f, sheet)
		for i, row := range rows {
			fmt.Fprintf(&b, "%s %d: %s\n", sheet, i+1, strings.Join(row, " | "))
		}
	}
	return b.String()
}

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		noError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want := readBytes(t, file)
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got); if that is meant, go test ./reports -update writes it anew:\n%s", file, diff)
	}
}

// TestWorkbook reads every cell of a site's workbook and of the run's back.
func TestWorkbook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := testOptions(dir)
	o.Rows = "all"
	r := openRun(t, o)
	writeAll(t, r, siteRecords("example.com", 0, 10))
	writeAll(t, r, shutRecords("example.org", 1))
	noError(t, r.Write(audit.Record{Problem: &audit.Problem{Stage: audit.StageList, Code: audit.CodeBadDomain, Detail: "line 9: nothing"}}))
	closeRun(t, r)
	golden(t, "shut.txt", sheetText(t, filepath.Join(dir, "example.org.xlsx")))
	golden(t, "site.txt", sheetText(t, filepath.Join(dir, "example.com.xlsx")))
	golden(t, "run.txt", sheetText(t, filepath.Join(dir, "summary.xlsx")))
	for _, name := range []string{"summary.json", "summary.md", "run.json"} {
		text := readText(t, dir, name)
		golden(t, name, text)
	}
}

// The layout of a sheet: frozen header, filter over exactly the rows, types of values.
func TestWorkbookDress(t *testing.T) {
	t.Parallel()
	dir := writeRun(t, testOptions(t.TempDir()), siteRecords("example.com", 0, 10))
	f := openBook(t, dir, "example.com.xlsx")
	if got := f.GetSheetList(); !cmp.Equal(got[:3], []string{"Summary", "To do", "Blocked"}) {
		t.Errorf("sheets %v", got)
	}
	panes, err := f.GetPanes("Blocked")
	if err != nil || !panes.Freeze || panes.YSplit != 1 {
		t.Errorf("header not frozen: %+v, %v", panes, err)
	}
	filters := map[string]string{}
	for _, n := range f.GetDefinedName() {
		if n.Name == "_xlnm._FilterDatabase" {
			filters[n.Scope] = n.RefersTo
		}
	}
	if want := "'Blocked'!$A$1:$T$5"; filters["Blocked"] != want {
		t.Errorf("filter over %q, want %q", filters["Blocked"], want)
	}
	xml := zipPart(t, filepath.Join(dir, "example.com.xlsx"), "xl/worksheets/sheet3.xml")
	if !strings.Contains(xml, `<autoFilter ref="$A$1:$T$5"`) {
		t.Error("the sheet's filter is not over its rows")
	}
	for cell, want := range map[string]excelize.CellType{"A2": excelize.CellTypeInlineString, "B2": excelize.CellTypeSharedString, "F2": excelize.CellTypeUnset, "M2": excelize.CellTypeUnset} {
		if got, err := f.GetCellType("Blocked", cell); err != nil || got != want {
			t.Errorf("%s has type %v (%v), want %v", cell, got, err, want)
		}
	}
	if got, _ := f.GetCellValue("Blocked", "M3"); got != "2026-01-02 02:04:05" {
		t.Errorf("time in UTC: got %q", got)
	}
	if got, _ := f.GetCellValue("Blocked", "M3", excelize.Options{RawCellValue: true}); !strings.HasPrefix(got, "46024.08") {
		t.Errorf("a time must be a number, got %q", got)
	}
}

// zipPart returns a file of a workbook.
func zipPart(t testing.TB, name, part string) string {
	t.Helper()
	z, err := zip.OpenReader(name)
	noError(t, err)
	defer z.Close()
	if first := z.File[0].Name; first != "[Content_Types].xml" {
		t.Errorf("the first part of %s is %s", name, first)
	}
	text, err := fs.ReadFile(z, part)
	noError(t, err)
	return string(text)
}

// hostile is text that a site may contain and a spreadsheet must not execute, with the text that
// its cell shows.
var hostile = map[string]string{
	`=cmd|'/c calc'!A1`:                      `=cmd|'/c calc'!A1`,
	"+1+1":                                   "+1+1",
	"-2+3":                                   "-2+3",
	"@SUM(A1)":                               "@SUM(A1)",
	"\t=1":                                   `\x09=1`,
	"a\x00b\x1fc\x7fd\r\ne":                  `a\x00b\x1Fc\x7Fd\x0D\x0Ae`,
	"_x0041_":                                "_x0041_",
	"_x000D_ _x000d_":                        "_x000D_ _x000d_",
	"_x":                                     "_x",
	"a_x00":                                  "a_x00",
	"'=1":                                    "'=1",
	"\u202e=1+1":                             "\u202e=1+1",
	"\x00":                                   `\x00`,
	"]]>":                                    "]]>",
	"  ":                                     "  ",
	"\n\nlines\r\n":                          `\x0A\x0Alines\x0D\x0A`,
	"😀":                                      "😀",
	"a_xd_1691_xE_":                          "a_xd_1691_xE_",
	"\xff\xfe":                               `\xFF\xFE`,
	"<b>&amp;</b>]]>":                        "<b>&amp;</b>]]>",
	" space ":                                " space ",
	"\uFFFE\uFFFF":                           "\uFFFD\uFFFD",
	"a\u0080\u0085\u009fb\u2028\ufeff\u202e": "a\u0080\u0085\u009fb\u2028\ufeff\u202e",
	"\ufdd0\U0001FFFE\U0010FFFF\u200b":       "\ufdd0\U0001FFFE\U0010FFFF\u200b",
	strings.Repeat("a", xlsx.MaxText):        strings.Repeat("a", xlsx.MaxText),
	strings.Repeat("b", xlsx.MaxText+1):      strings.Repeat("b", xlsx.MaxText-7) + escape.CutMark,
	strings.Repeat("😀", xlsx.MaxText/2+1):    strings.Repeat("😀", (xlsx.MaxText-7)/2) + escape.CutMark,
	strings.Repeat("\x01", xlsx.MaxText/4+1): strings.Repeat(`\x01`, (xlsx.MaxText-7)/4) + escape.CutMark,
}

func TestHostileText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := openRun(t, testOptions(dir))
	records := siteRecords("example.com", 0, 0)
	batch := &audit.URLs{}
	for text := range hostile {
		batch.List = append(batch.List, audit.URL{Loc: text, LastMod: text, Verdicts: []engine.Verdict{engine.Disallow, engine.Allow, engine.Allow}, Lines: []int32{2, 0, 0}})
	}
	writeAll(t, r, append([]audit.Record{records[0], records[1], {Domain: "example.com", URLs: batch}}, records[2:]...))
	closeRun(t, r)
	name := filepath.Join(dir, "example.com.xlsx")
	f := openBook(t, name)
	for i, u := range batch.List {
		for _, column := range "AM" {
			cell := fmt.Sprintf("%c%d", column, i+2)
			got, err := f.GetCellValue("Blocked", cell)
			noError(t, err)
			if want := hostile[u.Loc]; got != want {
				t.Errorf("%s shows %.60q, want %.60q", cell, got, want)
			}
			if formula, err := f.GetCellFormula("Blocked", cell); err != nil || formula != "" {
				t.Errorf("%s has the formula %q (%v)", cell, formula, err)
			}
		}
	}
	for _, part := range []string{"xl/worksheets/sheet2.xml", "xl/worksheets/sheet3.xml"} {
		xml := zipPart(t, name, part) // links to sheets have no relation
		if strings.Contains(xml, "<f>") || strings.Contains(xml, "r:id") || strings.Contains(xml, "hyperlink") && part != "xl/worksheets/sheet2.xml" {
			t.Errorf("a formula or a link among the rows of %s", part)
		}
	}
}

// TestTooMuch: more rows than the sheets of a workbook may have.
func TestTooMuch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := testOptions(dir)
	o.RowLimit = 3
	r := openRun(t, o)
	writeAll(t, r, siteRecords("example.com", 0, 500)) // 200 blocked, space for 20 × 2
	closeRun(t, r)
	f := openBook(t, dir, "example.com.xlsx")
	rows := sheetCells(t, f, xlsx.SheetName("Blocked", xlsx.MaxSheets-1))
	if got, want := rows[len(rows)-1][0], "161 more rows stand in the site's records alone"; len(rows) != 3 || got != want {
		t.Errorf("%d rows, the last %q, want %q", len(rows), got, want)
	}
	if _, err := f.GetRows(xlsx.SheetName("Blocked", xlsx.MaxSheets)); err == nil {
		t.Error("one sheet too many")
	}
}

// TestManySites: the sites of a run fill one sheet of summary.xlsx after the other. Those beyond
// the last sheet are only in summary.json, and are counted.
func TestManySites(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sites, sheets, dropped int
	}{{39, 20, 0}, {50, 20, 11}} { // 20 sheets of 2 sites each
		dir := t.TempDir()
		o := testOptions(dir)
		o.RowLimit, o.Reports = 3, []string{levelSummary}
		r := openRun(t, o)
		enterMany(t, r, c.sites)
		closeRun(t, r)
		f := openBook(t, dir, "summary.xlsx")
		sheets, names := 0, map[string]bool{}
		for ; slices.Contains(f.GetSheetList(), xlsx.SheetName("Sites", sheets)); sheets++ {
			rows, err := f.GetRows(xlsx.SheetName("Sites", sheets))
			if err != nil || len(rows) > 3 {
				t.Fatalf("%d rows, %v", len(rows), err)
			}
			for _, row := range rows[1:] {
				if len(row) > 1 {
					names[row[1]] = true
				} else if want := fmt.Sprintf("%d more rows stand in summary.json alone", c.dropped); row[0] != want {
					t.Errorf("%q, want %q", row[0], want)
				}
			}
		}
		if sheets != c.sheets || len(names) != c.sites-c.dropped || len(jsonOrder(t, dir)) != c.sites {
			t.Errorf("%d sites: %d on %d sheets, %d in summary.json", c.sites, len(names), sheets, len(jsonOrder(t, dir)))
		}
	}
}

// TestSpill has more rows than stay in memory, in two sheets in turns.
func TestSpill(t *testing.T) {
	if raced {
		t.Skip("one goroutine that works for half a minute")
	}
	dir := t.TempDir()
	o := testOptions(dir)
	o.Rows = "all"
	r := openRun(t, o)
	const urls = 30000
	records := siteRecords("example.com", 0, urls)
	writeAll(t, r, records[:len(records)-1])
	s := r.sites["example.com"]
	if !s.outputs[0].(*book.Site).Spilled() || s.records.spilled == 0 {
		t.Fatal("nothing was spilled: the test tests nothing")
	}
	writeAll(t, r, records[len(records)-1:])
	closeRun(t, r)
	f := openBook(t, dir, "example.com.xlsx")
	for sheet, want := range map[string]int{"Blocked": urls / 5 * 2, "All URLs": urls} {
		rows, err := f.Rows(sheet)
		noError(t, err)
		n := -1
		for rows.Next() {
			n++
		}
		if err := rows.Close(); err != nil || n != want {
			t.Errorf("%s: %d rows (%v), want %d", sheet, n, err, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, hidden, "tmp", "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
