package reports

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
	"robots-audit/reports/internal/book"
)

// urlID is the id of a URL of siteRecords' site.
func urlID(path string) string {
	id, _ := audit.URLID(nil, "https://example.com", "https://example.com"+path)
	return id
}

// testPast is the past of siteRecords' site: four runs, a rule that was removed for one run, and a
// list of three URLs, one of them blocked since the second run.
func testPast() *audit.Past {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 5, 0, 0, 0, time.UTC) }
	listed := map[string]bool{"https://example.com/search?q=0": true, "https://example.com/a/1": true, "https://example.com/products/item-2.html?a=1&b=<2>": true}
	return &audit.Past{
		Begins: day(1),
		Points: []audit.Point{{Started: day(1), Answer: "200", Status: 200, SHA256: sumOf(testRobots), Known: 10, Blocked: map[string]int64{"Googlebot": 2}}},
		Rules: map[string]audit.RulePast{
			audit.RuleID("*", "disallow: /search"):    {First: day(1), Since: day(3)},
			audit.RuleID("*", "allow: /search/help"):  {First: day(1), Since: day(1)},
			audit.RuleID("*", "disallow: /never"):     {First: day(2), Since: day(2)},
			audit.RuleID("*", "disallow: /of-before"): {First: day(2), Since: day(2)},
		},
		Blocked: map[audit.BlockedKey]audit.Since{
			{URLID: urlID("/search?q=0"), Crawler: "Googlebot"}: {Run: day(1), SHA256: sumOf(testRobots), Rule: "disallow: /search", Line: 2},
		},
		Notes: map[audit.NoteKey]string{
			{Kind: "url", ID: urlID("/search?q=5")}:                      "=intended; Anna <b>",
			{Kind: "rule", ID: audit.RuleID("*", "disallow: /search")}:   "asked IT",
			{Kind: "url", ID: "0123456789abcdef"}:                        "of a URL that is not known any more",
			{Kind: "rule", ID: audit.RuleID("*", "allow: /search/help")}: "goes soon",
		},
		Listed: func(url string) bool { return listed[url] },
	}
}

// pastRun writes the reports of a site with history, and returns their folder.
func pastRun(t testing.TB, urls int, change func(*Options)) string {
	t.Helper()
	dir := t.TempDir()
	o := testOptions(dir)
	o.Rows = "all"
	o.Past = func(site string) (*audit.Past, error) {
		if site != "example.com" {
			return nil, nil
		}
		return testPast(), nil
	}
	if change != nil {
		change(&o)
	}
	writeRun(t, o, siteRecords("example.com", 0, urls), siteRecords("example.org", 1, urls))
	return dir
}

// TestPastWorkbook reads every cell of the workbook of a site with history. The workbook of a site
// without one, in the same run, is the same as in a run without history.
func TestPastWorkbook(t *testing.T) {
	t.Parallel()
	dir := pastRun(t, 10, nil)
	golden(t, "past.txt", sheetText(t, filepath.Join(dir, "example.com.xlsx")))
	for row, want := range map[string]string{"/search?q=0": "≤ 2026-03-01 05:00:00", "/a/1": "2026-03-04 05:06:07"} { // a date is a number, with a sign or without
		shown, raw := cellBeside(t, filepath.Join(dir, "example.com.xlsx"), "Blocked", book.TitleURLID, urlID(row), "First seen blocked")
		if shown != want || !strings.HasPrefix(raw, "460") {
			t.Errorf("%s: %q (%s), want %q", row, shown, raw, want)
		}
	}
	none := pastRun(t, 10, func(o *Options) { o.Past = nil })
	for _, name := range []string{"example.org.xlsx", "pages/example.org.html", "records/example.org.jsonl.zst", "summary.xlsx", "index.html"} {
		if !bytes.Equal(readBytes(t, dir, name), readBytes(t, none, name)) {
			t.Errorf("%s is another one where a site beside it has history", name)
		}
	}
}

// cellBeside returns the shown text and the value in a column of a row; the row is the first with a
// text in another column.
func cellBeside(t testing.TB, name, sheet, column, text, title string) (shown, raw string) {
	t.Helper()
	f := openBook(t, name)
	stored := sheetRows(t, f, sheet)
	for i, row := range shownRows(t, f, sheet) {
		if row[column] == text {
			return row[title], stored[i][title]
		}
	}
	t.Fatalf("%s: no row with %s", sheet, text)
	return "", ""
}

// Reports that are made again from the records have the same bytes, also those of a site whose
// records did not fit into memory.
func TestPastRebuilt(t *testing.T) {
	t.Parallel()
	for _, urls := range []int{10, 1200} {
		dir := pastRun(t, urls, nil)
		if shown, _ := cellBeside(t, filepath.Join(dir, "example.com.xlsx"), "Blocked", "url_id", urlID("/a/1"), "First seen blocked"); shown != "2026-03-04 05:06:07" {
			t.Errorf("%d URLs: first seen blocked %q", urls, shown)
		}
		times := 2
		if raced {
			times = 1
		}
		for range times {
			checkRebuilt(t, dir)
		}
	}
}

// If the history cannot be read, the report only lacks its history.
func TestPastUnknown(t *testing.T) {
	t.Parallel()
	var warned []string
	dir := pastRun(t, 10, func(o *Options) {
		o.Past = func(string) (*audit.Past, error) { return nil, errors.New("disk\x1b[1m") }
		o.Warn = func(text string) { warned = append(warned, text) }
	})
	if want := []string{`example.com: its reports are without history: disk\x1B[1m`, `example.org: its reports are without history: disk\x1B[1m`}; !cmp.Equal(warned, want) {
		t.Errorf("warned %q", warned)
	}
	if !bytes.Equal(readBytes(t, dir, "example.com.xlsx"), readBytes(t, pastRun(t, 10, func(o *Options) { o.Past = nil }), "example.com.xlsx")) {
		t.Error("not the workbook of a site without history")
	}
}

// edit changes a workbook as a person would, and saves it.
func edit(t testing.TB, name string, change func(f *excelize.File) error) {
	t.Helper()
	f, err := excelize.OpenFile(name)
	if err == nil {
		err = errors.Join(change(f), f.Save(), f.Close())
	}
	noError(t, err)
}

// column returns the letters of a column of a sheet, by its title.
func column(t testing.TB, f *excelize.File, sheet, title string) string {
	t.Helper()
	rows := sheetCells(t, f, sheet)
	for _, row := range rows[:3] {
		for i, text := range row {
			if text == title {
				name, _ := excelize.ColumnNumberToName(i + 1)
				return name
			}
		}
	}
	t.Fatalf("%s has no column %s", sheet, title)
	return ""
}

// TestOwnerNotes: notes are read back unchanged, and after people have changed, emptied and added
// some, wherever they have moved the columns.
func TestOwnerNotes(t *testing.T) {
	t.Parallel()
	name, known := filepath.Join(pastRun(t, 10, nil), "example.com.xlsx"), testPast().Notes
	notes, err := OwnerNotes(filepath.Dir(name), filepath.Base(name), known)
	if err != nil || !cmp.Equal(notes, known) {
		t.Fatalf("untouched: %v, %s", err, cmp.Diff(known, notes))
	}
	if notes, err = OwnerNotes(filepath.Dir(name), filepath.Base(name), nil); err != nil || notes != nil {
		t.Errorf("untouched, and read all the same: %v, %v", notes, err)
	}
	edit(t, name, func(*excelize.File) error { return nil })
	if notes, err = OwnerNotes(filepath.Dir(name), filepath.Base(name), known); err != nil || !cmp.Equal(notes, known) {
		t.Errorf("saved without a change: %v, %s", err, cmp.Diff(known, notes))
	}
	if notes, err = OwnerNotes(filepath.Dir(name), filepath.Base(name), nil); err != nil || len(notes) != 3 {
		t.Errorf("nothing known: %d notes, %v; want the three that stand there", len(notes), err)
	}
	long := strings.Repeat("ü", 32767)
	edit(t, name, func(f *excelize.File) error {
		note, rule := column(t, f, "All URLs", "Owner note"), column(t, f, "Rules", "Owner note")
		return errors.Join(
			f.SetCellStr("All URLs", note+"2", "=cmd|' /C calc'!A0"), // /search?q=0
			f.SetCellStr("All URLs", note+"3", "two\nlines\tof it "),
			f.SetCellInt("All URLs", note+"4", 7),
			f.SetCellStr("All URLs", note+"5", long),
			f.SetCellStr("Rules", rule+"4", ""), // disallow: /search: taken away
			f.InsertRows("Rules", 1, 2),         // a heading that a person added
			f.SetCellStr("Rules", "A1", "for the meeting"),
			f.InsertCols("Rules", "A", 2),
			f.SetColVisible("All URLs", note, false),
			f.MoveSheet("Rules", "Summary"),
			f.SetSheetName("All URLs", "Alles"),
		)
	})
	want := map[audit.NoteKey]string{
		{Kind: "url", ID: urlID("/search?q=0")}:                      "=cmd|' /C calc'!A0",
		{Kind: "url", ID: urlID("/a/1")}:                             "two lines of it",
		{Kind: "url", ID: urlID("/products/item-2.html?a=1&b=<2>")}:  "7",
		{Kind: "url", ID: urlID("/products/item-3.html?a=1&b=<2>")}:  long,
		{Kind: "url", ID: urlID("/search?q=5")}:                      "=intended; Anna <b>",
		{Kind: "url", ID: "0123456789abcdef"}:                        "of a URL that is not known any more",
		{Kind: "rule", ID: audit.RuleID("*", "allow: /search/help")}: "goes soon",
	}
	if notes, err = OwnerNotes(filepath.Dir(name), filepath.Base(name), known); err != nil || !cmp.Equal(notes, want) {
		t.Errorf("%v, (-want +got)\n%s", err, cmp.Diff(want, notes))
	}
}

// If a URL has several rows, an edited one counts, and different texts in several of them are
// joined.
func TestOwnerNotesOfSeveralRows(t *testing.T) {
	t.Parallel()
	name, known := filepath.Join(pastRun(t, 10, nil), "example.com.xlsx"), testPast().Notes
	key := audit.NoteKey{Kind: "url", ID: urlID("/search?q=5")}
	for _, step := range []struct{ blocked, all, want string }{
		{"new", known[key], "new"},
		{known[key], "other", "other"},
		{"new", "other", "new; other"},
		{"", "other", "other"},
		{"", known[key], ""},
	} {
		edit(t, name, func(f *excelize.File) error {
			return errors.Join(setBeside(t, f, "Blocked", key.ID, step.blocked), setBeside(t, f, "All URLs", key.ID, step.all))
		})
		if notes, err := OwnerNotes(filepath.Dir(name), filepath.Base(name), known); err != nil || notes[key] != step.want {
			t.Errorf("%+v: got %q, %v", step, notes[key], err)
		}
	}
}

// setBeside writes the owner note of the first row with an id.
func setBeside(t testing.TB, f *excelize.File, sheet, id, text string) error {
	t.Helper()
	rows, err := f.GetRows(sheet)
	note, ids := column(t, f, sheet, "Owner note"), column(t, f, sheet, "url_id")
	n, _ := excelize.ColumnNameToNumber(ids)
	for i, row := range rows {
		if len(row) >= n && row[n-1] == id {
			return errors.Join(err, f.SetCellStr(sheet, fmt.Sprintf("%s%d", note, i+1), text))
		}
	}
	return fmt.Errorf("%s has no row %s", sheet, id)
}

// Notes written into a workbook survive when it is made again, also the second time. If a workbook
// cannot be read, only the notes written since are lost.
func TestOwnerNotesRebuilt(t *testing.T) {
	t.Parallel()
	dir := pastRun(t, 10, nil)
	name := filepath.Join(dir, "example.com.xlsx")
	edit(t, name, func(f *excelize.File) error {
		return errors.Join(setBeside(t, f, "Blocked", urlID("/a/1"), "+1 on it"), setBeside(t, f, "Blocked", urlID("/search?q=5"), ""), setBeside(t, f, "All URLs", urlID("/search?q=5"), ""))
	})
	for range 2 {
		mustRebuild(t, dir)
		for row, want := range map[string]string{"/a/1": "+1 on it", "/search?q=5": ""} {
			for _, sheet := range []string{"Blocked", "All URLs"} {
				if shown, _ := cellBeside(t, name, sheet, "url_id", urlID(row), "Owner note"); shown != want {
					t.Errorf("%s, %s: %q, want %q", sheet, row, shown, want)
				}
			}
		}
	}
	noError(t, os.WriteFile(name, []byte("no workbook"), 0o644))
	var warned []string
	if _, err := (Options{Dir: dir, Warn: func(text string) { warned = append(warned, text) }}).Rebuild(); err != nil {
		t.Fatal(err)
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "owner notes of example.com") || !strings.Contains(warned[0], "example.com.xlsx") {
		t.Errorf("warned %q", warned)
	}
	if shown, _ := cellBeside(t, name, "Blocked", "url_id", urlID("/search?q=5"), "Owner note"); shown != "=intended; Anna <b>" {
		t.Errorf("the note of the run before: %q", shown)
	}
}

// More notes than allowed, or longer ones together, are refused as a whole.
func TestOwnerNotesBounded(t *testing.T) {
	t.Parallel()
	name, long := filepath.Join(t.TempDir(), "long.xlsx"), strings.Repeat("n", 32000)
	f := excelize.NewFile()
	w, err := f.NewStreamWriter("Sheet1")
	if err == nil {
		err = w.SetRow("A1", []any{"url_id", "Owner note"})
	}
	for i := range MaxNoteBytes/len(long) + 1 {
		if err == nil {
			err = w.SetRow(fmt.Sprintf("A%d", i+2), []any{fmt.Sprintf("%016x", i), long})
		}
	}
	noError(t, errors.Join(err, w.Flush(), f.SaveAs(name), f.Close()))
	if notes, err := OwnerNotes(filepath.Dir(name), filepath.Base(name), nil); err == nil {
		t.Errorf("%d long notes", len(notes))
	}
	// So is a workbook that would take memory for each of its open elements.
	var nested bytes.Buffer
	z := zip.NewWriter(&nested)
	for _, part := range [][2]string{
		{"xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="a" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
		{"_rels/.rels", `<Relationships><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/styles.xml", "<styleSheet/>"},
		{"xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + strings.Repeat("<row>", 200)},
	} {
		w, err := z.Create(part[0])
		noError(t, err)
		io.WriteString(w, part[1])
	}
	z.Close()
	noError(t, os.WriteFile(name, nested.Bytes(), 0o600))
	if _, err := OwnerNotes(filepath.Dir(name), filepath.Base(name), nil); err == nil || !strings.Contains(err.Error(), "sheet S: xl/worksheets/sheet1.xml: more than 100 elements within each other") {
		t.Errorf("nested: %v", err)
	}
	n := noteReader{written: map[audit.NoteKey][]string{}}
	for i := range MaxNotes + 1 {
		if err := n.addRow("url", fmt.Sprintf("%016x", i), "n"); (err != nil) != (i == MaxNotes) {
			t.Fatalf("note %d: %v", i, err)
		}
	}
}

// TestPastPage: a page shows the same as the workbook, and text from people is never markup.
func TestPastPage(t *testing.T) {
	t.Parallel()
	dir := pastRun(t, 10, nil)
	page := readText(t, dir, "pages/example.com.html")
	checkHas(t, page,
		`<span class="sub">since 3 Mar 2026</span><span class="sub flow">Owner note: <bdi>asked IT</bdi></span>`, // disallow: /search
		`<span class="sub">since 4 Mar 2026</span>`,                                                              // disallow: /a/, which is new in this run
		"<bdi>https://example.com/search?q=0</bdi><td class=\"words\">Googlebot<td>since 1 Mar 2026 or before<td class=\"words\">\n",
		"<bdi>https://example.com/a/1</bdi><td class=\"words\">Bingbot<td>since 4 Mar 2026<td class=\"words\">\n",
		"<bdi>https://example.com/search?q=5</bdi><td class=\"words\">Googlebot<td><td class=\"words\">=intended; Anna &lt;b&gt;\n",
		`in the file since 1 Mar 2026 or before`, `owner note: goes soon`,
	)
	if n := strings.Count(page, "<tr><th scope=\"row\" class=\"url\">"); n != 3 {
		t.Errorf("%d URLs since when", n)
	}
	many := readText(t, pastRun(t, 1500, func(o *Options) {
		o.Past = func(string) (*audit.Past, error) {
			past := testPast()
			past.Listed = func(string) bool { return true }
			return past, nil
		}
	}), "pages/example.com.html")
	if n := strings.Count(many, "<tr><th scope=\"row\" class=\"url\">"); n != 100 || !strings.Contains(many, "And 500 more; see the sheet Blocked.") {
		t.Errorf("%d URLs since when, want 100 of 600", n)
	}
}

// Rows of URLs with clicks are written at the end, from the records: with the same dates.
func TestPastClicked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := testOptions(dir)
	o.Past = func(string) (*audit.Past, error) { return testPast(), nil }
	r, records := openRun(t, o), siteRecords("example.com", 0, 20)
	for i := range records[2].URLs.List[:10] {
		records[2].URLs.List[i].Weight = audit.Weight{Clicks: int64(10 + i), ClicksGiven: true}
	}
	writeAll(t, r, records)
	closeRun(t, r)
	name := filepath.Join(dir, "example.com.xlsx")
	for row, want := range map[string]string{"/search?q=0": "≤ 2026-03-01 05:00:00", "/a/1": "2026-03-04 05:06:07", "/search?q=5": "", "/a/16": ""} {
		if shown, _ := cellBeside(t, name, "Blocked", "url_id", urlID(row), "First seen blocked"); shown != want {
			t.Errorf("%s: %q, want %q", row, shown, want)
		}
	}
}
