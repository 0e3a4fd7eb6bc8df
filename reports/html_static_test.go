package reports

// The pages as written, before their script has run: their text, their links, and sites that make
// them large or strange.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"robots-audit/audit"
	"robots-audit/engine"
)

// largeSite are the records of a site with n blocked URLs.
func largeSite(n int) []audit.Record {
	records := siteRecords("example.com", 0, 0)
	head, tail := records[:2], records[2:]
	batches := blockedBatches(n)
	last := batches[len(batches)-1].URLs
	last.List = last.List[:256-(len(batches)*256-n)]
	done := *tail[len(tail)-1].Done
	done.URLs, done.BlockedAny, done.Blocked = int64(n), int64(n), []int64{int64(n), 0, 0}
	tail[len(tail)-1].Done = &done
	for i := range tail {
		if r := tail[i].Rules; r != nil && r.Crawlers[0] == 0 {
			third := int64(n / 3)
			r.Counts = []audit.RuleCount{{Line: 2, Rule: "disallow: /search", Matched: third, Decided: third, Frees: third}}
		}
	}
	return slices.Concat(head, batches, tail)
}

// hostileDirectories is the folder of a run over one site. Some of its directories contain
// invisible characters, and there are more than are counted separately.
func hostileDirectories(t *testing.T) (dir string) {
	t.Helper()
	var urls []string
	for text := range hostile {
		if len(text) < longestDirectory {
			urls = append(urls, "/"+text+"/page", "/"+text+"/more") // among those of most URLs, which have a bar
		}
	}
	for i := range maxDirectories {
		urls = append(urls, fmt.Sprintf("/%d/", i))
	}
	records := judged(t, "Googlebot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /\n")}, urls...)
	o := testOptions(t.TempDir())
	o.Crawlers = records[0].Site.Crawlers
	writeRun(t, o, records)
	return o.Dir
}

// hostileTexts are names that would be harmful if they were not treated as text, or misleading if
// they were shown unchanged.
var hostileTexts = []string{
	`<script>window.harmed=1</script>`, `"><img src=x onerror="window.harmed=1">`, `</script><script>window.harmed=1</script>`,
	`<!--<script>`, `{{.Title}}`, `'-window.harmed=1-'`, `=HYPERLINK("http://example.com","x")`, `+1`, `@SUM(1)`, "javascript:window.harmed=1",
	"a\u202egnp.exe", "zero\u200bwidth", "bell\x07", "nul\x00", "line\u2028separator", "\xff\xfe", "]]>", `\u003c`, `&lt;b&gt;`,
}

// hostileShown is how some of them are in a page.
var hostileShown = []string{`<script>window.harmed=1</script>`, `</script><script>`, `{{.Title}}`, `a[U+202E]gnp.exe`, `bell\x07`, `zero[U+200B]width`, `nul\x00`, `line[U+2028]separator`, `&lt;b&gt;`}

// hostileRecords are the records of a site with such texts in every place of its page.
func hostileRecords() []audit.Record {
	all := strings.Join(hostileTexts, " ")
	records := siteRecords("example.com", 0, 50)
	for i := range records {
		rec := &records[i]
		switch {
		case rec.Site != nil:
			rec.Site.Crawlers = slices.Clone(rec.Site.Crawlers)
			rec.Site.Crawlers[1].Label, rec.Site.Crawlers[1].Operator = all, all
		case rec.Robots != nil:
			text := "User-agent: *\n"
			for k, h := range hostileTexts {
				text += "Disallow: /" + strings.NewReplacer("\n", "", "\r", "").Replace(h) + "\n"
				rec.Robots.Rules = append(rec.Robots.Rules, audit.RuleLine{Line: 100 + k, Rule: "disallow: /" + h})
			}
			rec.Robots.File.Body = []byte(text)
			rec.Robots.File.Type, rec.Robots.Reads[0].GroupTokens, rec.Robots.Reads[0].Why = all, all, all
			rec.Robots.File.Hops[0].URL, rec.Robots.File.Hops[0].Location, rec.Robots.File.Hops[0].Address = all, all, all
		case rec.Sitemap != nil:
			rec.Sitemap.URL, rec.Sitemap.Detail = rec.Sitemap.URL+all, all
		case rec.Problem != nil:
			rec.Problem.URL, rec.Problem.Detail, rec.Problem.Code = all, all, "x<script>"
		case rec.URLs != nil:
			for k := range rec.URLs.List {
				u := &rec.URLs.List[k]
				u.Loc, u.LastMod = "https://example.com/"+hostileTexts[k%len(hostileTexts)]+"/x", hostileTexts[k%len(hostileTexts)]
				u.Verdicts = []engine.Verdict{engine.Disallow, engine.Disallow, engine.Undefined}
				u.Lines = []int32{int32(100 + k%len(hostileTexts)), 0, 0}
			}
		case rec.Done != nil:
			rec.Done.Why, rec.Done.Origin = all, all
			rec.Done.LeftOut = map[string]int64{all: 3}
		}
	}
	return records
}

// parsedPage reads a page like a browser without scripts: its text, and its elements.
func parsedPage(t *testing.T, path ...string) (text string, elements []*html.Node) {
	t.Helper()
	file, err := os.Open(filepath.Join(path...))
	noError(t, err)
	defer file.Close()
	root, err := html.Parse(file)
	noError(t, err)
	var shown strings.Builder
	for n := range root.Descendants() {
		switch {
		case n.Type == html.ElementNode:
			elements = append(elements, n)
		case n.Type == html.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style":
			shown.WriteString(n.Data)
		}
	}
	return shown.String(), elements
}

// attribute returns an element's attribute, and whether it has one of that name.
func attribute(n *html.Node, key string) (value string, ok bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

// indexRowsOf reads the rows of sites that are in index.html itself.
func indexRowsOf(t *testing.T, dir string) (rows [][]any) {
	t.Helper()
	_, elements := parsedPage(t, dir, "index.html")
	for _, n := range elements {
		if id, _ := attribute(n, "id"); id == "rows" {
			var found struct{ Rows [][]any }
			noError(t, json.Unmarshal([]byte(n.FirstChild.Data), &found))
			return found.Rows
		}
	}
	t.Fatal("no rows in index.html")
	return nil
}

// TestIndexRows compares the rows that index.html has for its script with the records.
func TestIndexRows(t *testing.T) {
	t.Parallel()
	var got []string
	for _, row := range indexRowsOf(t, straightRun(t)) {
		got = append(got, fmt.Sprint(row[0], " ", row[8])) // its name, and how many URLs are blocked for each crawler: null where none was tested
	}
	if want := []string{"example.com [140 140 0]", "example.org:8080 [60 60 0]", "example.net [<nil> <nil> <nil>]"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSiteDetails: the page has the effect of each line of robots.txt, and lets a reader select
// lines and directories.
func TestSiteDetails(t *testing.T) {
	t.Parallel()
	dir := writeRun(t, testOptions(t.TempDir()), siteRecords("example.com", 0, 5000)) // 1,000 blocked by line 2 for one crawler, 1,000 by line 7 for another
	text, elements := parsedPage(t, dir, "pages", "example.com.html")
	if want := "Googlebot: deleting it unblocks 1,000 URLs"; !strings.Contains(text, want) {
		t.Errorf("the page does not say %q", want)
	}
	chosen := map[string]int{}
	for _, n := range elements {
		for _, key := range []string{"data-rule", "data-dir"} {
			if value, ok := attribute(n, key); ok {
				chosen[key+" "+value]++
			}
		}
	}
	if chosen["data-rule 0:2"] < 2 || chosen["data-rule 0:7"] < 2 || chosen["data-dir /a/"] != 1 { // a line of the file, and a bar
		t.Errorf("to choose from: %v", chosen)
	}
}

// TestHostileDirectoryBars counts the directories that a reader can select on a page.
func TestHostileDirectoryBars(t *testing.T) {
	t.Parallel()
	_, elements := parsedPage(t, hostileDirectories(t), "pages", "example.com.html")
	bars := 0
	for _, n := range elements {
		if _, ok := attribute(n, "data-dir"); ok {
			bars++
		}
	}
	if bars != 24 { // 25 bars, one of them all others
		t.Errorf("%d directories to choose", bars)
	}
}

// TestHostileMarkup: text from a site is always text in its page, and shown so that it cannot
// mislead.
func TestHostileMarkup(t *testing.T) {
	t.Parallel()
	dir := writeRun(t, testOptions(t.TempDir()), hostileRecords())
	for _, page := range []string{"index.html", "pages/example.com.html"} {
		checkHarmless(t, dir, page)
	}
}

// checkHarmless searches a page for the hostile texts, and for their effects if they were not text.
func checkHarmless(t *testing.T, dir, page string) {
	t.Helper()
	text, elements := parsedPage(t, dir, page)
	checkHas(t, text, hostileShown...)
	scripts := 0
	for _, n := range elements {
		if n.Data == "script" {
			scripts++
		}
		if slices.Contains([]string{"img", "iframe", "object"}, n.Data) {
			t.Errorf("%s: an element %s that nobody asked for", page, n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "href" && strings.HasPrefix(a.Val, "javascript") {
				t.Errorf("%s: %s has %s=%q", page, n.Data, a.Key, a.Val)
			}
		}
	}
	if scripts != 3 {
		t.Errorf("%s: %d script elements, want 3", page, scripts)
	}
}
