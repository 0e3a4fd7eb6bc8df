package reports

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// hitRecords are records of a site whose access logs have requests of two crawlers.
func hitRecords(t *testing.T) []audit.Record {
	records := judged(t, "Googlebot,GPTBot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /shop/\ndisallow: /blog/\n\nuser-agent: GPTBot\ndisallow: /\n")},
		"/shop/a.html", "/shop/b.html", "/blog/a", "/c", "/d")
	records[0].Site.Logs = &audit.LogPeriod{From: start, To: start.AddDate(0, 1, 0)}
	list, done := records[2].URLs.List, records[len(records)-1].Done
	for i, hits := range [][]int64{{0, 5}, {1200, 0}, {3, 1}, {0, 0}, {1797, 94}} {
		list[i].Weight = audit.Weight{}
		if hits[0]+hits[1] > 0 {
			list[i].Hits = hits
		}
	}
	done.Clicks, done.BlockedClicks, done.ClicksBlocked = 0, 0, nil
	done.Hits, done.HitsBlocked = []int64{3000, 100}, []int64{1203, 100}
	return records
}

// TestHits shows the requests of the leading crawler wherever clicks are shown, and those of all
// crawlers where programs read them.
func TestHits(t *testing.T) {
	t.Parallel()
	records := hitRecords(t)
	o := Options{Dir: t.TempDir(), Started: start, Crawlers: records[0].Site.Crawlers, AllSheets: true, Rows: "all", Formats: []string{"csv"}, Segments: []Segment{{Name: "shop", Pattern: "/shop/"}}}
	writeRun(t, o, records)
	f := openBook(t, o.Dir, "example.com.xlsx")
	for sheet, want := range map[string]string{
		"To do":         "Line, Googlebot hits, Share of hits: 2 | 1200 | 0.4; 3 | 3 | 0.001; 6 | – | –",
		"Templates":     "Template, Googlebot hits, Googlebot hits on blocked URLs: /shop/b.html | 1200 | 1200; /blog/a | 3 | 3; /c | 0 | 0; /d | 1797 | 0; /shop/a.html | 0 | 0",
		"Directories":   "Directory, Googlebot hits, Googlebot hits on blocked URLs: / (top level) | 1797 | 0; /shop/ | 1200 | 1200; /blog/ | 3 | 3",
		"Segments":      "Segment, Googlebot hits, Googlebot hits on blocked URLs: shop | 1200 | 1200; (no segment) | 1800 | 3",
		"All URLs":      "Kind, Googlebot hits, GPTBot hits: page |  | 5; page | 1200 | ; page | 3 | 1; page |  | ; page | 1797 | 94",
		"Blocked":       "Crawlers, Line, Googlebot hits: GPTBot | 6 | 1797; Googlebot | 2 | 1200; GPTBot | 6 | 1200; Googlebot | 3 | 3; GPTBot | 6 | 3; Googlebot | 2 | 0; GPTBot | 6 | 0; GPTBot | 6 | 0",
		"Disagreements": "url_id, Googlebot hits: b67d422a613047e3 | 0; b849f5659f0c9daa | 1797",
	} {
		titles, _, _ := strings.Cut(want, ": ")
		got := columns(sheetRows(t, f, sheet), strings.Split(titles, ", ")...)
		checkEqual(t, sheet, titles+": "+strings.ReplaceAll(strings.TrimSuffix(got, "\n"), "\n", "; "), want)
	}
	checkHas(t, fmt.Sprint(sheetCells(t, f, "Summary")), "1,203 of 3,000 requests by Googlebot were for blocked URLs.", "[Requests for blocked URLs 1,203 40%   Warning of 3,000 requests by Googlebot in access logs]",
		"Owner Googlebot hits Share of hits]", "Googlebot requested them 1,200 times.", "  1,200 40%")
	var rows []string
	for line := range strings.Lines(readText(t, o.Dir, "example.com.csv")) {
		rows = append(rows, line[strings.LastIndexByte(strings.TrimSpace(line), ',')+1:])
	}
	checkEqual(t, "the last column of the export", strings.Fields(strings.Join(rows, " ")), strings.Fields("hits 0 5 1200 0 3 1 0 0 1797 94"))
	e := entriesOf(t, o.Dir)[0]
	checkEqual(t, "summary.json", fmt.Sprintf("%s %s %s %d %d", e.Hits, e.BlockedHits, e.Segments[0].HitsOf, e.Segments[0].Hits, e.Segments[0].BlockedHits), `{"Googlebot":3000,"GPTBot":100} {"Googlebot":1203,"GPTBot":100} Googlebot 1200 1200`)
	checkHas(t, readText(t, o.Dir, "pages", "example.com.html"), "<dt>Googlebot hits<dd>1,200 (40 % of Googlebot's requests)</div>", `"hits":"Googlebot"`, `,0,1200`)
	checkEqual(t, "Sites", columns(sheetRows(t, openBook(t, o.Dir, "summary.xlsx"), "Sites"), "Googlebot hits", "Googlebot hits on blocked URLs"), "3000 | 1203\n")
	checkRebuilt(t, o.Dir)
}

// TestNoHits checks that reports without access logs do not mention hits.
func TestNoHits(t *testing.T) {
	t.Parallel()
	records := hitRecords(t)
	records[0].Site.Logs, records[len(records)-1].Done.Hits, records[len(records)-1].Done.HitsBlocked = nil, nil, nil
	for u := range urlsOf(records) {
		u.Hits = nil
	}
	o := Options{Dir: t.TempDir(), Started: start, Crawlers: records[0].Site.Crawlers, AllSheets: true, Rows: "all"}
	writeRun(t, o, records)
	for _, name := range []string{"example.com.xlsx", "summary.xlsx"} {
		f := openBook(t, o.Dir, name)
		for _, sheet := range f.GetSheetList() {
			if text := strings.ToLower(fmt.Sprint(sheetCells(t, f, sheet))); strings.Contains(text, "hits") {
				t.Errorf("%s, %s: %s", name, sheet, text)
			}
		}
	}
	for _, name := range []string{"summary.json", "summary.md", filepath.Join("pages", "example.com.html")} {
		if text := readText(t, o.Dir, name); strings.Contains(strings.ReplaceAll(text, "setup.hits", ""), " hits") || strings.Contains(text, `"hits":`) {
			t.Errorf("%s mentions hits", name)
		}
	}
	if strings.Contains(readText(t, o.Dir, "index.html"), "Crawler requests</th>") {
		t.Error("index.html has a column for access logs")
	}
}

// TestLogsOfRun checks that the page of a run shows the requests of crawlers for sites with access logs, and that a stored
// run returns these logs.
func TestLogsOfRun(t *testing.T) {
	t.Parallel()
	records := hitRecords(t)
	logs := &audit.Logs{Site: "example.com", From: start, To: start.AddDate(0, 1, 0), Judged: audit.LogHistory, Crawlers: []audit.LogCrawler{
		{Name: "Googlebot", Genuine: audit.LogTally{Requests: 1300, Obeyed: 1300}, Claimed: audit.LogTally{Requests: 7}},
		{Name: "GPTBot", Genuine: audit.LogTally{Requests: 100, Disobeyed: 60}, Unknown: audit.LogTally{Requests: 10, Blocked: 10}},
	}}
	records = slices.Insert(records, len(records)-1, audit.Record{Domain: "example.com", Logs: logs})
	o := Options{Dir: t.TempDir(), Started: start, Crawlers: records[0].Site.Crawlers, Rows: "all"}
	writeRun(t, o, records)
	checkHas(t, readText(t, o.Dir, "index.html"), `data-sort="requests">Crawler requests</th>`, `"logs":true`, `,1410,60]`)
	overview, err := ReadOverview(o.Dir)
	noError(t, err)
	checkEqual(t, "sites with access logs", overview.Totals.Logged, 1)
	for _, missing := range []bool{false, true} {
		if missing { // then records say it
			noError(t, os.Remove(filepath.Join(o.Dir, "records", "journal.zst")))
		}
		stored, err := OpenStored(o.Dir, "")
		noError(t, err)
		of, err := stored.Sites[0].Logs()
		noError(t, err)
		checkEqual(t, "the logs of the stored site", of, logs)
		checkEqual(t, "it has logs", stored.Sites[0].Logged, true)
	}
}
