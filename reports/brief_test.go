package reports

import (
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// visible returns the words that a reader of a page sees.
func visible(page string) []string {
	_, body, _ := strings.Cut(page, "<body>")
	return strings.Fields(html.UnescapeString(regexp.MustCompile("<[^>]+>").ReplaceAllString(regexp.MustCompile("</?code>").ReplaceAllString(body, ""), " ")))
}

// TestBriefs makes the briefs of sites of each kind: each has at most 150 words, names its sender
// and not this program.
func TestBriefs(t *testing.T) {
	t.Parallel()
	o := testOptions(t.TempDir())
	logo, err := Logo([]byte("\x89PNG\r\n\x1a\n"))
	if err != nil {
		t.Fatal(err)
	}
	o.Reports, o.Brief = []string{kindBrief}, Sender{Name: "Smith & <Sons>", Logo: logo}
	dir := writeRun(t, o, slices.Concat(levelSites(), hostileRecords()))
	files := folder(t, dir)
	briefs := maps.Clone(files)
	maps.DeleteFunc(briefs, func(name, _ string) bool { return name != "brief.html" && !strings.HasPrefix(name, "briefs/") })
	sites := strings.Count(files["summary.json"], `"domain":`)
	if len(briefs) != sites+1 || sites < 8 {
		t.Fatalf("%d briefs of %d sites: %q", len(briefs), sites, slices.Sorted(maps.Keys(briefs)))
	}
	charts, advice := 0, 0
	for name, text := range briefs {
		words := visible(text)
		said := strings.Join(words, " ")
		if len(words) > 150 || len(words) < 15 {
			t.Errorf("%s has %d words:\n%s", name, len(words), said)
		}
		if lower := strings.ToLower(text); strings.Contains(lower, "robots-audit") || strings.Contains(lower, "<script") || strings.Contains(lower, "workbook") {
			t.Errorf("%s names the program, or has a script", name)
		}
		if !strings.Contains(said, "Smith & <Sons>") || !strings.Contains(text, `src="`+logo+`"`) || !strings.Contains(said, o.Started.Format("2 January 2006")) {
			t.Errorf("%s is without its sender or date", name)
		}
		for word, term := range map[string]string{"URL": "URL", "itemap": "Sitemap", "rawler": "Crawler", "robots.txt": "robots.txt"} {
			if strings.Contains(said, word) && !strings.Contains(text, "<dt>"+term+"</dt>") {
				t.Errorf("%s does not explain %s", name, term)
			}
		}
		if strings.ContainsAny(text, "\u202e\u200b\x07") {
			t.Errorf("%s has signs that hide or mislead", name)
		}
		if strings.Contains(said, "full report") && !strings.Contains(text, "<table>") {
			t.Errorf("%s has issues, but names none:\n%s", name, said)
		}
		charts += strings.Count(text, "<figure>")
		advice += strings.Count(text, `<th scope="row">`)
	}
	if charts < sites/2 || advice < sites/2 {
		t.Errorf("%d charts and %d issues on %d briefs", charts, advice, len(briefs))
	}
	if files["index.html"] == "" || files["summary.xlsx"] == "" {
		t.Error("briefs exclude other reports")
	}
}

// TestBriefsOfLevels: a level bounds the briefs of sites as it does their other files. They are made
// again with the same bytes.
func TestBriefsOfLevels(t *testing.T) {
	t.Parallel()
	for level, want := range map[string]int{"all": 7, "blocked": 5, "summary": 0, "none": -1} {
		dir := levelRun(t, level, kindBrief)
		got := folder(t, dir)
		n := 0
		for name := range got {
			if strings.HasPrefix(name, "briefs/") {
				n++
			}
		}
		if _, there := got["brief.html"]; !there {
			n--
		}
		if n != want {
			t.Errorf("%s: %d briefs, want %d", level, n, want)
		}
		checkRebuilt(t, dir)
	}
}

// TestBriefsLater adds briefs to a run that has none, and they stay when it is made again. A later
// name replaces the earlier one.
func TestBriefsLater(t *testing.T) {
	t.Parallel()
	dir := writeRun(t, testOptions(t.TempDir()), threeSites())
	again := func(o Options) string {
		t.Helper()
		o.Dir = dir
		if _, err := o.Rebuild(); err != nil {
			t.Fatal(err)
		}
		return folder(t, dir)["brief.html"]
	}
	if again(Options{}) != "" {
		t.Error("a run has a brief that nobody asked for")
	}
	for _, o := range []Options{{Reports: []string{kindBrief}, Brief: Sender{Name: "First Agency"}}, {}, {Brief: Sender{Name: "Second Agency"}}, {}} {
		want := "First Agency"
		if o.Brief.Name == "Second Agency" || strings.Contains(again(Options{}), "Second Agency") {
			want = "Second Agency"
		}
		if text := again(o); !strings.Contains(text, want) {
			t.Errorf("%+v: the brief is not from %s", o, want)
		}
	}
}

// TestBriefChart: a crawler whose number is unknown has no bar and is not one of "all crawlers", and
// crawlers without space are counted.
func TestBriefChart(t *testing.T) {
	t.Parallel()
	made := func(crawlers string, file engine.File) (text, said string) {
		records := judged(t, crawlers, file, "/a", "/b")
		o := testOptions(t.TempDir())
		o.Crawlers, o.Reports = records[0].Site.Crawlers, []string{kindBrief}
		text = readText(t, writeRun(t, o, records), "briefs", fileBase(records[0].Site.Name)+".html")
		return text, strings.Join(visible(text), " ")
	}
	text, said := made("Googlebot,Googlebot@rep-1994", engine.File{Status: 503})
	if n := strings.Count(text, `class="bar"`); n != 1 || !strings.Contains(said, "Of 2 URLs Googlebot 2 blocked (100 %)") || !strings.Contains(said, "2 URLs have no clear verdict.") {
		t.Errorf("a crawler that was not judged: %d bars: %s", n, said)
	}
	text, said = made("Googlebot,Bingbot,YandexBot,GPTBot,ClaudeBot", engine.File{Status: 200, Body: []byte("user-agent: GPTBot\ndisallow: /\n")})
	if n := strings.Count(text, `class="bar"`); n != 4 || !strings.Contains(said, "Of 2 URLs, the first 4 of 5 crawlers") {
		t.Errorf("%d bars: %s", n, said)
	}
}

// TestBriefOfLines: the reader decides on lines, and each line has an example. A brief proposes no
// rule, and nothing about sitemaps without any of the URLs. It has no empty chart.
func TestBriefOfLines(t *testing.T) {
	t.Parallel()
	made := func(robots string, sitemap int) string {
		records := judged(t, "Googlebot,Bingbot", engine.File{Status: 200, Body: []byte(robots)}, "/a/1", "/a/2", "/b/1", "/c")
		for _, r := range records {
			if r.URLs != nil {
				for i := range r.URLs.List {
					r.URLs.List[i].Sitemap = sitemap
				}
			}
		}
		o := testOptions(t.TempDir())
		o.Crawlers, o.Reports = records[0].Site.Crawlers, []string{kindBrief}
		return strings.Join(visible(readText(t, writeRun(t, o, records), "briefs", fileBase(records[0].Site.Name)+".html")), " ")
	}
	const robots = "user-agent: *\ndisallow: /a/\ndisallow: /b*\n"
	said := made(robots, -1)
	for _, want := range []string{
		"3 of 4 URLs blocked",
		"Please decide whether this is intended. If not: Issue What to do Result",
		"Line 2 of robots.txt Disallow: /a/ blocks 2 URLs, such as /a/2. Delete this line. This unblocks 2 URLs, perhaps others.",
		"Line 3 of robots.txt Disallow: /b* blocks 1 URL: /b/1. Delete this line. This unblocks 1 URL, perhaps others.",
		"Disallow blocks URLs that begin with this path * any text",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q: %s", want, said)
		}
	}
	if strings.Contains(said, "Allow:") || strings.Contains(said, "itemap") {
		t.Errorf("a rule, or a sitemap: %s", said)
	}
	if said = made(robots, 0); !strings.Contains(said, "intended. If so, remove the blocked URLs from the sitemap. If not: Issue") {
		t.Errorf("a sitemap lists them: %s", said)
	}
	if said = made("user-agent: *\ndisallow:\n", 0); strings.Contains(said, "blocked") {
		t.Errorf("nothing is blocked: %s", said)
	}
}

// TestBriefWithoutResult: a column that says nothing is left out.
func TestBriefWithoutResult(t *testing.T) {
	t.Parallel()
	records := judged(t, "Googlebot", engine.File{Status: 200}, "/a")
	found := audit.Finding{Finding: engine.Finding{ID: "SM012", Severity: engine.Error, Profiles: []string{"google"}, What: "1 sitemap has the wrong namespace", Fix: "Write it exactly."}}
	records = slices.Insert(records, 2, audit.Record{Domain: "example.com", Findings: &audit.Findings{List: []audit.Finding{found}}})
	o := testOptions(t.TempDir())
	o.Crawlers, o.Reports = records[0].Site.Crawlers, []string{kindBrief}
	said := strings.Join(visible(readText(t, writeRun(t, o, records), "briefs", fileBase(records[0].Site.Name)+".html")), " ")
	if !strings.Contains(said, "Issue What to do 1 sitemap has the wrong namespace. Write it exactly.") {
		t.Error(said)
	}
}

// TestSender refuses invalid logos, from a file or from the run.json of another run.
func TestSender(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{"\x89PNG\r\n\x1a\n": "data:image/png;", "\xff\xd8\xff": "data:image/jpeg;", `<?xml version="1.0"?><svg/>`: "data:image/svg+xml;", "<html>": "", "GIF89a": "", "": ""} {
		logo, err := Logo([]byte(file))
		if (err == nil) != (want != "") || !strings.HasPrefix(logo, want) {
			t.Errorf("%q: %q, %v", file, logo, err)
		}
		if err := (Sender{Logo: logo}).Check(); err != nil {
			t.Errorf("%q: %v", file, err)
		}
	}
	big, _ := Logo(append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, MaxLogo)...))
	for _, s := range []Sender{{Logo: "https://example.com/a.png"}, {Logo: "data:text/html;base64,AAAA"}, {Logo: "data:image/png;base64,?"}, {Logo: big}, {Name: strings.Repeat("é", 81)}} {
		if s.Check() == nil {
			t.Errorf("%.60v is taken", s)
		}
	}
}
