package reports

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// clickedRecords are the records of a site with n blocked pages. Every seventh has clicks: fewer
// and fewer, so that the order of the rows differs from that of the records.
func clickedRecords(t *testing.T, n int) []audit.Record {
	t.Helper()
	var paths []string
	for i := range n {
		paths = append(paths, fmt.Sprintf("/a/%d", i))
	}
	records := judged(t, "Googlebot,Bingbot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /a\n")}, paths...)
	for u := range urlsOf(records) {
		number, err := strconv.Atoi(u.Loc[strings.LastIndex(u.Loc, "/")+1:])
		noError(t, err)
		u.Weight = audit.Weight{}
		if number%7 == 3 {
			u.Weight = audit.Weight{Clicks: int64(number/2 + 1), ClicksGiven: true}
		}
	}
	return records
}

// Rows with clicks come first, by clicks; the others follow in their order, each row once and
// complete, also on further sheets and when the reports are made again.
func TestRowsByClicks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ pages, limit int }{{40, 0}, {40, 9}, {4000, 0}} { // 4,000: written as they come
		o := Options{Dir: t.TempDir(), Started: start, RowLimit: c.limit}
		records := clickedRecords(t, c.pages)
		o.Crawlers = records[0].Site.Crawlers
		writeRun(t, o, records)
		f := openBook(t, o.Dir, "example.com.xlsx")
		rows := sheetRows(t, f, "Blocked")
		clicked := (c.pages + 3) / 7
		if len(rows) != c.pages {
			t.Fatalf("%d rows for %d pages", len(rows), c.pages)
		}
		before := -1
		for i, row := range rows {
			number, err := strconv.Atoi(row["URL"][strings.LastIndex(row["URL"], "/")+1:])
			noError(t, err)
			want := ""
			if number%7 == 3 {
				want = strconv.Itoa(number/2 + 1)
			}
			switch {
			case (i < clicked) != (want != "") || row["Clicks"] != want:
				t.Errorf("row %d of %d is %s with %q clicks, want %q", i, c.pages, row["URL"], row["Clicks"], want)
			case i > 0 && i != clicked && (number < before) != (i < clicked):
				t.Errorf("row %d: %d after %d", i, number, before)
			case row["Crawlers"] != "Googlebot, Bingbot" || row["Directory"] != "/a/" || row["Template"] != "/a/{n}" || row["Line"] != "2" || len(row["url_id"]) != 16 || row["Source"] == "":
				t.Errorf("row %d: %v", i, row)
			}
			before = number
		}
		if c.limit == 0 { // a rebuilt run has the limit of sheets, not of the test
			checkRebuilt(t, o.Dir)
		}
	}
}

// A template is a row with the pages blocked for each crawler, by which lines, and with a blocked
// page as its example; a number that was not measured is not 0.
func TestTemplateSheet(t *testing.T) {
	t.Parallel()
	var paths []string
	for i := range 30 {
		paths = append(paths, fmt.Sprintf("/post%d.html", i), fmt.Sprintf("/blog/word-%c", 'a'+i%26))
	}
	body := "user-agent: *\ndisallow: /post1\ndisallow: /post2$\n\nuser-agent: Bingbot\ndisallow: /blog/\n"
	for _, c := range []struct {
		file engine.File
		want string
	}{
		{engine.File{Status: 200, Body: []byte(body)}, `/blog/{…} | 30 | 30 | 0 | 30 | line 6 disallow: /blog/ (30) | https://example.com/blog/word-a
/post{n}.html | 30 | 11 | 11 | 0 | line 2 disallow: /post1 (11) | https://example.com/post1.html
`},
		{engine.File{Status: 503}, `/blog/{…} | 30 | 30 | 30 | – |  | https://example.com/blog/word-a
/post{n}.html | 30 | 30 | 30 | – |  | https://example.com/post0.html
`},
	} {
		records := judged(t, "Googlebot,Bingbot", c.file, paths...)
		for u := range urlsOf(records) {
			u.Weight = audit.Weight{}
			if c.file.Status == 503 {
				u.Verdicts[1] = engine.Unknown
			}
		}
		f := written(t, Options{}, records)
		got := columns(sheetRows(t, f, "Templates"), "Template", "URLs", "URLs blocked", "Blocked for Googlebot", "Blocked for Bingbot", "Deciding lines", "Example")
		if got != c.want {
			t.Errorf("%d: got\n%s\nwant\n%s", c.file.Status, got, c.want)
		}
	}
}

// TestTemplateChart: workbooks of one run have a chart of the first templates with blocked URLs, or
// none, though their sheets have the same columns.
func TestTemplateChart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var r *Run
	blocked := []int{1, 2, 12, 1, 3}
	for i, n := range blocked {
		paths := []string{"/free/x"}
		for k := range n {
			paths = append(paths, fmt.Sprintf("/no-%c/x", 'a'+k))
		}
		records := judged(t, "Googlebot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /no-\n")}, paths...)
		records[0].Site.Name, records[0].Site.Ordinal = fmt.Sprintf("site%d.example", i), i
		for k := range records {
			records[k].Domain = records[0].Site.Name
		}
		if r == nil {
			var err error
			r, err = Open(Options{Dir: dir, Started: start, Crawlers: records[0].Site.Crawlers})
			noError(t, err)
		}
		writeAll(t, r, records)
	}
	closeRun(t, r)
	for i, n := range blocked {
		name := fmt.Sprintf("site%d.example.xlsx", i)
		f := openBook(t, dir, name)
		if rows := sheetRows(t, f, "Templates"); len(rows) != n+1 || rows[0]["URLs blocked"] != "1" || rows[n]["URLs blocked"] != "0" {
			t.Errorf("%s: %v", name, rows)
		}
		z, err := zip.OpenReader(filepath.Join(dir, name))
		noError(t, err)
		charts := 0
		for _, part := range z.File {
			if strings.HasPrefix(part.Name, "xl/charts/") {
				charts++
			}
		}
		z.Close()
		if (charts == 1) != (n > 1) || charts > 1 {
			t.Errorf("%s: %d charts for %d templates with blocked URLs", name, charts, n)
		} else if charts == 1 {
			text, last := zipPart(t, filepath.Join(dir, name), "xl/charts/chart1.xml"), min(n, 10)+1
			for _, want := range []string{fmt.Sprintf("<f>'Templates'!$A$2:$A$%d</f>", last), fmt.Sprintf("<f>'Templates'!$C$2:$C$%d</f>", last), "URLs blocked by template"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: no %s in %s", name, want, text)
				}
			}
		}
	}
}

// If the records cannot be read again, there is no workbook without rows: the report is lost, and
// says so.
func TestRowsByClicksUnread(t *testing.T) {
	t.Parallel()
	records := clickedRecords(t, 20000) // enough to have some on disk already
	o := Options{Dir: t.TempDir(), Started: start, Crawlers: records[0].Site.Crawlers}
	r := openRun(t, o)
	writeAll(t, r, records[:len(records)-1])
	spilled := r.sites["example.com"].records.name()
	noError(t, os.Truncate(spilled, 100))
	writeAll(t, r, records[len(records)-1:])
	closeRun(t, r)
	text, err := os.ReadFile(filepath.Join(o.Dir, "summary.json"))
	if err != nil || !strings.Contains(string(text), `"state":"unknown","why":"the report could not be written: `) {
		t.Errorf("%v: %s", err, text)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "example.com.xlsx")); !os.IsNotExist(err) {
		t.Errorf("there is a workbook: %v", err)
	}
}
