package reports

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// toDoFile blocks a template of many pages, a page with most of the clicks, and everything for an
// AI crawler.
const toDoFile = `User-agent: *
Disallow: /post
Disallow: /offer$
Disallow: /never
Disallow: /old
Disallow: /older

User-agent: GPTBot
Disallow: /
`

// toDoRecords are the records of a site with that file: a page's clicks are its position in the
// list, and pages under /linked are in no sitemap.
func toDoRecords(t *testing.T) []audit.Record {
	urls := []string{"/", "/post1.html", "/post2.html", "/post31.html", "/older/a", "/linked", "/post/linked", "/fine"}
	for range 90 {
		urls = append(urls, "/fine") // clicks for the next
	}
	urls = append(urls, "/offer")
	records := judged(t, "Googlebot,Bingbot,GPTBot,Googlebot@rep-1994", engine.File{Status: 200, Body: []byte(toDoFile)}, urls...)
	for u := range urlsOf(records) {
		if strings.HasSuffix(u.Loc, "linked") {
			u.Kind, u.Sitemap = crawl.KindLink, -1
		}
	}
	return records
}

// TestToDo reads the causes in their order: by clicks, then by URLs; those only for AI crawlers
// come last.
func TestToDo(t *testing.T) {
	t.Parallel()
	f, page := writtenWithPage(t, Options{}, toDoRecords(t))
	rows := sheetRows(t, f, "To do")
	titles := sheetCells(t, f, "To do")
	at, _ := excelize.CoordinatesToCellName(1+slices.Index(titles[0], "Rows on sheet"), 2)
	if _, target, err := f.GetCellHyperLink("To do", at); target != "'Blocked'!A1" || err != nil {
		t.Errorf("%s leads to %q, %v", at, target, err)
	}
	got := columns(rows, "No.", "What", "Crawlers", "URLs", "Clicks", "Templates", "Line", "Rule", "Rows on sheet")
	want := "1 | Line 3 `Disallow: /offer$` blocks 1 URL | Googlebot, Bingbot | 1 | 98 | /offer 1 | 3 | disallow: /offer$ | Blocked\n" +
		"2 | Line 2 `Disallow: /post` blocks 4 URLs | Googlebot, Bingbot, Googlebot@rep-1994 | 4 | 12 | /post{n}.html 3; /post/linked 1 | 2 | disallow: /post | Blocked\n" +
		"3 | Line 6 `Disallow: /older` blocks 1 URL | Googlebot, Bingbot | 1 | 4 | /older/a 1 | 6 | disallow: /older | Blocked\n" +
		"4 | Line 9 `Disallow: /` blocks the home page and 99 URLs | GPTBot | 99 | 4851 | /fine 91; /post{n}.html 3; /offer 1; and 4 more | 9 | disallow: / | Blocked\n" +
		"5 | Line 5 `Disallow: /old` blocks 1 URL | Googlebot@rep-1994 | 1 | 4 | /older/a 1 | 5 | disallow: /old | Blocked\n"
	checkText(t, got, want)
	for _, c := range []struct {
		row           int
		column, words string
	}{
		{0, "Intended?", "Contradiction: the sitemaps list this URL. It has 98 clicks."},
		{1, "Intended?", "Contradiction: the sitemaps list 3 of these URLs. The site's pages link to 1 of these URLs. They have 12 clicks."},
		{1, "What to do", "To allow them, delete line 2, or write a longer path in it that matches only what should stay blocked. To keep them blocked, remove these URLs from https://example.com/sitemap.xml."},
		{2, "What to do", "To allow it, add `Allow: /older/a$` below line 6. To keep it blocked, remove this URL from https://example.com/sitemap.xml."},
		{0, "What happens then", "The Allow rule unblocks this URL alone. Deleting line 3 unblocks 1 URL and blocks none for Googlebot, Bingbot. This can also unblock URLs that were not found."},
		{1, "What happens then", "Deleting line 2 unblocks 4 URLs and blocks none. This can also unblock URLs that were not found."},
		{1, "Examples", "https://example.com/post/linked https://example.com/post31.html https://example.com/post2.html https://example.com/post1.html"},
		{2, "What happens then", "Deleting line 6 changes nothing for Googlebot, Bingbot. Another line blocks the same URLs."},
		{3, "Intended?", "Looks intended: the line is in the group for GPTBot."},
		{3, "What to do", "To allow them, delete line 9, or add Allow rules below for some of them, such as `Allow: /offer$`. To keep them blocked, change nothing."},
		{0, "Owner", ""},
	} {
		if text := rows[c.row][c.column]; !strings.Contains(text, c.words) || c.words == "" && text != "" {
			t.Errorf("%s of %d: %q", c.column, c.row+1, text)
		}
	}
	if first, figures := strings.Index(page, `id="todo"`), strings.Index(page, `id="figures"`); first < 0 || first > figures {
		t.Error("the causes are not the first block of the page")
	}
	for _, words := range []string{"To do: 5 issues, most severe first", "Disallow: /offer$", "1 (1.0 % of URLs)", "12 (0.2 % of clicks)", "/post{n}.html 3; /post/linked 1", "Looks intended"} {
		if !strings.Contains(page, words) {
			t.Errorf("the page does not say %q", words)
		}
	}
}

// TestToDoProofs deletes the line of each cause in files of many shapes, judges all URLs again, and
// compares the result with the cause, for every crawler of the cause. Every blocking line is one,
// with the URLs that it blocks.
func TestToDoProofs(t *testing.T) {
	t.Parallel()
	files := []string{
		"User-agent: Googlebot\nUser-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n", // opens only for Googlebot
		"User-agent: *\nDisallow: /a\nDisallow: /b\n\nUser-agent: Bingbot\nDisallow: /a\n",
		"User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /b\n", // the deletion joins two groups
	}
	r := rand.New(rand.NewPCG(9, 33))
	for range 300 {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			for range 1 + r.IntN(2) {
				fmt.Fprintf(&b, "User-agent: %s\n", []string{"*", "Googlebot", "Bingbot", "YandexBot", "GPTBot"}[r.IntN(5)])
			}
			for range r.IntN(4) {
				fmt.Fprintf(&b, "%s: %s\n", []string{"Disallow", "Disallow", "Allow"}[r.IntN(3)], []string{"/", "/a", "/a/", "/a/b", "/*b", "/b$", "/c"}[r.IntN(7)])
			}
		}
		files = append(files, b.String())
	}
	urls := []string{"/", "/a", "/a/", "/a/b", "/b", "/b/c", "/c", "/d"}
	differ, several, unproved := 0, 0, 0
	for _, file := range files {
		records := judged(t, "Googlebot,Bingbot,YandexBot,GPTBot", engine.File{Status: 200, Body: []byte(file)}, urls...)
		s := site.New(records[0].Site, func(int) []byte { return []byte(file) })
		for _, rec := range records {
			s.AddRecord(rec)
		}
		lines, explained := strings.SplitAfter(file, "\n"), map[int]bool{}
		for _, c := range s.ToDo(records[len(records)-1].Done).List {
			if c.Kind != site.CauseLine || c.URLs.Num == 0 {
				continue
			}
			of := c.Lines
			if of == nil {
				of = []int{c.Line}
			}
			rest := slices.Clone(lines)
			for _, line := range of {
				rest[line-1] = ""
			}
			less := strings.Join(rest, "")
			var most, least, blocks int64 = 0, 1000, 0
			blocked := map[string]bool{} // by the line, for any crawler
			for _, crawler := range s.Crawlers {
				robot, p, _ := crawler.Robot()
				before, after := p.Parse([]byte(file)).Group(robot), p.Parse([]byte(less)).Group(robot)
				var own, freed, shut int64
				for _, url := range urls {
					if d := before.Verdict(url); d.Verdict == engine.Disallow && slices.Contains(of, d.Line()) {
						own++
						blocked["https://example.com"+url] = true
					}
					switch was, is := before.Verdict(url).Verdict, after.Verdict(url).Verdict; {
					case was == engine.Disallow && is == engine.Allow:
						freed++
					case was == engine.Allow && is == engine.Disallow:
						shut++
					}
				}
				k := slices.IndexFunc(c.Crawlers, func(n site.CauseCrawler) bool { return n.Label == crawler.Label })
				if k < 0 && own > 0 || k >= 0 && c.Crawlers[k].URLs != own {
					t.Fatalf("line %d blocks %d for %s, and the cause has %+v\n%s", c.Line, own, crawler.Label, c.Crawlers, file)
				}
				if k < 0 && freed+shut == 0 {
					continue
				}
				most, least, blocks = max(most, freed), min(least, freed), max(blocks, shut)
				at := slices.IndexFunc(c.Effects, func(e site.Effect) bool { return slices.Contains(e.Crawlers, crawler.Label) })
				if c.Lines != nil && c.Frees.Kind == site.NoValue {
					continue // the effect is tested for each line alone, not for all together
				}
				if at < 0 || c.Effects[at].Frees != freed || c.Effects[at].Blocks != shut {
					t.Fatalf("line %d for %s: %+v, and it frees %d and blocks %d\n%s", c.Line, crawler.Label, c.Effects, freed, shut, file)
				}
				if !strings.Contains(c.Proof, crawler.Label) && len(c.Effects) > 1 {
					t.Fatalf("line %d: the proof does not name %s: %s\n%s", c.Line, crawler.Label, c.Proof, file)
				}
			}
			if float64(len(blocked)) != c.URLs.Num || slices.ContainsFunc(c.Examples, func(loc string) bool { return !blocked[loc] }) {
				t.Fatalf("line %d blocks %v, and the cause has %s URLs, such as %q\n%s", c.Line, blocked, c.URLs, c.Examples, file)
			}
			for _, line := range of {
				explained[line] = true
			}
			if len(of) > 1 {
				several++
				if c.Frees.Kind == site.NoValue {
					unproved++
					continue
				}
			}
			if c.Frees != site.Number(most) || c.Blocks != site.Number(blocks) {
				t.Fatalf("line %d: frees %s and blocks %s, want %d and %d\n%s", c.Line, c.Frees, c.Blocks, most, blocks, file)
			}
			if least < most {
				differ++
			}
		}
		for u := range urlsOf(records) {
			for i, v := range u.Verdicts {
				if v == engine.Disallow && !explained[int(u.Lines[i])] {
					t.Fatalf("no cause for line %d\n%s", u.Lines[i], file)
				}
			}
		}
	}
	if differ < 50 || several-unproved < 20 {
		t.Errorf("%d causes differ by crawler, %d have several lines, %d of them unproved", differ, several, unproved)
	}
}

// TestToDoJSON reads the causes as programs do, and the lead everywhere.
func TestToDoJSON(t *testing.T) {
	t.Parallel()
	records := toDoRecords(t)
	const lead = "Googlebot may not crawl 4 of 99 URLs. Is this intended?"
	records[len(records)-1].Done.Why = lead
	dir := t.TempDir()
	writeRun(t, Options{Dir: dir, Started: start, Crawlers: records[0].Site.Crawlers}, records)
	text := readBytes(t, dir, "summary.json")
	var run struct {
		Sites []struct {
			Lead string
			ToDo []map[string]any `json:"to_do"`
		}
	}
	noError(t, json.Unmarshal(text, &run))
	site := run.Sites[0]
	if site.Lead != lead || len(site.ToDo) != 5 {
		t.Fatalf("lead %q, %d causes", site.Lead, len(site.ToDo))
	}
	for key, want := range map[string]any{"kind": "line", "line": 2.0, "rule": "disallow: /post", "urls": 4.0, "clicks": 12.0, "frees": 4.0, "blocks": 0.0, "leads": true, "sheet": "Blocked"} {
		if got := site.ToDo[1][key]; got != want {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	if site.ToDo[3]["leads"] != false {
		t.Error("GPTBot leads")
	}
	page, _, _ := readPage(t, dir, "example.com")
	mail := readBytes(t, dir, "summary.md")
	rows := sheetCells(t, openBook(t, dir, "example.com.xlsx"), "Summary")
	if rows[1][0] != lead {
		t.Errorf("the workbook begins with %q", rows[1][0])
	}
	for _, row := range rows[2:] {
		if slices.Contains(row, lead) {
			t.Errorf("the workbook says it again: %q", row)
		}
	}
	for where, text := range map[string]string{"page": page, "mail": string(mail)} {
		if n := strings.Count(text, lead); n != 1 {
			t.Errorf("the %s says the lead %d times", where, n)
		}
	}
}

// TestToDoElsewhere reads causes that are not lines: responses, findings and sitemaps, and the text
// if there is nothing to do.
func TestToDoElsewhere(t *testing.T) {
	t.Parallel()
	file := func(body string) engine.File { return engine.File{Status: 200, Body: []byte(body)} }
	finding := func(f audit.Finding) func([]audit.Record) []audit.Record {
		return func(records []audit.Record) []audit.Record {
			return slices.Insert(records, 2, audit.Record{Domain: "example.com", Findings: &audit.Findings{List: []audit.Finding{f}}})
		}
	}
	sitemap := func(code string, status, line int) func([]audit.Record) []audit.Record {
		return func(records []audit.Record) []audit.Record {
			s := &audit.Sitemap{SitemapFile: crawl.SitemapFile{Outcome: crawl.Outcome{URL: "https://example.com/gone.xml", Status: status, Code: code}, Parent: -1, Line: line, Index: 1}}
			return slices.Insert(records, 3, audit.Record{Domain: "example.com", Sitemap: s})
		}
	}
	self := func(records []audit.Record) []audit.Record {
		s := &audit.Sitemap{SitemapFile: crawl.SitemapFile{Outcome: crawl.Outcome{URL: "https://example.com/a.xml", Status: 200}, Parent: -1, Line: 4, Index: 1, Format: "urlset"}, Self: []engine.Verdict{engine.Disallow}, SelfLines: []int32{2}}
		return slices.Insert(records, 3, audit.Record{Domain: "example.com", Sitemap: s})
	}
	as := func(records []audit.Record) []audit.Record { return records }
	wrongBase := func(records []audit.Record) []audit.Record {
		records[len(records)-1].Done.WrongBases = []string{"https://example.com"}
		return records
	}
	const none = "no text"
	for _, c := range []struct {
		name     string
		crawlers string
		file     engine.File
		change   func([]audit.Record) []audit.Record
		want     []string // the columns what, intended?, what to do, effect, or parts of them
	}{
		{"nothing", "Googlebot,Bingbot", file("user-agent: *\ndisallow: /x\n"), as, []string{"No URL is blocked for Googlebot, Bingbot.", "", "", ""}},
		{"closed", "Googlebot,Bingbot", engine.File{Status: 503}, as, []string{"https://example.com/robots.txt answers with HTTP 503, so crawlers fetch nothing from this host", "Unknown. The server may be overloaded, or refuse only this audit. The robots.txt report of Search Console shows what Google gets.", "serve /robots.txt with status 200, or 404 if there are no rules", "because the rules could not be read."}},
		{"closed for one", "Googlebot,Googlebot@rep-1994", engine.File{Status: 503}, as, []string{"answers with HTTP 503, so Googlebot fetches nothing from this host", "", "", ""}},
		{"certificate", "Googlebot", engine.File{Error: "tls_wrong_host"}, as, []string{"could not be fetched (the certificate belongs to another name). If crawlers cannot read it either, they fetch nothing from this host for now", "Probably not", "On the web server, install a certificate for this host name. Then audit example.com again.", "Crawlers can read the rules again."}},
		{"unknown", "Googlebot@rep-1994", engine.File{Error: "timeout"}, as, []string{"and what crawlers do then is unknown", "", "as a static file", "Crawlers can read the rules again."}},
		{"finding", "Googlebot", file("user-agent: *\nallow: /\n"), finding(audit.Finding{Finding: engine.Finding{ID: "GRP005", Severity: engine.Warning, Profiles: []string{"google"}, Line: 1, What: "a group of its own", Why: "It hides the rules.", Fix: "Repeat them."}, Flips: 2, URLs: 2}),
			[]string{"A group of its own", "Unknown. It hides the rules.", "Repeat them.", "This changes the verdict for 2 URLs."}},
		{"finding of one crawler", "Googlebot,Bingbot", file("user-agent: *\nallow: /\n"), finding(audit.Finding{Finding: engine.Finding{ID: "GRP005", Severity: engine.Warning, Profiles: []string{"google", "rfc9309"}, Line: 1, What: "a group of its own"}, Touched: "open to Bingbot by its own group", Flips: 2, URLs: 2}),
			[]string{"A group of its own", "Unknown", "", "2 URLs"}},
		{"finding of a line", "Googlebot", file("user-agent: *\ndisallow: /a\n"), finding(audit.Finding{Finding: engine.Finding{ID: "RUL013", Severity: engine.Warning, Profiles: []string{"google"}, Line: 2, What: "the prefix matches more", Fix: "End it with a slash."}, Flips: 1}),
			[]string{"Line 2 `Disallow: /a` blocks 1 URL", "Looks accidental: the prefix matches more.", "End it with a slash. If the line is intended as it is, remove this URL from https://example.com/sitemap.xml.", "Deleting line 2 unblocks 1 URL"}},
		{"finding of a second line", "Googlebot,Bingbot", file("user-agent: googlebot\ndisallow: /a\n\nuser-agent: bingbot\ndisallow: /a\n"), finding(audit.Finding{Finding: engine.Finding{ID: "RUL013", Severity: engine.Warning, Profiles: []string{"bing"}, Line: 5, What: "the prefix matches more", Fix: "End it with a slash."}, Flips: 1}),
			[]string{"Lines 2 and 5 `Disallow: /a` block 1 URL", "Looks accidental: the prefix matches more.", "End it with a slash. If the line is intended as it is, ", "Deleting line 5 unblocks 1 URL"}},
		{"finding that says the same", "Googlebot", file("user-agent: *\ndisallow: /a\n"), finding(audit.Finding{Finding: engine.Finding{ID: "RUL018", Severity: engine.Critical, Profiles: []string{"google"}, Line: 2, What: "the whole site is blocked", Fix: "Replace the line."}, Flips: 1}),
			[]string{"Line 2 `Disallow: /a` blocks 1 URL", "Also: the whole site is blocked.", "or delete the line. To keep it blocked, remove this URL from https://example.com/sitemap.xml.", "Deleting line 2 unblocks 1 URL"}},
		{"finding without effect", "Googlebot", file("user-agent: *\nallow: /\n"), finding(audit.Finding{Finding: engine.Finding{ID: "RUL013", Severity: engine.Error, Profiles: []string{"google"}, Line: 2}, FlipsKnown: true}), []string{"No URL is blocked for Googlebot.", "", "", ""}},
		{"findings of one kind", "Googlebot,YandexBot", file("user-agent: *\nallow: /\n"), func(records []audit.Record) []audit.Record {
			var list []audit.Finding
			for line := range 8 {
				list = append(list, audit.Finding{Finding: engine.Finding{ID: "DIR003", Severity: engine.Error, Profiles: []string{"google"}, Line: 10 + line, What: fmt.Sprintf("a directive, %d", line/7), Why: "Crawlers look for the name.", Fix: "Correct it."}})
			}
			return slices.Insert(records, 2, audit.Record{Domain: "example.com", Findings: &audit.Findings{List: list}})
		}, []string{"Lines 10, 11, 12, 13, 14 and 2 others: a directive, 0. Likewise line 17", "Looks accidental: Crawlers look", "Correct it.", none}},
		{"finding about a sitemap", "Googlebot", file(""), finding(audit.Finding{Finding: engine.Finding{ID: "SM018", Severity: engine.Error, Profiles: []string{"google"}, Line: 3, What: "2 URLs have no host", Why: "Crawlers skip them.", Fix: "Write the host."}}),
			[]string{"2 URLs have no host", "Probably not. Crawlers skip them.", "Write the host.", none}},
		{"finding of a sitemap", "Googlebot", file("user-agent: *\nallow: /\n"), finding(audit.Finding{Finding: engine.Finding{ID: "SM012", Severity: engine.Error, Profiles: []string{"google"}, Line: 2, What: "1 sitemap has the wrong namespace", Why: "Crawlers may ignore it.", Fix: "Write it exactly."}}),
			[]string{"1 sitemap has the wrong namespace", "Probably not. Crawlers may ignore it.", "Write it exactly.", none}},
		{"finding that names its example", "Googlebot", file("user-agent: *\nallow: /\n"), finding(audit.Finding{Finding: engine.Finding{ID: "SM018", Severity: engine.Error, What: "1 entry is not a URL, such as https//a"}, Samples: []string{"https//a"}}),
			[]string{"1 entry is not a URL, such as https//a", "", "", ""}},
		{"finding that begins with a name", "Googlebot", file("user-agent: *\nallow: /\n"), finding(audit.Finding{Finding: engine.Finding{ID: "SM004", Severity: engine.Warning, Profiles: []string{"google"}, Line: 2, What: "a.example is another host"}}),
			[]string{"Line 2: a.example is another host", "", "", ""}},
		{"redirect to a blocked URL", "Googlebot", file("user-agent: *\ndisallow: /c\n"), finding(audit.Finding{Finding: engine.Finding{ID: "RUL020", Severity: engine.Error, Profiles: []string{"google"}, Line: 2, What: "this line blocks 1 redirect target", Why: "No signals.", Fix: "Allow the URL."}}),
			[]string{"Line 2 blocks 1 redirect target", "Probably not. No signals.", "Allow the URL.", ""}},
		{"redirect before other issues", "Googlebot", file("user-agent: *\ndisallow: /c\ndisallow: /a\n"), finding(audit.Finding{Finding: engine.Finding{ID: "RUL020", Severity: engine.Error, Profiles: []string{"google"}, Line: 2, What: "this line blocks 1 redirect target"}}),
			[]string{"Line 2 blocks 1 redirect target", "", "", ""}},
		{"whole site", "Googlebot", file("user-agent: *\ndisallow: /\n"), finding(audit.Finding{Finding: engine.Finding{ID: "RUL018", Severity: engine.Critical, Profiles: []string{"google"}, Line: 2, What: "the whole site is blocked"}, Flips: 2}),
			[]string{"Line 2 `Disallow: /` blocks the home page and 2 URLs", "Contradiction: the sitemaps list all of these URLs.", "", ""}},
		{"sitemap", "Googlebot", file(""), sitemap(crawl.CodeHTTPStatus, 404, 7), []string{"1 sitemap could not be read: HTTP 404", "Probably not", "In line 7 of robots.txt, correct the URL, or make the web server answer with a sitemap there.", "Crawlers find the URLs of this sitemap"}},
		{"sitemap gone", "Googlebot", file(""), sitemap(crawl.CodeHTTPStatus, 410, 7), []string{"HTTP 410", "Probably not", "remove it.", "Crawlers find"}},
		{"sitemap refused", "Googlebot", file(""), sitemap(crawl.CodeHTTPStatus, 403, 7), []string{"1 sitemap could not be read: HTTP 403", "Unknown. The server may refuse only this audit. The site itself names it in line 7 of robots.txt.",
			"Test this sitemap in Search Console. If Google can read it, let this audit in at the firewall. If not, fix the server. Then run the audit again. Keep it in line 7 of robots.txt.", "The next audit tests the URLs of this sitemap."}},
		{"sitemap with a server error", "Googlebot", file(""), sitemap(crawl.CodeHTTPStatus, 503, 7), []string{"HTTP 503", "Unknown. The server may be overloaded, or refuse only this audit.", "Keep it in line 7", "The next audit tests"}},
		{"sitemap without an answer", "Googlebot", file(""), sitemap(crawl.CodeTimeout, 0, 7), []string{"1 sitemap could not be read", "Unknown. The server may be overloaded, or refuse only this audit.", "Keep it in line 7", "The next audit tests"}},
		{"blocked sitemap", "Googlebot", file("user-agent: *\ndisallow: /a.xml\n"), self, []string{"Line 2 `Disallow: /a.xml` blocks 1 sitemap", "Contradiction", "Below line 2 of https://example.com/robots.txt, add `Allow: /a.xml$`.", "Crawlers can fetch the sitemap again."}},
		{"sitemap blocked with pages", "Googlebot", file("user-agent: *\ndisallow: /a\n"), self, []string{"Line 2 `Disallow: /a` blocks 1 URL, and 1 sitemap", "line 4 of robots.txt", "add `Allow: /a$` below line 2, or delete the line", "Deleting line 2 unblocks 1 URL"}},
		{"sitemap past a limit", "Googlebot", file(""), sitemap(crawl.CodeSitemapBudget, 0, 7), []string{"No URL is blocked for Googlebot.", "", "", ""}},
		{"sitemap on a host that is not public", "Googlebot", file(""), sitemap(audit.CodeWrongHost, 0, 7), []string{"No URL is blocked for Googlebot.", "", "", ""}},
		{"lines of a site that is only a wrong base", "Googlebot", file("user-agent: *\ndisallow: /a\n"), wrongBase, []string{"No URL is blocked for Googlebot", "", "", ""}},
		{"sitemap nobody names", "Googlebot", file(""), sitemap(crawl.CodeHTTPStatus, 404, 0), []string{"No URL is blocked for Googlebot.", "", "", ""}},
	} {
		f := written(t, Options{}, c.change(judged(t, c.crawlers, c.file, "/a", "/b")))
		row := sheetRows(t, f, "To do")[0]
		if row["What"] == "" {
			row["What"] = row["No."] // a sentence instead of rows
		}
		if c.name == "finding of one crawler" && row["Crawlers"] != "Bingbot" {
			t.Errorf("%s: for %s", c.name, row["Crawlers"])
		}
		if c.name == "whole site" && strings.Contains(row["Intended?"], "whole site") || c.name == "finding that names its example" && row["Examples"] != "" {
			t.Errorf("%s: said twice: %q", c.name, row)
		}
		for i, title := range []string{"What", "Intended?", "What to do", "What happens then"} {
			if want := c.want[i]; want == none && row[title] != "" || want != none && !strings.Contains(row[title], want) {
				t.Errorf("%s: %s: %q, want %q", c.name, title, row[title], want)
			}
		}
	}
	f := written(t, Options{}, judged(t, "Googlebot,GPTBot", file("user-agent: *\ndisallow: /$\n")))
	checkEqual(t, "home page", columns(sheetRows(t, f, "To do")[:1], "What", "URLs", "What happens then"), "Line 2 `Disallow: /$` blocks the home page | – | Not measured, because the home page is not among the URLs found.\n")
}

// TestCodesInSentences searches texts for people for stable codes, such as not_a_sitemap.
func TestCodesInSentences(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile(`(^|[\s:(])[a-z]+_[a-z_]+`) // an address has them after a slash
	dir := auditHollow(t, "Googlebot,Bingbot,GPTBot", hollowSites, &crawl.LinkBudget{Pages: 2})
	for _, name := range hollowSites {
		f := openBook(t, dir, name+".xlsx")
		for _, row := range sheetCells(t, f, "Summary") {
			if words := strings.Join(row, " "); code.MatchString(words) {
				t.Errorf("%s: Summary: %s", name, words)
			}
		}
		for _, row := range sheetRows(t, f, "To do") {
			for _, title := range []string{"No.", "What", "Intended?", "What to do", "What happens then"} {
				if code.MatchString(row[title]) {
					t.Errorf("%s: To do: %s: %s", name, title, row[title])
				}
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "summary.md"))
	if err != nil || code.Match(text) {
		t.Errorf("summary.md: %s %v", code.Find(text), err)
	}
}

// TestLeadOnce: the sentences after the lead do not repeat it.
func TestLeadOnce(t *testing.T) {
	t.Parallel()
	dir := auditHollow(t, "Googlebot,Bingbot", []string{"page.test"}, nil)
	rows := sheetCells(t, openBook(t, dir, "page.test.xlsx"), "Summary")
	const lead = "1 of 2 URLs (50 %) is blocked for Googlebot and Bingbot. Line 2 `Disallow: /a` blocks it. Is this intended?"
	for i, want := range []string{"robots.txt audit of page.test", lead, "A blocked URL can still be indexed.", ""} {
		if got := strings.Join(rows[i], ""); got != want {
			t.Errorf("row %d is %q, want %q", i+1, got, want)
		}
	}
	if !slices.ContainsFunc(rows, func(row []string) bool { return strings.Join(row, "") == "To do: 1 issue" }) {
		t.Error("Summary does not say what to do")
	}
	for _, row := range rows[2:] {
		if words := strings.Join(row, " "); strings.Contains(words, "1 of 2") || strings.Contains(words, "intended?") {
			t.Errorf("said again: %s", words)
		}
	}
}

// TestBlockedWhy says who refers to the blocked pages, and nothing if no page is blocked.
func TestBlockedWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		urls string
		list bool // only in the user's own list
		want string
	}{
		{"/a/1,/a/2,/b", false, "in a sitemap but blocked by robots.txt; fix one or the other"},
		{"/a/1,/a/2,/b", true, "only in your list"},
		{"/b", false, "a blocked URL can still be indexed, but its content is not read"},
	} {
		records := judged(t, "Googlebot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /a\n")}, strings.Split(c.urls, ",")...)
		if c.list {
			for u := range urlsOf(records) {
				u.Kind, u.Sitemap = crawl.KindList, -1
			}
		}
		if row := summaryRows(t, written(t, Options{}, records))["Blocked for at least one crawler"]; row == nil || row[4] != c.want {
			t.Errorf("%s: %q", c.urls, row)
		}
	}
}

// TestToDoJoiningDeletion: if the deletion of a line would merge two groups and block more, To do
// says first that the line must not be deleted.
func TestToDoJoiningDeletion(t *testing.T) {
	t.Parallel()
	records := judged(t, "Googlebot,GPTBot", engine.File{Status: 200, Body: []byte("user-agent: Googlebot\ndisallow: /preview/\n\nuser-agent: GPTBot\ndisallow: /\n")}, "/preview/1", "/b", "/c")
	o := testOptions(t.TempDir())
	o.Crawlers = records[0].Site.Crawlers
	page := readText(t, writeRun(t, o, records), "pages", fileBase(records[0].Site.Name)+".html")
	checkHas(t, page, "Do not delete line 2: this unblocks no URL and blocks 2.")
	if strings.Contains(page, "Do not delete line 5") {
		t.Error("a deletion that blocks nothing is warned of")
	}
}
