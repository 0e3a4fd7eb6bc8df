package book

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestCharts compares the charts with their tables.
func TestCharts(t *testing.T) {
	name := small(t, t.TempDir())
	f := open(t, name)
	for i, header := range []string{"Weight by directory", "URLs by crawler"} {
		chart := zipPart(t, name, fmt.Sprintf("xl/charts/chart%d.xml", i+1))
		found, err := f.SearchSheet(summaryName, header)
		if err != nil || len(found) != 1 {
			t.Fatalf("table %q is at %v (%v)", header, found, err)
		}
		from, err := strconv.Atoi(found[0][1:])
		if err != nil {
			t.Fatal(err)
		}
		last := from
		for {
			left, _ := f.GetCellValue(summaryName, fmt.Sprintf("B%d", last+1), excelize.Options{RawCellValue: true})
			if left == "" {
				break
			}
			if n, err := strconv.Atoi(left); err != nil || n > 0 {
				t.Errorf("newly blocked leads to the left, and is %q", left)
			}
			last++
		}
		for _, want := range []string{fmt.Sprintf("$B$%d:$B$%d<", from+1, last), fmt.Sprintf("$C$%d:$C$%d<", from+1, last), `formatCode="#,##0;#,##0"`, `formatCode="#,##0;#,##0;"`, `<showVal val="1"`, `<tickLblPos val="low"`} {
			if !strings.Contains(chart, want) {
				t.Errorf("the chart of %s has no %s: %s", header, want, chart)
			}
		}
	}
	for i, want := range []string{"shop.example /p/ has most of the change: 25 of 32 newly blocked", "Googlebot: 2 URLs newly blocked, 1 newly allowed"} {
		if !strings.Contains(zipPart(t, name, fmt.Sprintf("xl/charts/chart%d.xml", i+1)), want) {
			t.Errorf("chart %d has not the title %s", i+1, want)
		}
	}
}

// TestSiteLinks: a site links to its first line on the sheet of files side by side, and one without
// changed lines has no link.
func TestSiteLinks(t *testing.T) {
	f := open(t, small(t, t.TempDir()))
	first := map[string]int{}
	for i, row := range rows(t, f, robotsName) {
		if first[row["Site"]] == 0 {
			first[row["Site"]] = i + 2
		}
	}
	for i, row := range rows(t, f, "Sites") {
		linked, target, err := f.GetCellHyperLink("Sites", fmt.Sprintf("A%d", i+2))
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		if at := first[row["Site"]]; at > 0 {
			want = fmt.Sprintf("'%s'!A%d", robotsName, at)
		}
		if linked != (want != "") || target != want {
			t.Errorf("%s leads to %q, want %q", row["Site"], target, want)
		}
	}
	if len(first) == 0 {
		t.Error("no site has lines that differ")
	}
}

// zipPart returns a file of a workbook.
func zipPart(t testing.TB, name, part string) string {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := fs.ReadFile(z, part)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
