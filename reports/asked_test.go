package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/reports/internal/page"
)

// askedAs are crawlers, each with the treatment of its name by the server of askedRecords.
var askedAs = []struct {
	name, operator, purpose string
	reply                   audit.Reply
}{
	{"Googlebot", "Google", "search", audit.Reply{Treatment: audit.LetIn, Status: 200, Title: "Shop"}},
	{"Bingbot", "Microsoft", "search", audit.Reply{Treatment: audit.Refused, Why: audit.WhyStatus, Status: 403, Evidence: map[string]string{"Server": "cloudflare"}}},
	{"GPTBot", "OpenAI", "AI training", audit.Reply{Treatment: audit.Challenged, Why: audit.WhyChallenge, Status: 403, Evidence: map[string]string{"Cf-Mitigated": "challenge"}}},
	{"ClaudeBot", "Anthropic", "AI training", audit.Reply{Treatment: audit.AskedToPay, Why: audit.WhyPayment, Status: 402, Evidence: map[string]string{"Crawler-Price": "USD 0.01"}}},
	{"PerplexityBot", "Perplexity", "AI search", audit.Reply{Treatment: audit.Otherwise, Why: audit.WhyTitle, Status: 200, Title: "Nothing here"}},
	{"CCBot", "Common Crawl", "AI training", audit.Reply{Treatment: audit.Unclear, Why: audit.WhyUnstable, Status: 200}},
}

// askedRobots is their robots.txt.
const askedRobots = "User-agent: ClaudeBot\nDisallow: /\n\nUser-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /search\n"

// askedRecords are the records of a site that was asked in the names of crawlers.
func askedRecords(t testing.TB) []audit.Record {
	const origin = "https://example.com"
	records := judged(t, "Googlebot,Bingbot", engine.File{Status: 200, Body: []byte(askedRobots)}, "/", "/search?q=1", "/products/item-2.html")
	a := &audit.Asked{Agents: "2026-10-28", Ours: "robots-audit", Edge: []string{"Cloudflare"}, Requests: 30}
	for _, page := range []struct {
		path, title string
		kind        audit.AskedKind
	}{{"/robots.txt", "", audit.AskedRobots}, {"/", "Shop", audit.AskedHome}, {"/sitemap.xml", "", audit.AskedSitemap}, {"/products/item-2.html", "Item 2", audit.AskedPage}} {
		a.URLs = append(a.URLs, audit.AskedURL{URL: origin + page.path, Kind: page.kind, Ours: audit.Reply{Treatment: audit.LetIn, Status: 200, Bytes: 5000, Title: page.title, Asked: 1}})
	}
	for _, c := range askedAs {
		records[0].Site.Asked = append(records[0].Site.Asked, c.name)
		replies := slices.Repeat([]audit.Reply{c.reply}, len(a.URLs))
		for i := range replies {
			replies[i].Asked, replies[i].Bytes = 1, 900
		}
		replies[0] = a.URLs[0].Ours // all may read robots.txt
		a.Crawlers = append(a.Crawlers, audit.AskedCrawler{Name: c.name, Operator: c.operator, Purpose: c.purpose, UserAgent: "Mozilla/5.0 (compatible; " + c.name + ")", Treatment: audit.Worst(replies), Replies: replies})
	}
	for _, kind := range audit.PolicyFiles {
		a.Files = append(a.Files, audit.PolicyFile{Kind: kind, URL: origin + "/" + kind, Status: 404, Code: crawl.CodeHTTPStatus})
	}
	a.Files[2] = audit.PolicyFile{Kind: audit.FileLLMs, URL: origin + "/llms.txt", Status: 200, Found: true, Links: []string{origin + "/search"}}
	return slices.Insert(records, len(records)-1, audit.Record{Domain: "example.com", Asked: a})
}

// askedRun writes a run with two sites that were asked. Beside its pages is that of the dashboard.
func askedRun(t testing.TB) string {
	t.Helper()
	o := testOptions(t.TempDir())
	records := askedRecords(t)
	o.Crawlers = records[0].Site.Crawlers
	dir := writeRun(t, o, records, renamed(askedRecords(t), "example.org"))
	withMatrix(t, dir)
	return dir
}

// withMatrix adds crawlers.html to the folder of a run, and returns its path.
func withMatrix(t testing.TB, dir string) string {
	t.Helper()
	out := t.TempDir()
	noError(t, Options{Dir: dir}.MakePage("", out))
	name := filepath.Join(dir, page.MatrixPage)
	noError(t, os.Rename(filepath.Join(out, page.MatrixPage), name))
	return name
}

// TestAskedHostile checks that texts of a server, or of a foreign record, do no harm to the sheets with answers.
func TestAskedHostile(t *testing.T) {
	t.Parallel()
	for _, evil := range []string{"", "\x00\u202e<b>", "=cmd|'/c calc'!A1", strings.Repeat("x\n", 1<<16)} {
		o, records := testOptions(t.TempDir()), askedRecords(t)
		o.Crawlers = records[0].Site.Crawlers
		asked := records[len(records)-2].Asked
		asked.URLs[1].URL, asked.URLs[1].Kind, asked.URLs[1].Ours.Title = evil, audit.AskedKind(evil), evil
		c := &asked.Crawlers[1]
		c.Operator, c.Purpose, c.UserAgent, c.Treatment = evil, evil, evil, audit.Treatment(evil)
		c.Replies = []audit.Reply{{Asked: 1, Status: -1, Title: evil, Why: audit.ReplyWhy(evil), Treatment: audit.Refused, Evidence: map[string]string{evil: evil}}}
		f := openBook(t, writeRun(t, o, records), "example.com.xlsx")
		rows := sheetCells(t, f, "Crawler answers")
		if want := 1 + 4*(len(asked.Crawlers)-1) + 1; len(rows) != want { // the title, and one answer in place of four
			t.Errorf("%.20q: %d rows, want %d", evil, len(rows), want)
		}
		for _, row := range rows {
			for _, cell := range row {
				if strings.ContainsFunc(cell, func(r rune) bool { return r == 0 || r == '\u202e' }) || len(cell) > 1<<15 {
					t.Errorf("%.60q", cell)
				}
			}
		}
		sheetCells(t, f, "Crawlers")
	}
}

// TestMatrixPage checks that the dashboard shows the matrix of index.html. It has none for a run that did not ask,
// even in the folder of another run.
func TestMatrixPage(t *testing.T) {
	t.Parallel()
	dir := askedRun(t)
	matrix := func(name string) string {
		_, text, ok := strings.Cut(readText(t, dir, name), `<div id="asked">`)
		text, _, end := strings.Cut(text, "</table></div></div>")
		if !ok || !end {
			t.Fatalf("%s has no matrix", name)
		}
		return text
	}
	if got := strings.ReplaceAll(matrix(page.MatrixPage), `"report/pages/`, `"pages/`); got != matrix("index.html") {
		t.Errorf("%s, want that of index.html: %s", got, matrix("index.html"))
	}
	o := testOptions(t.TempDir())
	records := judged(t, "Googlebot", engine.File{Status: 200}, "/")
	o.Crawlers = records[0].Site.Crawlers
	other := writeRun(t, o, records)
	out := t.TempDir()
	noError(t, os.WriteFile(filepath.Join(out, page.MatrixJSON), []byte("{}"), 0o644))
	noError(t, Options{Dir: other}.MakePage("", out))
	for _, name := range []string{page.MatrixPage, page.MatrixJSON} {
		if _, err := os.Stat(filepath.Join(out, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAsked reads what reports show of a site that was asked in the names of crawlers. The other site of the run was
// not.
func TestAsked(t *testing.T) {
	t.Parallel()
	o := testOptions(t.TempDir())
	records := askedRecords(t)
	o.Crawlers = records[0].Site.Crawlers
	dir := writeRun(t, o, records, renamed(judged(t, "Googlebot,Bingbot", engine.File{Status: 200}, "/"), "example.org"))
	var b strings.Builder
	for _, of := range []struct{ file, sheets string }{{"example.com.xlsx", "Crawler"}, {"summary.xlsx", "Crawlers"}} {
		f := openBook(t, dir, of.file)
		for _, sheet := range f.GetSheetList() {
			for i, row := range sheetCells(t, f, sheet) {
				if strings.HasPrefix(sheet, of.sheets) {
					fmt.Fprintf(&b, "%s, %s %d: %s\n", of.file, sheet, i+1, strings.Join(row, " | "))
				}
			}
		}
	}
	page := readText(t, dir, "pages", "example.com.html")
	_, section, _ := strings.Cut(page, `<div id="enforced">`)
	section, _, _ = strings.Cut(section, "</div></details>")
	index := readText(t, dir, "index.html")
	_, matrix, _ := strings.Cut(index, `<div id="asked">`)
	matrix, _, _ = strings.Cut(matrix, "</div></details>")
	fmt.Fprintf(&b, "\n%s\n\n%s\n\n%s\n", section, matrix, readText(t, dir, "summary.md"))
	if !strings.Contains(page, `<a href="#enforced">`) || strings.Contains(readText(t, dir, "pages", "example.org.html"), `href="#enforced"`) {
		t.Error("the list To do does not lead to the contradictions, or that of another site does")
	}
	if strings.Contains(readText(t, dir, "pages", "example.org.html"), `id="enforced"`) || slices.Contains(openBook(t, dir, "example.org.xlsx").GetSheetList(), "Crawlers") {
		t.Error("a site that was not asked has answers")
	}
	golden(t, "asked.txt", b.String())
	entry := entriesOf(t, dir)[0]
	var asked map[string]audit.Treatment
	noError(t, json.Unmarshal(entry.Asked, &asked))
	if asked["Googlebot"] != audit.LetIn || asked["Bingbot"] != audit.Refused || len(asked) != len(askedAs) || len(entry.Contradictions) == 0 {
		t.Errorf("%+v", entry)
	}
	overview, err := ReadOverview(dir)
	noError(t, err)
	if of := overview.Totals.Asked; len(of) != len(askedAs) || of[1].Crawler != "Bingbot" || of[1].Words() != "refused by 1 site" {
		t.Errorf("totals: %+v", of)
	}
	checkRebuilt(t, dir)
}

// TestLogsContradict: access logs show a contradiction, without a request in the names of crawlers. Those of the other
// site show none.
func TestLogsContradict(t *testing.T) {
	t.Parallel()
	o := testOptions(t.TempDir())
	site := func(name, status string) []audit.Record {
		records := renamed(judged(t, "Googlebot", engine.File{Status: 200, Body: []byte("User-agent: *\nDisallow:\n")}, "/", "/a"), name)
		o.Crawlers = records[0].Site.Crawlers
		logs := &audit.Logs{Site: name, From: start, To: start.Add(time.Hour), Judged: audit.LogHistory, Crawlers: []audit.LogCrawler{{
			Name: "Googlebot", Operator: "Google", Purpose: "search", Genuine: audit.LogTally{Requests: 97}, Robots: audit.LogRobots{MedianDays: -1},
			Statuses: []audit.LogCount{{Name: status[:1] + "xx", Requests: 97}}, Codes: []audit.LogCount{{Name: status, Requests: 97}},
		}}}
		return withLogs(records, logs)
	}
	dir := writeRun(t, o, site("refused.example", "403"), site("missing.example", "404"))
	const headline = "In the logs, the genuine Googlebot got HTTP 403 in 97 of 97 requests."
	for name, contradicts := range map[string]bool{"refused.example": true, "missing.example": false} {
		page := readText(t, dir, "pages", name+".html")
		for _, text := range []string{`<div id="enforced">`, `<a href="#enforced">`, "<h2>To do: 1 contradiction</h2>", headline, "No request was made in the names of crawlers."} {
			if strings.Contains(page, text) != contradicts {
				t.Errorf("the page of %s has %q: %t", name, text, !contradicts)
			}
		}
		if _, section, _ := strings.Cut(page, `<div id="enforced">`); strings.Contains(section, " 0 URLs") || strings.Contains(section, "0 crawlers") || strings.Contains(section, "Files with a policy") {
			t.Errorf("%s: %s", name, section)
		}
		f := openBook(t, dir, name+".xlsx")
		for _, sheet := range []string{"Summary", "To do"} {
			if has := strings.Contains(fmt.Sprint(sheetCells(t, f, sheet)), headline); has != contradicts {
				t.Errorf("the sheet %s of %s has the headline: %t", sheet, name, has)
			}
		}
		if slices.Contains(f.GetSheetList(), "Crawlers") {
			t.Errorf("%s has a sheet of answers", name)
		}
	}
	entries := entriesOf(t, dir)
	if of := entries[1]; of.Asked != nil || len(of.Contradictions) != 1 || of.Contradictions[0].Code != "allowed_refused_in_logs" || of.Contradictions[0].Severity != engine.Critical {
		t.Errorf("%+v", of)
	}
	if of := entries[0]; of.Asked != nil || of.Contradictions != nil {
		t.Errorf("%+v", of)
	}
	checkRebuilt(t, dir)
}

// TestLeadOfRefused: if nothing is clear, the list To do says so, and what to do.
func TestLeadOfRefused(t *testing.T) {
	t.Parallel()
	o := testOptions(t.TempDir())
	records := askedRecords(t)
	o.Crawlers = records[0].Site.Crawlers
	asked := records[len(records)-2].Asked
	refuses := audit.Reply{Treatment: audit.Unclear, Why: audit.WhyRefusesUs, Status: 403, Asked: 1}
	asked.Files = nil
	for i := range asked.URLs {
		asked.URLs[i].Ours = audit.Reply{Status: 403, Asked: 1}
	}
	for i := range asked.Crawlers {
		asked.Crawlers[i].Treatment, asked.Crawlers[i].Replies = audit.Unclear, slices.Repeat([]audit.Reply{refuses}, len(asked.URLs))
	}
	page := readText(t, writeRun(t, o, records), "pages", "example.com.html")
	want := "How it treats crawlers is not known. Run this audit from an address that the server lets in, or add its access logs. <a"
	if !strings.Contains(page, want) {
		t.Error("the list To do does not say what to do")
	}
}
