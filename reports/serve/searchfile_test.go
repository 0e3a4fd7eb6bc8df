package serve

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/reports"
)

// searchedRun is the folder of a run with two sites of n URLs each, with clicks, hits, segments, statuses and
// all verdicts.
func searchedRun(t testing.TB, n int) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "monday")
	crawlers, err := audit.ParseCrawlers("Googlebot,Bingbot,GPTBot")
	noError(t, err)
	o := reports.Options{Dir: dir, Version: "0.1.0", Crawlers: crawlers, Started: time.Date(2026, 11, 3, 6, 0, 0, 0, time.UTC), Reports: []string{"page"}, Segments: []reports.Segment{{Name: "=SUM(1)", Pattern: "/blog/"}, {Name: "shop", Pattern: "/shop/"}}}
	run, err := reports.Open(o)
	noError(t, err)
	for at, host := range []string{"a.example", "b.example"} {
		write := func(rec audit.Record) {
			rec.Domain = host
			noError(t, run.Write(rec))
		}
		origin := "https://" + host
		robots := &audit.Robots{Origin: origin, File: *crawl.ServedRobots(origin, []byte("User-agent: *\nDisallow: /shop/\n"), 0), Rules: []audit.RuleLine{{Line: 2, Rule: "disallow: /shop/"}, {Line: 5, Rule: "disallow: <b>\u202e"}}}
		robots.File.Given = false
		robots.Reads = make([]audit.Read, len(crawlers))
		write(audit.Record{Site: &audit.Site{Name: host, Ordinal: at, Crawlers: crawlers, Started: o.Started}})
		write(audit.Record{Robots: robots})
		batch := &audit.URLs{}
		for i := range n {
			u := audit.URL{Loc: origin + fmt.Sprintf([]string{"/shop/%d", "/blog/%d", "/p/%d", "/\u202e%d,\"x\""}[i%4], i), Sitemap: i%3 - 1, Verdicts: []engine.Verdict{engine.Allow, engine.Allow, engine.Allow}, Lines: make([]int32, 3)}
			switch i % 4 {
			case 0:
				u.Verdicts, u.Lines = []engine.Verdict{engine.Disallow, engine.Disallow, engine.Allow}, []int32{2, 5, 0}
			case 1:
				u.Verdicts[2] = engine.Unknown
			}
			if i%2 == 0 {
				u.Clicks, u.ClicksGiven, u.Hits = int64(i%50), true, []int64{int64(i % 7), 1, 0}
			}
			batch.List = append(batch.List, u)
		}
		write(audit.Record{URLs: batch})
		write(audit.Record{Page: &audit.Page{URL: origin + "/p/2", Status: 404, Code: crawl.CodeHTTPStatus}})
		write(audit.Record{Done: &audit.Done{State: audit.OK, Origin: origin, Counts: audit.Counts{URLs: int64(n), Blocked: make([]int64, len(crawlers))}, Finished: o.Started.Add(time.Minute)}})
	}
	noError(t, run.Close())
	return dir
}

// filtered is the path of a search, or of its file.
func filtered(kind, query string) string { return "/runs/monday/search" + kind + "?" + query }

// TestSearchFilters checks each filter with its sentence, and what is not understood.
func TestSearchFilters(t *testing.T) {
	_, a := newDesk(t, Options{Runs: []string{searchedRun(t, 100)}})
	for query, want := range map[string]string{
		"blocked=any":                                "50 URLs blocked for at least one crawler",
		"blocked=any&crawler=Googlebot&rule=2":       "50 URLs blocked for Googlebot by line 2",
		"blocked=any&crawler=GPTBot":                 "No URL blocked for GPTBot",
		"blocked=none":                               "100 URLs allowed for all crawlers",
		"blocked=none&crawler=GPTBot":                "150 URLs allowed for GPTBot",
		"blocked=unknown":                            "50 URLs with an unknown verdict for at least one crawler",
		"rule=disallow: /shop/":                      "50 URLs decided by the rule disallow: /shop/",
		"rule=<B>":                                   "50 URLs decided by the rule <B>",
		"crawler=Bingbot&rule=2":                     "No URL tested for Bingbot decided by line 2",
		"template=/p/{n}&site=a.example":             "25 URLs with the template /p/{n} on a.example",
		"segment==SUM(1)":                            "50 URLs in the segment =SUM(1)",
		"segment=(no segment)":                       "100 URLs in the segment (no segment)",
		"status=404":                                 "2 URLs with the status 404",
		"status=4xx&site=b.example":                  "1 URL with the status 4xx on b.example",
		"status=none":                                "198 URLs that the run did not request",
		"status=failed":                              "No URL that did not answer",
		"sitemap=no":                                 "68 URLs in no sitemap",
		"kind=page&sitemap=yes":                      "132 URLs in a sitemap of the kind page",
		"kind=image":                                 "No URL of the kind image",
		"clicks=1":                                   "96 URLs with at least 1 click",
		"hits=5":                                     "42 URLs with at least 5 hits",
		"hits=6&crawler=Googlebot":                   "14 URLs tested for Googlebot with at least 6 hits",
		"q=/shop/&blocked=any&clicks=40&sort=url":    "10 URLs blocked for at least one crawler with at least 40 clicks that begin with /shop/",
		"q=nothing&blocked=any":                      "No URL blocked for at least one crawler that contains nothing",
		"blocked=&crawler=&rule=&clicks=0&q=/blog/1": "6 URLs that begin with /blog/1",
	} {
		var v searchView
		values, err := url.ParseQuery(strings.ReplaceAll(query, "==", "=%3D"))
		noError(t, err)
		a.json(filtered("", values.Encode()), &v)
		if v.URLs == nil || v.URLs.Summary != want {
			t.Errorf("%s: %.100s, want %s", query, fmt.Sprintf("%+v", v.URLs), want)
		}
		answer, page := a.do("GET", filtered("", values.Encode()), "")
		harmless(t, query, page)
		if answer.StatusCode != 200 || v.URLs.Total == 0 && !strings.Contains(page, "Search without one of the conditions") {
			t.Errorf("%s: %s", query, answer.Status)
		}
	}
	for query, want := range map[string]string{
		"blocked=yes": "any, none or unknown", "crawler=googlebot": "Googlebot, Bingbot, GPTBot", "segment=x": "=SUM(1), shop, (no segment)", "status=44": "4xx", "status=0xx": "4xx", "sitemap=1": "yes, no",
		"kind=loc": "page, hreflang", "clicks=-1": "0 on", "hits=1.5": "0 on", "sort=clicks": "-clicks", "from=x": "0 on", "from=1000000&sort=-hits": "1,000,000", "rule=-4": "1 on",
		"rule=" + strings.Repeat("x", maxQuery+1): "2000", "q=" + strings.Repeat("x", maxQuery+1): "2000",
	} {
		for _, kind := range []string{"", ".csv", ".xlsx"} {
			if answer, text := a.do("GET", filtered(kind, query), "", "Accept", "application/json"); answer.StatusCode != http.StatusBadRequest || !strings.Contains(text, want) {
				t.Errorf("%s %.60s: %s %s, want %s", kind, query, answer.Status, text, want)
			}
		}
	}
}

// TestSearchSorted goes through all pages in each order.
func TestSearchSorted(t *testing.T) {
	_, a := newDesk(t, Options{Runs: []string{searchedRun(t, 300)}})
	for _, sort := range []string{"-clicks", "-hits", "-impressions", "url"} {
		last, n := int64(1<<60), 0
		var v searchView
		for path := filtered("", "sort="+sort+"&kind=page"); path != ""; path = v.URLs.Next {
			v = searchView{}
			a.json(path, &v)
			for _, u := range v.URLs.List {
				of := map[string]int64{"-hits": u.Hits, "-clicks": -1}[sort]
				if u.Clicks != nil && sort == "-clicks" {
					of = *u.Clicks
				}
				if of > last {
					t.Errorf("%s: %d after %d", sort, of, last)
				}
				last = of
				n++
			}
		}
		if n != 600 {
			t.Errorf("%s: %d URLs on all pages", sort, n)
		}
	}
}

// TestSearchFiles compares files with the answer to programs: the same URLs in the same order, and no formulas.
func TestSearchFiles(t *testing.T) {
	d, a := newDesk(t, Options{Runs: []string{searchedRun(t, 60)}})
	for _, query := range []string{"blocked=any&sort=-clicks", "kind=page", "q=blog&crawler=Googlebot&sort=-hits"} {
		var v searchView
		var want [][2]string
		for path := filtered("", query); path != ""; path = v.URLs.Next {
			v = searchView{}
			a.json(path, &v)
			for _, u := range v.URLs.List {
				want = append(want, [2]string{u.URL, strings.TrimSuffix(strconv.FormatInt(u.Hits, 10), "0")})
			}
		}
		answer, text := a.do("GET", v.URLs.CSV, "")
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\uFEFF"))).ReadAll()
		if err != nil || len(rows) != len(want)+1 || !strings.HasPrefix(text, "\uFEFFURL,Site,") || answer.Header.Get("X-Total-Rows") != strconv.Itoa(len(want)) || answer.Header.Get("X-Rows-Cut") != "false" {
			t.Fatalf("%s: %d rows, %v, %v, want %d", query, len(rows), err, answer.Header, len(want))
		}
		book := openBook(t, a, v.URLs.XLSX)
		sheet, err := book.GetRows("URLs")
		noError(t, err)
		if len(sheet) != len(rows) {
			t.Fatalf("%s: %d rows in the sheet, want %d", query, len(sheet), len(rows))
		}
		for i, row := range rows {
			for k, cell := range row {
				if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@") {
					t.Errorf("a formula: %q", cell)
				}
				in := ""
				if k < len(sheet[i]) {
					in = sheet[i][k]
				}
				if want := strings.TrimPrefix(cell, "'"); in != want && !strings.Contains(want, "[U+202E]") {
					t.Errorf("row %d: %q in the sheet, %q in CSV", i, in, cell)
				}
			}
			if i > 0 && (row[0] != strings.ReplaceAll(want[i-1][0], "\u202e", "[U+202E]")) {
				t.Errorf("row %d is %v, want %s", i, row, want[i-1][0])
			}
		}
	}
	if _, text := a.do("GET", filtered(".csv", "q=a.example/shop/0"), ""); !strings.Contains(text, "https://a.example/shop/0,a.example,page,/shop/{n},shop,blocked,blocked,allowed,\"2, 5\",disallow: /shop/; disallow: <b>[U+202E],0,,1,no,not requested\r\n") {
		t.Errorf("%s", text)
	}

	d.indexes.rows = 7
	for _, sort := range []string{"url", "-clicks"} {
		answer, text := a.do("GET", filtered(".csv", "kind=page&sort="+sort), "")
		if lines := strings.Split(strings.TrimSpace(text), "\r\n"); len(lines) != 9 || lines[8] != `"Only the first 7 of 120 rows. Narrow the search for the others."` && lines[8] != "Only the first 7 of 120 rows. Narrow the search for the others." || answer.Header.Get("X-Rows-Cut") != "true" {
			t.Errorf("%s: %d lines, %q", sort, len(lines), lines[len(lines)-1])
		}
		first, err := openBook(t, a, filtered(".xlsx", "kind=page&sort="+sort)).GetRows("Search")
		if noError(t, err); !strings.Contains(fmt.Sprint(first), "Only the first 7 of 120 rows") {
			t.Errorf("%v", first)
		}
	}
	if answer, _ := a.do("GET", filtered(".csv", ""), ""); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("nothing asked for: %s", answer.Status)
	}
	if left := leftFiles(d); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// openBook opens a workbook of the dashboard.
func openBook(t *testing.T, a *asker, path string) *excelize.File {
	t.Helper()
	answer, text := a.do("GET", path, "")
	if answer.StatusCode != 200 || !strings.Contains(answer.Header.Get("Content-Disposition"), "monday-urls.xlsx") {
		t.Fatalf("%s: %s %v", path, answer.Status, answer.Header)
	}
	book, err := excelize.OpenReader(strings.NewReader(text))
	noError(t, err)
	return book
}

// leftFiles are the temporary files of downloads.
func leftFiles(d *Desk) (left []string) {
	left, _ = filepath.Glob(filepath.Join(d.made.dir, "search-*", "*"))
	dirs, _ := filepath.Glob(filepath.Join(d.made.dir, "search-*"))
	return append(left, dirs...)
}

// TestSearchFileEnds ends downloads in the middle: nothing remains, and the next one has its turn.
func TestSearchFileEnds(t *testing.T) {
	dir := searchedRun(t, 30_000)
	d, a := newDesk(t, Options{Runs: []string{dir}})
	d.indexes.patient = time.Minute
	a.json(filtered("", "q=zzz"), &searchView{})
	for _, query := range []string{"kind=page", "kind=page&sort=-clicks"} {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, "GET", a.base+filtered(".csv", query), nil)
		noError(t, err)
		answer, err := http.DefaultClient.Do(r)
		noError(t, err)
		if line, err := bufio.NewReader(answer.Body).ReadString('\n'); err != nil || !strings.HasPrefix(line, "\uFEFFURL") {
			t.Errorf("%s: %q, %v", query, line, err)
		}
		cancel()
		answer.Body.Close()
		leave, err := d.indexes.files.enter(t.Context()) // once the download has ended
		noError(t, err)
		if left := leftFiles(d); len(left) > 0 {
			t.Errorf("%s: left %v", query, left)
		}
		leave()
	}
	leave, err := d.indexes.files.enter(t.Context())
	noError(t, err)
	for range filesWaiting {
		d.indexes.files.waiting <- struct{}{}
	}
	if answer, _ := a.do("GET", filtered(".csv", "kind=page"), ""); answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("with too many waiting: %s", answer.Status)
	}
	for range filesWaiting {
		<-d.indexes.files.waiting
	}
	leave()

	// An index that is damaged while it is read: the client gets no complete file.
	path := indexPath(&run{dir: dir})
	index, err := os.ReadFile(path)
	noError(t, err)
	clear(index[len(index)/2 : len(index)/2+5000])
	noError(t, os.WriteFile(path, index, 0o644))
	r, err := http.Get(a.base + filtered(".csv", "q=https://")) // counting reads the last block only
	noError(t, err)
	defer r.Body.Close()
	if text, err := io.ReadAll(r.Body); r.StatusCode != 200 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("of a damaged index: %s, %d bytes, %v", r.Status, len(text), err)
	}
	var v searchView
	a.json(filtered("", "q=zzz"), &v) // it was removed, and is built again
	if v.URLs == nil || v.URLs.Total != 0 {
		t.Errorf("after that: %+v", v.URLs)
	}
}
