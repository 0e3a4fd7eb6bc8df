package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/reports/internal/summary"
)

var start = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// The profiles have names that the engine does not know, so that texts about its own profiles can
// change without changes here.
var testCrawlers = []audit.Crawler{
	{Label: "Googlebot", Name: "Googlebot", Profile: "reader-a", Operator: "Google", Purpose: "search", Tokens: []string{"Googlebot"}},
	{Label: "Bingbot", Name: "Bingbot", Profile: "reader-b", Operator: "Microsoft", Purpose: "search", Tokens: []string{"Bingbot"}},
	{Label: "Googlebot@google-2019", Name: "Googlebot", Profile: "reader-c", Operator: "Google", Purpose: "search", Tokens: []string{"Googlebot"}},
}

const testRobots = "User-agent: *\nDisallow: /search\nAllow: /search/help\nDisallow: /never\n\nUser-agent: Bingbot\nDisallow: /a/\nSitemap: https://example.com/sitemap.xml\n"

// sumOf is the SHA-256 of a text.
func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// siteRecords makes the records of a site with n URLs.
func siteRecords(name string, ordinal, n int) []audit.Record {
	origin := "https://" + name
	records := []audit.Record{
		{Site: &audit.Site{Name: name, Line: ordinal + 1, Ordinal: ordinal, Crawlers: testCrawlers, Started: start.Add(time.Duration(ordinal) * time.Second)}},
		{Robots: &audit.Robots{Origin: origin,
			File: crawl.RobotsFile{
				Outcome: crawl.Outcome{URL: origin + "/robots.txt", Status: 200, Type: "text/plain", Bytes: int64(len(testRobots)), Wire: 99, SHA256: sumOf(testRobots), Tries: 1, Started: start, Millis: 12.5,
					Hops: []crawl.Hop{
						{URL: origin + "/robots.txt", Status: 301, Location: origin + "/r.txt", Started: start, Millis: 3.25, Address: "192.0.2.1:443"},
						{URL: origin + "/r.txt", Status: 200, Started: start, Millis: 4.5, Header: map[string][]string{"Content-Type": {"text/plain"}}},
					}},
				Body: []byte(testRobots),
			},
			Reads: []audit.Read{
				{Access: engine.Parsed, Why: "HTTP 200: the rules apply", GroupLine: 1, GroupTokens: "*", GroupReason: engine.Global, Rules: 3},
				{Access: engine.Parsed, Why: "HTTP 200: the rules apply", GroupLine: 6, GroupTokens: "Bingbot", GroupReason: engine.Exact, Rules: 1, CrawlDelay: 1.5},
				{Access: engine.Parsed, Why: "HTTP 200: the rules apply", GroupLine: 1, GroupTokens: "*", GroupReason: engine.Global, Rules: 3},
			},
			Rules:    []audit.RuleLine{{Line: 2, Rule: "disallow: /search"}, {Line: 3, Rule: "allow: /search/help"}, {Line: 4, Rule: "disallow: /never"}, {Line: 7, Rule: "disallow: /a/"}},
			Sitemaps: []audit.SitemapLine{{Line: 8, URL: "https://example.com/sitemap.xml"}},
		}},
	}
	done := &audit.Done{State: audit.Warn, Origin: origin, Counts: audit.Counts{URLs: int64(n), Blocked: make([]int64, 3)}, Sitemaps: 2, Finished: start.Add(time.Minute),
		LeftOut: map[string]int64{"too_long": 2, "relative": 1}, Problems: 1, Findings: &audit.Severities{Error: 1, Warning: 3, Info: 2}}
	batch := &audit.URLs{}
	flush := func() {
		if len(batch.List) > 0 {
			records = append(records, audit.Record{URLs: batch})
			batch = &audit.URLs{}
		}
	}
	for i := range n {
		u := audit.URL{LastMod: "2026-01-02", Verdicts: []engine.Verdict{engine.Allow, engine.Allow, engine.Allow}, Lines: []int32{0, 0, 0}}
		switch i % 5 {
		case 0:
			u.Loc = fmt.Sprintf("%s/search?q=%d", origin, i)
			u.Verdicts = []engine.Verdict{engine.Disallow, engine.Allow, engine.Undefined}
			u.Lines = []int32{2, 0, 2}
			done.Blocked[0]++
			done.BlockedAny++
			done.Unknown++
		case 1:
			u.Loc = fmt.Sprintf("%s/a/%d", origin, i)
			u.LastMod = "2026-01-02T03:04:05+01:00"
			u.Verdicts[1], u.Lines[1] = engine.Disallow, 7
			done.Blocked[1]++
			done.BlockedAny++
		default:
			u.Loc = fmt.Sprintf("%s/products/item-%d.html?a=1&b=<2>", origin, i)
			u.LastMod = "yesterday"
		}
		batch.List = append(batch.List, u)
		if len(batch.List) == 100 {
			flush()
		}
	}
	flush()
	per := int64(n / 5)
	records = append(records,
		audit.Record{Sitemap: &audit.Sitemap{SitemapFile: crawl.SitemapFile{
			Outcome: crawl.Outcome{URL: origin + "/sitemap.xml", Status: 200, Bytes: 5000, SHA256: "def456", Started: start, Millis: 20, Hops: []crawl.Hop{{URL: origin + "/sitemap.xml"}}},
			Parent:  -1, Line: 8, Format: "urlset", URLs: int64(n), Notes: []crawl.Note{{Code: "no_namespace", Count: 3, Detail: "first"}}},
			Tested: int64(n), LeftOut: map[string]int64{"too_long": 2}, Blocked: done.Blocked,
			Self: []engine.Verdict{engine.Allow, engine.Disallow, engine.Allow}, SelfLines: []int32{0, 7, 0}}},
		audit.Record{Sitemap: &audit.Sitemap{SitemapFile: crawl.SitemapFile{
			Outcome: crawl.Outcome{URL: origin + "/more.xml", Status: 404, Code: crawl.CodeHTTPStatus, Detail: "HTTP 404", Started: start}, Index: 1, Parent: 0}}},
		audit.Record{Problem: &audit.Problem{Stage: "sitemap", Code: crawl.CodeHTTPStatus, URL: origin + "/more.xml", Detail: "HTTP 404 Not Found"}},
		audit.Record{Findings: &audit.Findings{List: []audit.Finding{
			{Finding: engine.Finding{ID: "SM006", Severity: engine.Info, Profiles: []string{"reader-a"}, What: "no sitemap line", Why: "a reason", Fix: "Add one."}},
			{Finding: engine.Finding{ID: "RUL013", Severity: engine.Warning, Profiles: []string{"reader-a", "reader-b"}, Line: 2, Column: 11, EndColumn: 18, Text: "Disallow: /search",
				What: "/search matches more than a directory", Why: "Paths match by their beginning.", Fix: "End the path with \"/\".", Replacement: "Disallow: /search/", More: 2},
				Counted: true, URLs: per, Samples: []string{origin + "/search?q=0", origin + "/search?q=5"}},
			{Finding: engine.Finding{ID: "SM005", Severity: engine.Error, Profiles: []string{"reader-a"}, Line: 2, Text: "Disallow: /search", What: "=blocked", Why: "w", Fix: "f"}, Counted: true, URLs: per},
			{Finding: engine.Finding{ID: "RUL008", Severity: engine.Info, Profiles: []string{"reader-a"}, Line: 4, Text: "Disallow: /never", What: "decides nothing", Why: "w", Fix: "f"}, Counted: true},
		}}},
		audit.Record{Rules: &audit.Rules{Crawlers: []int{0}, Counts: []audit.RuleCount{
			{Line: 2, Rule: "disallow: /search", Matched: per, Decided: per, Frees: per}, {Line: 3, Rule: "allow: /search/help"}, {Line: 4, Rule: "disallow: /never"}}}},
		audit.Record{Rules: &audit.Rules{Crawlers: []int{2}, Counts: []audit.RuleCount{
			{Line: 2, Rule: "disallow: /search", Matched: per, Decided: per}, {Line: 3, Rule: "allow: /search/help"}, {Line: 4, Rule: "disallow: /never"}}}},
		audit.Record{Rules: &audit.Rules{Crawlers: []int{1}, Counts: []audit.RuleCount{{Line: 7, Rule: "disallow: /a/", Matched: per, Decided: per, Frees: per}}}},
	)
	done.Why = fmt.Sprintf("%d of %d URLs are blocked from crawling for at least one crawler", done.BlockedAny, done.URLs)
	records = append(records, audit.Record{Done: done})
	for i := range records {
		records[i].Domain = name
	}
	return records
}

// renamed are the records of a site with another name.
func renamed(records []audit.Record, name string) []audit.Record {
	records = slices.Clone(records)
	for i := range records {
		records[i].Domain = name
		if records[i].Site != nil {
			site := *records[i].Site
			site.Name = name
			records[i].Site = &site
		}
	}
	return records
}

// shutRecords makes the records of a site whose robots.txt answers 503: blocked for one crawler,
// open for the next, unknown for the third.
func shutRecords(name string, ordinal int) []audit.Record {
	records := siteRecords(name, ordinal, 4)
	r := records[1].Robots
	r.File.Body, r.File.Bytes, r.File.SHA256, r.Rules, r.Sitemaps = nil, 0, "", nil, nil
	r.File.Status, r.File.Hops = 503, r.File.Hops[:1]
	r.File.Hops[0].Status = 503
	r.Reads = []audit.Read{
		{Access: engine.DisallowAll, Why: "HTTP 503: full disallow for now", GroupReason: engine.None, BlocksRoot: true},
		{Access: engine.AllowAll, Why: "HTTP 503: no restrictions", GroupReason: engine.None},
		{Access: engine.AccessUnknown, Why: "HTTP 503: the page does not say", GroupReason: engine.None},
	}
	var kept []audit.Record
	done := records[len(records)-1].Done
	done.State, done.Why, done.BlockedAny, done.Unknown, done.Blocked = audit.Critical, "robots.txt answers with HTTP 503", 4, 4, []int64{4, 0, 0}
	for _, rec := range records {
		if rec.Rules != nil {
			continue
		}
		if rec.URLs != nil {
			for i := range rec.URLs.List {
				u := &rec.URLs.List[i]
				u.Verdicts, u.Lines = []engine.Verdict{engine.Disallow, engine.Allow, engine.Unknown}, []int32{0, 0, 0}
			}
		}
		kept = append(kept, rec)
	}
	return kept
}

func testOptions(dir string) Options {
	return Options{Dir: dir, AllSheets: true, Version: "1.2.3", Crawlers: testCrawlers, Started: start, Settings: map[string]any{"workers": "4", "max-urls": "0"}}
}

// openRun begins a run whose workbooks have all sheets.
func openRun(t testing.TB, o Options) *Run {
	t.Helper()
	o.AllSheets = true
	r, err := Open(o)
	noError(t, err)
	return r
}

func writeAll(t testing.TB, r *Run, records []audit.Record) {
	t.Helper()
	for _, rec := range records {
		noError(t, r.Write(rec))
	}
}

func closeRun(t testing.TB, r *Run) {
	t.Helper()
	noError(t, r.Close())
}

// writeRun writes a run of these sites, and returns its folder.
func writeRun(t testing.TB, o Options, sites ...[]audit.Record) (dir string) {
	t.Helper()
	r := openRun(t, o)
	for _, records := range sites {
		writeAll(t, r, records)
	}
	closeRun(t, r)
	return o.Dir
}

// readBytes returns the content of a file.
func readBytes(t testing.TB, path ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	noError(t, err)
	return text
}

// readText returns the text of a file.
func readText(t testing.TB, path ...string) string {
	t.Helper()
	return string(readBytes(t, path...))
}

// openBook opens a workbook until the test ends.
func openBook(t testing.TB, path ...string) *excelize.File {
	t.Helper()
	f, err := excelize.OpenFile(filepath.Join(path...))
	noError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

// sheetCells are the cells of a sheet, row by row.
func sheetCells(t testing.TB, f *excelize.File, sheet string, as ...excelize.Options) [][]string {
	t.Helper()
	rows, err := f.GetRows(sheet, as...)
	noError(t, err)
	return rows
}

// rebuildIn makes all reports of the run in dir again.
func rebuildIn(dir string) error {
	_, err := Options{Dir: dir}.Rebuild()
	return err
}

// mustRebuild is rebuildIn that must not fail.
func mustRebuild(t testing.TB, dir string) {
	t.Helper()
	noError(t, rebuildIn(dir))
}

// checkRebuilt makes all reports of a run again: they are the same.
func checkRebuilt(t *testing.T, dir string) {
	t.Helper()
	before := folder(t, dir)
	mustRebuild(t, dir)
	sameFolder(t, before, folder(t, dir), journalName)
}

// resume resumes a run: sites that it does not skip are written again.
func resume(t testing.TB, o Options, records []audit.Record) (r *Run) {
	t.Helper()
	o.Resume = true
	r = openRun(t, o)
	for _, rec := range records {
		if !r.Skip(rec.Domain) {
			writeAll(t, r, []audit.Record{rec})
		}
	}
	closeRun(t, r)
	return r
}

// urlsOf are the URLs of records, each to be changed in its place.
func urlsOf(records []audit.Record) iter.Seq[*audit.URL] {
	return func(yield func(*audit.URL) bool) {
		for _, rec := range records {
			if rec.URLs == nil {
				continue
			}
			for i := range rec.URLs.List {
				if !yield(&rec.URLs.List[i]) {
					return
				}
			}
		}
	}
}

// packed compresses text as one frame.
func packed(t testing.TB, text []byte) string {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	noError(t, err)
	return string(z.EncodeAll(text, nil))
}

// unpack returns the JSON Lines of a file of records.
func unpack(t testing.TB, file string) []byte {
	t.Helper()
	z, err := zstd.NewReader(nil)
	noError(t, err)
	defer z.Close()
	text, err := z.DecodeAll([]byte(file), nil)
	noError(t, err)
	return text
}

// put writes a file of a run's folder, and replaces anything with its name.
func put(t testing.TB, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	noError(t, errors.Join(os.RemoveAll(file), os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)))
}

func gone(t testing.TB, dir, name string) {
	t.Helper()
	noError(t, os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))))
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// checkEqual compares the actual value with the expected one.
func checkEqual[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got): %s", what, diff)
	}
}

// truncate cuts a file of a run's folder.
func truncate(t testing.TB, dir, name string, size int64) {
	t.Helper()
	noError(t, os.Truncate(filepath.Join(dir, filepath.FromSlash(name)), size))
}

// checkText compares two texts of several lines.
func checkText(t testing.TB, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// checkHas looks for parts of a text.
func checkHas(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, want := range parts {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q", want)
		}
	}
}

// entriesOf are the sites' entries of a run's summary.json.
func entriesOf(t testing.TB, dir string) []summary.Entry {
	t.Helper()
	var said struct{ Sites []summary.Entry }
	noError(t, json.Unmarshal(readBytes(t, dir, "summary.json"), &said))
	return said.Sites
}

// summaryRows are the rows of the sheet Summary by their first cells; the first if several begin
// alike. Each has at least five cells.
func summaryRows(t testing.TB, f *excelize.File) map[string][]string {
	t.Helper()
	rows := map[string][]string{}
	for _, row := range sheetCells(t, f, "Summary") {
		row = append(row, "", "", "", "", "")
		row[3] = strings.Replace(strings.ToLower(row[3]), "warning", "warn", 1) // the word for a state in data
		if rows[row[0]] == nil {
			rows[row[0]] = row
		}
	}
	return rows
}
