package book

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/reports/internal/xlsx"
)

var update = flag.Bool("update", false, "write the golden file anew")

// open opens a workbook as another program does.
func open(t testing.TB, name string) *excelize.File {
	t.Helper()
	f, err := excelize.OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// rows are the rows of a sheet after its header, by the titles of the columns.
func rows(t testing.TB, f *excelize.File, sheet string) (list []map[string]string) {
	t.Helper()
	all, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range all[1:] {
		of := map[string]string{}
		for i, value := range row {
			of[all[0][i]] = value
		}
		list = append(list, of)
	}
	return list
}

// column is a column of rows.
func column(rows []map[string]string, title string) (list []string) {
	for _, row := range rows {
		list = append(list, row[title])
	}
	return list
}

// TestWorkbook compares every cell with the golden file.
func TestWorkbook(t *testing.T) {
	f := open(t, small(t, t.TempDir()))
	var b strings.Builder
	for _, sheet := range f.GetSheetList() {
		rows, err := f.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			fmt.Fprintf(&b, "%s %d: %s\n", sheet, i+1, strings.Join(row, " | "))
		}
	}
	file := filepath.Join("testdata", "changes.txt")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", file, diff)
	}
}

// TestCounts compares the rows of flips with the counts of the comparison, which counts pages.
func TestCounts(t *testing.T) {
	f := open(t, small(t, t.TempDir()))
	site, flips := shop(t)
	for _, class := range []compare.Class{compare.NewlyBlocked, compare.NewlyAllowed, compare.NowUnclear, compare.ClearAgain} {
		pages, per := map[string]bool{}, map[string]int64{}
		for _, row := range rows(t, f, "Changed URLs") {
			if row["Change"] != strings.ReplaceAll(class.String(), "_", " ") || row["Kind"] != "page" {
				continue
			}
			pages[row["URL"]] = true
			for _, crawler := range strings.Split(row["Crawlers"], ", ") {
				per[crawler]++
			}
		}
		t1 := &site.Totals
		if want := map[compare.Class]int64{compare.NewlyBlocked: t1.NewlyBlocked, compare.NewlyAllowed: t1.NewlyAllowed, compare.NowUnclear: t1.NowUnclear, compare.ClearAgain: t1.ClearAgain}[class]; int64(len(pages)) != want {
			t.Errorf("%d pages are %v, want %d", len(pages), class, want)
		}
		for i, c := range site.Crawlers {
			n := &site.Flips[i]
			if want := map[compare.Class]int64{compare.NewlyBlocked: n.NewlyBlocked, compare.NewlyAllowed: n.NewlyAllowed, compare.NowUnclear: n.NowUnclear, compare.ClearAgain: n.ClearAgain}[class]; per[c.Label] != want {
				t.Errorf("%d pages are %v for %s, want %d", per[c.Label], class, c.Label, want)
			}
		}
	}
	if got := column(rows(t, f, "Appeared"), "URL"); len(got) != 1 || got[0] != flips[4].Loc {
		t.Errorf("appeared and blocked: %q", got)
	}
}

// TestIds compares url_id with that of the runs' own workbooks: see audit.URLID.
func TestIds(t *testing.T) {
	for loc, want := range map[string]string{
		"https://example.com/a": "https://example.com", "HTTPS://Example.com:443?a": "https://example.com",
		"http://example.com:80": "http://example.com", "http://example.com:8080/:80": "http://example.com:8080", "https://example.com:80/": "https://example.com:80",
	} {
		if got := originOf(loc); got != want {
			t.Errorf("%s: origin %s, want %s", loc, got, want)
		}
	}
	for _, row := range rows(t, open(t, small(t, t.TempDir())), "Changed URLs") {
		if len(row["url_id"]) != 16 {
			t.Errorf("%s has url_id %q", row["URL"], row["url_id"])
		}
	}
}

// Text is text, whatever it begins with, and the same comparison gives the same bytes.
func TestSameBytes(t *testing.T) {
	first, second := small(t, t.TempDir()), small(t, t.TempDir())
	one, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	two, err := os.ReadFile(second)
	if err != nil || !bytes.Equal(one, two) {
		t.Errorf("%d and %d bytes, which differ (%v)", len(one), len(two), err)
	}
	f := open(t, first)
	for _, sheet := range f.GetSheetList() {
		cells, err := f.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range cells {
			for j := range row {
				if formula, _ := f.GetCellFormula(sheet, xlsx.ColumnName(j)+strconv.Itoa(i+1)); formula != "" {
					t.Errorf("%s %d: formula %s", sheet, i+1, formula)
				}
			}
		}
	}
	if !slices.Contains(column(rows(t, f, "Robots.txt"), "New text"), "=cmd|'/c calc'!A1") {
		t.Error("the line that begins like a formula is not there")
	}
}

// Sheets without rows are omitted, and the summary says so.
func TestNothing(t *testing.T) {
	f := open(t, comparison(t, t.TempDir(), 0, func(add func(*compare.Site, func(func(*compare.Flip)))) { add(still("quiet.example"), none) }))
	if got, want := f.GetSheetList(), []string{"Summary", "Sites", "Runs"}; !slices.Equal(got, want) {
		t.Errorf("sheets %q, want %q", got, want)
	}
	text, err := f.GetCols("Summary")
	if err != nil || !slices.Contains(text[0], "Nothing found for: Changed URLs; Appeared; Robots.txt; Changes; Directories.") {
		t.Errorf("the summary has %q (%v)", text[0], err)
	}
}

// many adds a site of flips in no order; every third of them has clicks.
func many(n int, seen func(clicks int64, loc string)) func(func(*compare.Site, func(func(*compare.Flip)))) {
	return func(add func(*compare.Site, func(func(*compare.Flip)))) {
		s := still("many.example")
		s.Crawlers = []compare.Crawler{{Label: "Googlebot"}}
		s.Flips = []compare.CrawlerTotals{{Counts: compare.Counts{NewlyBlocked: int64(n)}}}
		s.Totals.NewlyBlocked = int64(n)
		add(s, func(flip func(*compare.Flip)) {
			f := compare.Flip{Verdicts: []compare.Verdicts{{Was: engine.Allow, Is: engine.Disallow, New: engine.Rule{Value: "/p", Line: 2}, Class: compare.NewlyBlocked, Cause: compare.Rule}}}
			for i := range n {
				f.Weight = audit.Weight{}
				if i%3 == 0 {
					f.Weight.Clicks = int64(1 + i*7919%1009)
				}
				f.Loc = fmt.Sprintf("https://many.example/p/%d", i)
				seen(f.Weight.Clicks, f.Loc)
				flip(&f)
			}
		})
	}
}

// Those with most clicks come first, then the others in their order, over as many sheets as needed;
// none is lost or repeated.
func TestOrder(t *testing.T) {
	type row struct {
		clicks int64
		loc    string
	}
	const n = 4*maxFirst + 17 // a third of these have clicks
	var came []row
	f := open(t, comparison(t, t.TempDir(), 15_000, many(n, func(clicks int64, loc string) { came = append(came, row{clicks, loc}) })))
	if got := f.GetSheetList()[2:5]; !slices.Equal(got, []string{"Changed URLs", "Changed URLs 2", "Changed URLs 3"}) {
		t.Fatalf("sheets %q", got)
	}
	var got []row
	for _, sheet := range f.GetSheetList()[2:5] {
		all, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		clicks := slices.Index(all[0], "Clicks")
		for _, r := range all[1:] {
			n, _ := strconv.ParseInt(r[clicks], 10, 64)
			got = append(got, row{n, r[1]})
		}
	}
	most := slices.Clone(came) // by brute force
	slices.SortStableFunc(most, func(a, b row) int { return int(b.clicks - a.clicks) })
	want, first := slices.Clone(most[:maxFirst]), map[row]bool{}
	for _, r := range want {
		first[r] = true
	}
	for _, r := range came {
		if !first[r] {
			want = append(want, r)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d, or in another order", len(got), len(want))
	}
}
