//go:build readers

package reports

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"robots-audit/reports/internal/book"
	"robots-audit/reports/internal/xlsx"
)

// readSheet is a sheet as read by a program: text, and numbers as text.
type readSheet struct {
	Name string     `json:"name"`
	Rows [][]string `json:"rows"`
}

// readersDir is the folder in which .ci/install-readers has put its programs.
func readersDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("ROBOTS_AUDIT_READERS")
	if dir == "" {
		t.Fatal("ROBOTS_AUDIT_READERS does not say where .ci/install-readers has installed the readers")
	}
	return dir
}

// workbooks returns the workbooks to read: those of sites with all features, and those in the
// folder ROBOTS_AUDIT_WORKBOOKS if it is set.
func workbooks(t *testing.T) []string {
	t.Helper()
	o := testOptions(t.TempDir())
	o.Rows, o.RowLimit = "all", 9
	dir := writeRun(t, o, siteRecords("continued.example", 0, 45), siteRecords("empty.example", 1, 0), shutRecords("shut.example", 2))
	names, err := filepath.Glob(filepath.Join(dir, "*.xlsx"))
	if err != nil || len(names) != 4 {
		t.Fatalf("%d workbooks of the test's own (%v), want 4", len(names), err)
	}
	outside := hostileRun(t)
	site, summary := filepath.Join(outside.Dir, hostileHosts[0]+".xlsx"), filepath.Join(outside.Dir, "summary.xlsx")
	run := book.NewRun(outside.bookOptions(), nil, outside.Totals())
	everySheet(t, outside.workbooks.SheetNames(), site)
	everySheet(t, run.SheetNames(), summary)
	names = append(names, site, summary, filepath.Join(checkedMap(t, 2, ""), "migration.xlsx"), filepath.Join(checkedMap(t, 0, ""), "migration.xlsx"))
	hostile := comparedSite("hostile.example", 40, true, " =1+1\x01\ufffe ünïcödé 漢字 <&>_x0041_")
	for _, dir := range []string{comparison(t), comparison(t, comparedSite("a.example", 0, false, ""), comparedSite("b.example", 40, true, ""), hostile)} {
		names = append(names, filepath.Join(dir, "changes.xlsx"))
	}
	if more := os.Getenv("ROBOTS_AUDIT_WORKBOOKS"); more != "" {
		found, err := filepath.Glob(filepath.Join(more, "*.xlsx"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no workbooks in %s (%v)", more, err)
		}
		names = append(names, found...)
	}
	return names
}

// output runs a program and returns its output.
func output(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(dir, "node_modules"))
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", args[0], err, out, errors.String())
	}
	return out
}

// TestValid validates every workbook with the Open XML SDK.
func TestValid(t *testing.T) {
	t.Parallel() // the validator uses one core
	dir := readersDir(t)
	for _, name := range workbooks(t) {
		cmd := exec.Command(filepath.Join(dir, "node_modules", ".bin", "ooxml-validator"), name)
		out, err := cmd.Output()
		var verdict struct {
			OK     bool
			Errors []struct{ Path, XPath, Description string }
		}
		if e := json.Unmarshal(out, &verdict); e != nil {
			t.Fatalf("%s: %v, %v: %s", name, err, e, out)
		}
		if !verdict.OK || len(verdict.Errors) > 0 {
			t.Errorf("%s: %d errors: %.2000v", name, len(verdict.Errors), verdict.Errors)
		}
	}
}

// TestReaders compares every cell of every sheet with what other programs read.
func TestReaders(t *testing.T) {
	t.Parallel() // most readers use one core
	dir := readersDir(t)
	names := workbooks(t)
	want := map[string][]readSheet{}
	for _, name := range names {
		want[name] = storedCells(t, name)
	}
	for _, reader := range []struct {
		name    string
		shows   func(string) string // how it shows some texts, if it does so in its own way
		command []string
	}{
		{"SheetJS", asStored, []string{"node", "testdata/readers/sheetjs_cells.js"}},
		{"openpyxl", keepEscapes, []string{filepath.Join(dir, "python3"), "testdata/readers/openpyxl_cells.py"}},
		{"ExcelJS", keepEscapes, []string{"node", "testdata/readers/exceljs_cells.js"}},
		{"tealeg", func(s string) string { return strings.TrimSpace(keepEscapes(s)) }, []string{filepath.Join(dir, "tealeg")}}, // ignores xml:space in a cell
	} {
		t.Run(reader.name, func(t *testing.T) {
			var got map[string][]readSheet
			noError(t, json.Unmarshal(output(t, dir, append(reader.command, names...)...), &got))
			for _, name := range names {
				compareSheets(t, name, want[name], got[name], reader.shows)
			}
		})
	}
	// These two write what they have read, and the result is read again.
	t.Run("LibreOffice", func(t *testing.T) {
		in, out := t.TempDir(), t.TempDir()
		command := []string{"soffice", "-env:UserInstallation=file://" + filepath.Join(dir, "office"), "--headless", "--convert-to", "xlsx", "--outdir", out}
		for i, name := range names { // numbered, since several have one name, and one start converts all
			text, err := os.ReadFile(name)
			noError(t, err)
			command = append(command, filepath.Join(in, fmt.Sprintf("%d.xlsx", i)))
			noError(t, os.WriteFile(command[len(command)-1], text, 0o644))
		}
		output(t, dir, command...)
		for i, name := range names {
			compareSheets(t, name, want[name], storedCells(t, filepath.Join(out, fmt.Sprintf("%d.xlsx", i))), asStored)
		}
	})
	t.Run("Gnumeric", func(t *testing.T) {
		for i, name := range names {
			out := filepath.Join(t.TempDir(), fmt.Sprintf("%d.xlsx", i))
			output(t, dir, "ssconvert", name, out)
			compareSheets(t, name, want[name], storedCells(t, out), asStored)
		}
	})
}

// storedCells reads a workbook with excelize: values as they are stored.
func storedCells(t *testing.T, name string) []readSheet {
	t.Helper()
	f := openBook(t, name)
	var sheets []readSheet
	for _, sheet := range f.GetSheetList() {
		rows := sheetCells(t, f, sheet, excelize.Options{RawCellValue: true})
		sheets = append(sheets, readSheet{sheet, rows})
	}
	return sheets
}

// compareSheets compares cell by cell; empty ones at the end may be missing.
func compareSheets(t *testing.T, name string, want, got []readSheet, shows func(string) string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d sheets, want %d", name, len(got), len(want))
		return
	}
	cells, wrong := 0, 0
	for i, w := range want {
		g := got[i]
		if g.Name != w.Name {
			t.Errorf("%s: sheet %d is %q, want %q", name, i, g.Name, w.Name)
		}
		for y := range max(len(w.Rows), len(g.Rows)) {
			for x := range max(len(at(w.Rows, y)), len(at(g.Rows, y))) {
				wantCell, gotCell := at(at(w.Rows, y), x), at(at(g.Rows, y), x)
				if wantCell != "" {
					cells++
				}
				if !sameCell(shows(wantCell), gotCell) && !sameCell(wantCell, gotCell) {
					if wrong++; wrong <= 10 {
						t.Errorf("%s: %s: %s%d is %.80q, want %.80q", filepath.Base(name), w.Name, xlsx.ColumnName(x), y+1, gotCell, wantCell)
					}
				}
			}
		}
	}
	t.Logf("%s: %d sheets, %d cells, %d wrong", filepath.Base(name), len(want), cells, wrong)
}

func asStored(s string) string { return s }

var escaped = regexp.MustCompile(`_(x[0-9A-Fa-f]_|x[0-9A-Fa-f]{4}_)`)

// keepEscapes is how libraries show text that looks like an escape: as in the file. Spreadsheets
// remove the escape of the underscore (ISO/IEC 29500-1, 22.9.2.19), and without it they would show
// _x0041_ as A.
func keepEscapes(s string) string { return escaped.ReplaceAllString(s, "_x005F_$1") }

// at is list[i], or the zero value if the list is shorter.
func at[T any](list []T, i int) (v T) {
	if i < len(list) {
		return list[i]
	}
	return v
}

// sameCell reports whether two cells show the same. Programs write a number with fewer digits, and
// a time of day rounded to a millisecond at least. Text that only looks like a number, such as 007,
// must be exactly the same.
func sameCell(want, got string) bool {
	if want == got {
		return true
	}
	w, err := strconv.ParseFloat(want, 64)
	g, err2 := strconv.ParseFloat(got, 64)
	if err != nil || err2 != nil || strconv.FormatFloat(w, 'f', -1, 64) != want && strconv.FormatFloat(w, 'g', -1, 64) != want {
		return false
	}
	within := 1e-12 * math.Abs(w)
	if isTime := w > 40000 && w < 60000 && w != math.Trunc(w); isTime { // days since 1900: 2009 to 2064
		within = 0.001 / 86400
	}
	return math.Abs(w-g) <= within
}
