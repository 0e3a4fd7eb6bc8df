package logs

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
	"golang.org/x/net/html"

	"robots-audit/audit"
)

var update = flag.Bool("update", false, "write the golden files anew")

// at is a time of the test's month.
func at(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 12, 0, 0, time.UTC) }

// shop has three versions of robots.txt and 34 days of requests of six crawlers: text is in every place for text from outside.
func shop(name, text string) audit.Logs {
	versions := []audit.LogVersion{
		{Name: "1 Nov 2026, 06:12", SHA256: strings.Repeat("a", 64), Status: 200, First: at(1, 6), Last: at(10, 6)},
		{Name: "11 Nov 2026, 06:12", SHA256: strings.Repeat("b", 64), Status: 200, First: at(11, 6), Last: at(24, 6), Before: at(10, 6)},
		{Name: "25 Nov 2026, 06:12", SHA256: strings.Repeat("c", 64), Status: 200, First: at(25, 6), Last: at(26, 6), Before: at(24, 6)},
	}
	days := func(n, disobeyed, bad int64) (list []audit.LogDay) {
		for day := 1; day <= 26; day++ {
			if day == 14 {
				continue
			}
			d := audit.LogDay{Day: at(day, 0).Format(time.DateOnly), Requests: n + n*int64(day*day%17)/9, Errors: n / 20}
			if day%4 == 1 {
				d.Robots = 2
			}
			if day > 20 {
				d.Disobeyed = disobeyed / 6
			}
			if day == 15 || day == 16 {
				d.RobotsBad = bad
			}
			list = append(list, d)
		}
		return list
	}
	parts := func(n int64) []audit.LogPart {
		return []audit.LogPart{
			{Name: "/products/" + text, Requests: n / 2, URLs: n / 4, OK: n/2 - n/50, Errors: n / 50},
			{Name: "/search/" + text, Requests: n / 4, URLs: n / 5, OK: n / 10, Redirects: n/4 - n/10 - n/40, Errors: n / 40, Blocked: n / 100},
			{Name: "/", Requests: n / 8, URLs: 12, OK: n / 8},
		}
	}
	url := func(path string) string { return "https://" + name + path + text }
	google := audit.LogCrawler{Name: "Googlebot", Operator: "Google", Purpose: "search",
		Genuine: audit.LogTally{Requests: 10000, Obeyed: 9900, Grace: 60, Stale: 12, Unclear: 40}, Claimed: audit.LogTally{Requests: 345, Blocked: 12, Obeyed: 333}, URLs: 6100,
		Robots: audit.LogRobots{Requests: 14, Statuses: []audit.LogCount{{Name: "200", Requests: 12}, {Name: "503", Requests: 2}}, Answers: []audit.LogAnswer{{Status: 200, First: at(1, 9), Last: at(20, 9), Requests: 9}, {Status: 503, First: at(21, 9), Last: at(21, 15), Requests: 2}, {Status: 200, First: at(22, 9), Last: at(25, 9), Requests: 3}}, Last: at(25, 9), LastStatus: 200, Read: at(25, 9), Knows: "25 Nov 2026, 06:12",
			Learned: []audit.LogLearnt{{Version: "11 Nov 2026, 06:12", Changed: at(11, 6), Read: at(12, 6)}, {Version: "25 Nov 2026, 06:12", Changed: at(25, 6), Read: at(25, 9)}}, MedianDays: 0.6},
		Statuses: []audit.LogCount{{Name: "2xx", Requests: 8100}, {Name: "3xx", Requests: 1400}, {Name: "4xx", Requests: 480}, {Name: "5xx", Requests: 20}},
		Waste:    audit.LogWaste{Redirects: 1400, Errors: 500, Parameters: 4100, Blocked: 60},
		Rules:    []audit.LogRule{{Version: "25 Nov 2026, 06:12", Line: 12, Rule: "disallow: /search" + text, Requests: 60, URLs: 44, Grace: 60, Samples: []string{url("/search?q=")}}},
		Days:     days(300, 0, 1), Directories: parts(10000), Templates: []audit.LogPart{{Name: "/products/{n}.html", Requests: 5000, URLs: 2500, OK: 4800, Errors: 200}}, Types: []audit.LogPart{{Name: "page", Requests: 9000, OK: 8000}},
		NeverFetched: 1234, Never: []string{url("/products/1.html"), url("/products/2.html")}, Orphans: 40, Orphan: []string{url("/old/1.html")}}
	gpt := audit.LogCrawler{Name: "GPTBot", Operator: "OpenAI", Purpose: "AI training",
		Genuine: audit.LogTally{Requests: 2000, Obeyed: 1600, Disobeyed: 327, Unclear: 73}, Claimed: audit.LogTally{Requests: 5, Blocked: 5}, URLs: 1900,
		Robots: audit.LogRobots{Requests: 6, Statuses: []audit.LogCount{{Name: "200", Requests: 6}}, Last: at(12, 3), LastStatus: 200, Read: at(12, 3), Knows: "11 Nov 2026, 06:12", Waiting: true,
			Learned: []audit.LogLearnt{{Version: "11 Nov 2026, 06:12", Changed: at(11, 6), Read: at(12, 3)}, {Version: "25 Nov 2026, 06:12", Changed: at(25, 6)}}, MedianDays: 0.875},
		Statuses: []audit.LogCount{{Name: "2xx", Requests: 1990}, {Name: "4xx", Requests: 10}}, Waste: audit.LogWaste{Errors: 10, Blocked: 327},
		Rules: []audit.LogRule{{Version: "11 Nov 2026, 06:12", Line: 17, Rule: "disallow: /post" + text, Requests: 300, URLs: 290, Disobeyed: 300, First: at(21, 2), Last: at(24, 6), Samples: []string{url("/post/1"), url("/post/2")}},
			{Version: "11 Nov 2026, 06:12", Line: 19, Rule: "disallow: /a", Requests: 27, URLs: 27, Disobeyed: 27, First: at(22, 2), Last: at(24, 5)}},
		Days: days(70, 327, 0), Directories: parts(2000), NeverFetched: 4100}
	list := []audit.LogCrawler{google, gpt,
		{Name: "bingbot", Operator: "Microsoft", Purpose: "search", Genuine: audit.LogTally{Requests: 900, Obeyed: 900}, URLs: 800,
			Robots: audit.LogRobots{Requests: 9, Statuses: []audit.LogCount{{Name: "200", Requests: 7}, {Name: "503", Requests: 2}}, Last: at(24, 20), LastStatus: 503, Read: at(23, 20), Knows: "11 Nov 2026, 06:12", Waiting: true, MedianDays: -1},
			Days:   days(30, 0, 1), Directories: parts(900), NeverFetched: 3000},
		{Name: "Bytespider", Operator: "ByteDance", Purpose: "AI training", Unknown: audit.LogTally{Requests: 228, Obeyed: 42, Blocked: 186}, URLs: 200, Robots: audit.LogRobots{MedianDays: -1}, Days: days(8, 0, 0), Directories: parts(228), NeverFetched: 4900},
		{Name: "ChatGPT-User", Operator: "OpenAI", Purpose: "user fetch", Genuine: audit.LogTally{Requests: 120, Exempt: 120}, URLs: 90, Robots: audit.LogRobots{MedianDays: -1}, Directories: parts(120), NeverFetched: 4930},
		{Name: "FooBot" + text, Unknown: audit.LogTally{Requests: 7, Obeyed: 7}, URLs: 7, AboutURLs: true, Robots: audit.LogRobots{Requests: 1, Last: at(3, 1), LastStatus: 200, Read: at(3, 1), Knows: "1 Nov 2026, 06:12", Waiting: true, MedianDays: -1}},
	}
	return audit.Logs{Site: name, From: at(1, 0), To: at(26, 23), Judged: audit.LogHistory, Listed: 5000, Found: 8000, Ranges: "2026-05-05", Believed: "2026-11-01", Versions: versions, Crawlers: list, Others: 12, Limits: []audit.LogLimit{audit.LogLimitURLs, audit.LogLimitParts, audit.LogLimitDays}}
}

// crowd is a site with 100 crawlers that has one version of robots.txt.
func crowd() audit.Logs {
	l := audit.Logs{Site: "crowd.example", From: at(1, 0), To: at(2, 0), Judged: audit.LogFile, Versions: []audit.LogVersion{{Name: "robots.txt", Status: 200}}, Scaled: 10}
	for i := range 100 {
		c := audit.LogCrawler{Name: fmt.Sprintf("bot-%d", i), Purpose: []string{"search", "AI search", "SEO tools", ""}[i%4], Genuine: audit.LogTally{Requests: int64(1000 - i), Obeyed: int64(1000 - i)}, Robots: audit.LogRobots{MedianDays: -1}}
		if i == 90 {
			c.Genuine.Disobeyed, c.Genuine.Obeyed = 10, 900
		}
		l.Crawlers = append(l.Crawlers, c)
	}
	return l
}

// quiet is a site that no crawler visits.
func quiet() audit.Logs { return audit.Logs{Site: "quiet.example", Judged: audit.LogRun} }

func head(text string) Head {
	return Head{Version: "test", Made: at(27, 0), Files: []File{{Name: "access.log" + text, Format: "combined", Lines: 24000, Requests: 23990}, {Name: "access.log.1" + text, Format: "combined", Lines: 24000, Requests: 23990, Twice: true}, {Name: "access.log.2.gz" + text, Format: "combined", Early: "the gzip file is cut off"}, {Name: "LICENSE" + text, Lines: 30, Skipped: true}},
		Lines: 24000, Visitors: 10400, Crawlers: 13600, Unparsed: 12, Errors: []Error{{Kind: "not HTTP", Lines: 10, Examples: []string{"access.log" + text + ":17"}}, {Kind: "time", Lines: 2}},
		From: at(1, 0), To: at(26, 23), OtherHosts: []Count{{Name: "other.example" + text, Requests: 44}}, Ranges: "2026-05-05", Notes: []string{"The logs have no host."}}
}

func each(list ...audit.Logs) iter.Seq2[audit.Logs, error] {
	return func(yield func(audit.Logs, error) bool) {
		for _, l := range list {
			if !yield(l, nil) {
				return
			}
		}
	}
}

func write(t *testing.T, h Head, list ...audit.Logs) (dir string, s *Summary) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "logs")
	if keep := os.Getenv("ROBOTS_AUDIT_KEEP"); keep != "" {
		dir = filepath.Join(keep, strings.ReplaceAll(t.Name(), "/", "-"))
	}
	s, err := Write(dir, h, each(list...))
	if err != nil {
		t.Fatal(err)
	}
	return dir, s
}

// hostile is text that must be shown, never obeyed.
const hostile = "=1+1|\x1b[31m\u202egpj<script>alert(1)</script>`@x"

// TestGolden compares the text of the page, the cells of the workbook and the lines with golden files.
func TestGolden(t *testing.T) {
	for name, list := range map[string][]audit.Logs{
		"shop": {shop("shop.example", "")}, "nothing": {quiet()}, "several": {quiet(), crowd(), shop("shop.example", "")}, "none": nil,
		"hostile": {shop("hostile.example", hostile+strings.Repeat("/long", 400))},
	} {
		t.Run(name, func(t *testing.T) {
			text := ""
			if name == "hostile" {
				text = hostile
			}
			dir, s := write(t, head(text), list...)
			got := "-- terminal --\n" + strings.Join(s.Lines(), "\n") + "\n-- page --\n" + pageText(t, read(t, dir, pageName)) + "\n-- workbook --\n" + cells(t, filepath.Join(dir, bookName))
			golden := filepath.Join("testdata", name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

var blanks = regexp.MustCompile(`\s+`)

// pageText is the text of a page, an element a line.
func pageText(t *testing.T, page []byte) string {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.ElementNode && (n.Data == "style" || n.Data == "script" || n.Data == "svg"):
			return
		case n.Type == html.TextNode:
			b.WriteString(blanks.ReplaceAllString(n.Data, " "))
		case n.Data == "td" || n.Data == "th":
			b.WriteString(" | ")
		case strings.Contains(" p h1 h2 h3 h4 tr dt li summary caption figcaption ", " "+n.Data+" "):
			b.WriteString("\n")
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	var lines []string
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// cells are the texts of a workbook; it may have no formula.
func cells(t *testing.T, name string) string {
	f, err := excelize.OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b strings.Builder
	for _, sheet := range f.GetSheetList() {
		fmt.Fprintf(&b, "## %s\n", sheet)
		rows, err := f.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for r, row := range rows[:min(len(rows), 60)] {
			fmt.Fprintf(&b, "%s\n", strings.Join(row, " | "))
			for c := range row {
				cell, _ := excelize.CoordinatesToCellName(c+1, r+1)
				if formula, _ := f.GetCellFormula(sheet, cell); formula != "" {
					t.Errorf("%s!%s has the formula %q", sheet, cell, formula)
				}
			}
		}
	}
	return b.String()
}

// TestHostile checks that no text from outside controls a terminal or becomes markup.
func TestHostile(t *testing.T) {
	dir, s := write(t, head(hostile), shop("hostile.example", hostile), shop("two.example", hostile))
	for _, line := range s.Lines() {
		if strings.ContainsAny(line, "\x1b\u202e\n\r") {
			t.Errorf("%q", line)
		}
	}
	for _, name := range []string{pageName, jsonName} {
		if text := string(read(t, dir, name)); strings.ContainsAny(text, "\x1b\u202e") || name == pageName && strings.Contains(text, "<script") {
			t.Errorf("%s has text as it came", name)
		}
	}
}

// TestHostileSummary checks that the sentences and the chart on the first sheet show hidden characters, and that a
// long name does not fill the chart.
func TestHostileSummary(t *testing.T) {
	text := "\u202e" + strings.Repeat("long", 100)
	for _, list := range [][]audit.Logs{{shop("hostile.example", text)}, {shop("hostile.example", text), crowd()}} {
		dir, _ := write(t, head(text), list...)
		first, _, _ := strings.Cut(cells(t, filepath.Join(dir, bookName)), "\n## ")
		if strings.Contains(first, "\u202e") || strings.Contains(first, strings.Repeat("long", 80)) || !strings.Contains(first, "[U+202E]") {
			t.Error(first)
		}
	}
}

// TestJSON reads logs.json again.
func TestJSON(t *testing.T) {
	want, h := []audit.Logs{shop("shop.example", hostile), crowd(), quiet()}, head(hostile)
	dir, _ := write(t, h, want...)
	var got struct {
		Head  Head
		Sites []audit.Logs
	}
	if err := json.Unmarshal(read(t, dir, jsonName), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Sites); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(h, got.Head); diff != "" {
		t.Error(diff)
	}
}

// TestFolder checks that a failing source leaves the folder as it was, that a folder is written again, and that a
// folder with another report is not touched.
func TestFolder(t *testing.T) {
	dir, _ := write(t, head(""), quiet())
	before := read(t, dir, pageName)
	broken := errors.New("broken")
	if _, err := Write(dir, head(""), func(yield func(audit.Logs, error) bool) {
		_ = yield(shop("shop.example", ""), nil) && yield(audit.Logs{}, broken)
	}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if !bytes.Equal(before, read(t, dir, pageName)) {
		t.Error("the page has changed")
	}
	if _, err := Write(dir, head(""), each(crowd())); err != nil || bytes.Equal(before, read(t, dir, pageName)) {
		t.Errorf("not written again: %v", err)
	}
	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 3 {
		t.Errorf("%v, %v", names, err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, pageName), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(other, head(""), each(quiet())); !errors.Is(err, ErrOther) {
		t.Errorf("error %v", err)
	}
}

// TestSame checks that the same logs give the same bytes.
func TestSame(t *testing.T) {
	list := []audit.Logs{shop("shop.example", ""), crowd()}
	a, _ := write(t, head(""), list...)
	b := filepath.Join(t.TempDir(), "again")
	if _, err := Write(b, head(""), each(list...)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pageName, bookName, jsonName} {
		if !bytes.Equal(read(t, a, name), read(t, b, name)) {
			t.Errorf("%s differs", name)
		}
	}
}

// TestNothingHalfWritten cannot write the page: the other files of an earlier report stay as they are.
func TestNothingHalfWritten(t *testing.T) {
	dir, _ := write(t, head("a.log"), quiet())
	before, err := os.ReadFile(filepath.Join(dir, "logs.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, ".robots-audit", "index.html", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(dir, head("b.log"), func(yield func(audit.Logs, error) bool) { yield(crowd(), nil) }); err == nil {
		t.Error("the page was written over a folder")
	}
	if after, err := os.ReadFile(filepath.Join(dir, "logs.json")); err != nil || !bytes.Equal(after, before) {
		t.Errorf("logs.json was replaced: %v", err)
	}
}
