package reports

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
	"robots-audit/engine"
)

// bookOf writes the workbook of a site, with all sheets or in the default form.
func bookOf(t *testing.T, records []audit.Record, everything bool) *excelize.File {
	t.Helper()
	dir := t.TempDir()
	r, err := Open(Options{Dir: dir, Started: start, Crawlers: records[0].Site.Crawlers, Reports: []string{kindWorkbook}, AllSheets: everything})
	noError(t, err)
	writeAll(t, r, cloned(records))
	closeRun(t, r)
	names, err := filepath.Glob(filepath.Join(dir, "*.xlsx"))
	noError(t, err)
	names = slices.DeleteFunc(names, func(name string) bool { return filepath.Base(name) == "summary.xlsx" })
	if len(names) != 1 {
		t.Fatalf("workbooks: %q", names)
	}
	return openBook(t, dir, filepath.Base(names[0]))
}

// TestMainSheets: a workbook has no sheet without rows and no column without a value, unless all
// sheets are requested. Its content equals that of a workbook with all sheets.
func TestMainSheets(t *testing.T) {
	t.Parallel()
	_, town := townRecords(t, 4)
	lists := append([][]audit.Record{toDoRecords(t)}, town...)
	late := cloned(toDoRecords(t)) // only the last URL has clicks
	var last *audit.URL
	for u := range urlsOf(late) {
		u.Clicks = 0
		last = u
	}
	last.Clicks = 7
	lists = append(lists, late)
	r := rand.New(rand.NewPCG(36, 3))
	for n, records := range lists {
		main := bookOf(t, records, false)
		all := bookOf(t, records, true)
		sheets := main.GetSheetList()
		if slices.Contains(sheets, "To do") || sheets[0] != "Summary" {
			t.Errorf("site %d: %q", n, sheets)
		}
		shown := func(book *excelize.File) bool {
			rows, err := book.GetRows("Summary")
			noError(t, err)
			return slices.ContainsFunc(rows, func(row []string) bool { return len(row) > 1 && row[0] == "Clicks on blocked URLs" })
		}
		var clicks int64
		for u := range urlsOf(records) {
			clicks += u.Clicks
		}
		if shown(main) != (clicks > 0) || !shown(all) {
			t.Errorf("site %d: %d clicks: the figure is shown: %t, with all sheets: %t", n, clicks, shown(main), shown(all))
		}
		for _, name := range sheets[1:] {
			rows := sheetRows(t, main, name)
			if len(rows) == 0 {
				t.Errorf("site %d: %s has no rows", n, name)
				continue
			}
			for title := range rows[0] {
				if title != "Owner note" && !slices.ContainsFunc(rows, func(row map[string]string) bool { return row[title] != "" && row[title] != "–" }) {
					t.Errorf("site %d: %s: %s has no value", n, name, title)
				}
			}
			if name == "Rules" || name == "Sitemaps" || name == "Errors" { // these are put together in another way
				continue
			}
			every := sheetRows(t, all, name)
			if len(every) != len(rows) {
				t.Errorf("site %d: %s has %d rows of %d", n, name, len(rows), len(every))
				continue
			}
			for range 50 {
				i := r.IntN(len(rows))
				for title, text := range rows[i] {
					if every[i][title] != text {
						t.Errorf("site %d: %s, row %d: %s is %q, with everything %q", n, name, i+2, title, text, every[i][title])
					}
				}
			}
		}
	}
}

// TestMainRules checks the lines of robots.txt with their effects and findings.
func TestMainRules(t *testing.T) {
	t.Parallel()
	f := bookOf(t, toDoRecords(t), false)
	rows := sheetRows(t, f, "Rules")
	checkText(t, columns(rows[:3], "Line", "Rule", "URLs decided", "Unblocked if deleted", "Effect"), `1 | User-agent: * |  |  | 
2 | Disallow: /post | 4 | 4 | deleting it unblocks 4 URLs
3 | Disallow: /offer$ | 1 | 1 | Googlebot, Bingbot: deleting it unblocks 1 URL; Googlebot@rep-1994: decides nothing: matches none of the 99 URLs
`)
	checkText(t, strings.Join(f.GetSheetList(), ", "), "Summary, Blocked, Templates, Disagreements, Rules, AI policy, Sitemaps")
}

// TestMainRulesWithoutLines: findings on a response without a file are there, too.
func TestMainRulesWithoutLines(t *testing.T) {
	t.Parallel()
	records := judged(t, "Googlebot", engine.File{Status: 503}, "/a")
	found := &audit.Findings{List: []audit.Finding{{Finding: engine.Finding{ID: "FET001", Severity: engine.Critical, What: "robots.txt answers with HTTP 503", Fix: "Serve it."}}}}
	records = slices.Insert(records, 2, audit.Record{Domain: "example.com", Findings: found})
	checkText(t, columns(sheetRows(t, bookOf(t, records, false), "Rules"), "Rule", "Severity", "What is wrong", "What to do"), "(whole file) | critical | robots.txt answers with HTTP 503 | Serve it.\n")
}

// TestAllSheetsAgain: a run's workbooks can be made again with all sheets, and stay so.
func TestAllSheetsAgain(t *testing.T) {
	t.Parallel()
	records := toDoRecords(t)
	dir := t.TempDir()
	o := Options{Dir: dir, Started: start, Crawlers: records[0].Site.Crawlers}
	r, err := Open(o)
	noError(t, err)
	writeAll(t, r, records)
	closeRun(t, r)
	for _, again := range []Options{{Dir: dir, AllSheets: true}, {Dir: dir}} {
		_, err := again.Rebuild()
		noError(t, err)
		if sheets := openBook(t, dir, "example.com.xlsx").GetSheetList(); !slices.Contains(sheets, "Agents") || !slices.Contains(sheets, "Evidence") {
			t.Errorf("%+v: %q", again, sheets)
		}
	}
}

// TestHosts: each request for a robots.txt has a row, also in the default workbook.
func TestHosts(t *testing.T) {
	t.Parallel()
	records := judged(t, "Googlebot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /a\n")}, "/a", "/b")
	for i := range records {
		if r := records[i].Robots; r != nil {
			r.File.Hops = []audit.Hop{{URL: "https://example.com/robots.txt", Status: 301, Location: "https://example.com/r"}, {URL: "https://example.com/r", Status: 200}}
		}
	}
	for _, everything := range []bool{false, true} {
		checkText(t, columns(sheetRows(t, bookOf(t, records, everything), "Requests for robots.txt"), "Step", "URL", "Status", "Leads to", "What Googlebot makes of it"),
			"1 | https://example.com/robots.txt | 301 | https://example.com/r | \n2 | https://example.com/r | 200 |  | HTTP 200: the rules apply\n")
	}
}
