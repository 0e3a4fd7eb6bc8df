package reports

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

func TestCauses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ crawlers, body, url, cause string }{
		{"Googlebot,Bingbot", "user-agent: *\ndisallow: /a\n\nuser-agent: bingbot\ndisallow: /b\n", "/a", "own group"},
		{"Googlebot,GPTBot", "user-agent: *\nallow: /\n\nuser-agent: GPTBot\ndisallow: /\n", "/a", "AI policy"},
		{"Googlebot,AdsBot-Google", "user-agent: *\ndisallow: /a\n", "/a", "* exempt"},
		{"Googlebot@google,Googlebot@google-2019", "user-agent: googlebot\ndisallow: /a\n", "/a", "case of agent"},
		{"Googlebot@google,Googlebot@rep-1994", "user-agent: *\nallow: /a/b\ndisallow: /a\n", "/a/b", "allow lines"},
		{"Googlebot@google,Googlebot@rep-1994", "user-agent: *\ndisallow: /*.pdf\n", "/a.pdf", "wildcards"},
		{"Googlebot@google,Googlebot@rep-1994", "user-agent: *\n\ndisallow: /a\n", "/a", "blank line"},
		{"Googlebot@google,Googlebot@rfc9309", "user-agent: *\ndisalow: /a\n", "/a", "misspelt fields"},
		{"YandexBot@yandex,YandexBot@yandex-2016", "user-agent: Yandex\nallow:\n", "/a", "empty allow"},
		{"Googlebot@google,Googlebot@google-2019", "user-agent: *\ndisallow: /page*.html\nallow: /page\n", "/page.html", "undefined"},
		{"Googlebot@google,Googlebot@yandex", "user-agent: *\ndisallow: /*a\nallow: /b*****\n", "/bca", "length"},
		{"Googlebot@google,Googlebot@rfc9309", "user-agent: *\ndisallow: /%65\n", "/e", "encoding"},
		{"Googlebot@google,Googlebot@google-oss", "user-agent: *\ndisallow: /\u00e9\n", "/%c3%a9", "encoding"},
		{"Googlebot@google,Bingbot", "user-agent: *\ndisallow: /robots\n", "/robots.txt", "/robots.txt"},
	} {
		f := written(t, Options{}, judged(t, c.crawlers, engine.File{Status: 200, Body: []byte(c.body)}, c.url, "/none"))
		rows := sheetRows(t, f, "Disagreements")
		if len(rows) == 0 || rows[0]["URL"] != "https://example.com"+c.url || rows[0]["Cause"] != c.cause {
			t.Errorf("%s %q: %v, want %s", c.crawlers, c.body, rows, c.cause)
		}
	}
	f := written(t, Options{}, judged(t, "Googlebot@google,Googlebot@google-oss", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /\u00e9\n")}, "/\u00e9"))
	if words := sheetRows(t, f, "Disagreements")[0]["In words"]; !strings.HasPrefix(words, "google and google-oss differ in how escapes are compared: google treats characters outside ASCII") ||
		!strings.Contains(words, "Non-7-bit ASCII characters in a path") || !strings.Contains(words, "; google-oss decodes nothing") {
		t.Error(words)
	}
	f = written(t, Options{}, judged(t, "Googlebot,Bingbot,Googlebot@yandex-2016", engine.File{Status: 503}, "/a", "/b"))
	rows := sheetRows(t, f, "Disagreements")
	if len(rows) != 2 || rows[0]["Cause"] != "status reading" || !strings.Contains(rows[0]["In words"], "HTTP 503") {
		t.Errorf("%v", rows)
	}
	hosts := sheetRows(t, f, "Requests for robots.txt")
	if got, want := hosts[0]["Forecast for Googlebot"], "Now: everything is blocked. After 12 hours, if a good copy was kept: the rules of the last copy apply. "; !strings.HasPrefix(got, want) {
		t.Errorf("forecast %q, want %q…", got, want)
	}
	f = written(t, Options{}, judged(t, "Googlebot,Bingbot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /a\n")}, "/a", "/b"))
	if words := leftOutSheets(t, f); !strings.Contains(words, "No rows for: Disagreements; ") || slices.Contains(f.GetSheetList(), "Disagreements") {
		t.Errorf("of sheets without rows the summary says %q; there are %q", words, f.GetSheetList())
	}
	checkEqual(t, "forecast", sheetRows(t, f, "Requests for robots.txt")[0]["Forecast for Googlebot"], "the same at any time")
}

// TestFileSheet checks the words on each line of a file.
func TestFileSheet(t *testing.T) {
	t.Parallel()
	const body = "\xef\xbb\xbfUser-agent: *\r\nDisallow: /a\rnoindex: /b\nnothing\nCrawl-delay: 2\n# end\n\nUser-agent: other\nDisallow: /c"
	f := written(t, Options{}, judged(t, "Googlebot,Bingbot", engine.File{Status: 200, Body: []byte(body)}, "/a", "/c"))
	want := []string{
		"1 | user-agent, the group of Googlebot, Bingbot | 3",
		"2 | disallow | 18",
		"3 | other field, does not count | 31",
		"4 | no field, does not count | 43",
		"5 | crawl-delay, does not count | 51",
		"6 | comment | 66",
		"7 |  | 72",
		"8 | user-agent | 73",
		"9 | disallow, other crawlers | 91",
	}
	rows := sheetRows(t, f, "Rules")
	var got []string
	for _, row := range rows {
		got = append(got, strings.TrimSpace(columns([]map[string]string{row}, "Line", "Read as", "Byte offset")))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for i, row := range rows {
		if why := row["Effect"]; row["URLs decided"] == "" && (why == "") == strings.Contains(want[i], "does not count") {
			t.Errorf("line %s, %s: %q", row["Line"], row["Read as"], why)
		}
	}
}

// A disallow line without a path blocks nothing, whatever it decides.
func TestEmptyDisallow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	records := judged(t, "Googlebot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow:\n")}, "/a", "/b")
	counts := &audit.Rules{Crawlers: []int{0}, Counts: []audit.RuleCount{{Line: 2, Rule: "disallow: ", Matched: 2, Decided: 2}}}
	records = slices.Insert(records, len(records)-1, audit.Record{Domain: records[0].Domain, Rules: counts})
	writeRun(t, Options{Dir: dir, Started: start, Crawlers: records[0].Site.Crawlers}, records)
	page, _, _ := readPage(t, dir, "example.com")
	for what, want := range map[string]bool{
		"To do: nothing": true, "No URL is blocked for Googlebot": true,
		"Rules by effect":    true,
		"decides most of it": false, `data-rule="0:2"`: false, `value="0:2"`: false,
	} {
		if strings.Contains(page, what) != want {
			t.Errorf("the page says %q: %v", what, !want)
		}
	}
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	const body = "user-agent: *\ncontent-signal: search=yes, ai-train=no\ndisallow: /private\n\nuser-agent: GPTBot\nuser-agent: OAI-SearchBot\ndisallow: /\n\nuser-agent: ClaudeBot\nallow: /\n"
	f := written(t, Options{}, judged(t, "Googlebot,GPTBot", engine.File{Status: 200, Body: []byte(body)}, "/a", "/private/b"))
	want := map[string]string{
		"GPTBot":             "yes | none | 2 | 2 | 7 | ignores line 2 (content-signal: search=yes, ai-train=no), because it has its own group | yes",
		"ClaudeBot":          "yes | all | 2 | 0 |  | ignores line 2 (content-signal: search=yes, ai-train=no), because it has its own group | no",
		"meta-externalagent": "no | part | 2 | 1 | 3 | line 2 forbids training, but robots.txt allows part of the URLs tested | no",
		"Google-Extended":    "no | part | 2 | 1 | 3 |  | no",
		"OAI-SearchBot":      "yes | none | 2 | 2 | 7 | ignores line 2 (content-signal: search=yes, ai-train=no), because it has its own group | no",
	}
	for _, row := range sheetRows(t, f, "AI policy") {
		name := row["Crawler"]
		got := strings.TrimSpace(columns([]map[string]string{row}, "Named in the file", "Access", "URLs tested", "Blocked of these", "Line", "Contradiction", "Asked about"))
		if w := want[name]; w != "" && got != w {
			t.Errorf("%s: %s, want %s", name, got, w)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

// Recorded data on AI crawlers gives the same texts as data computed from records without it, also
// if they have fewer crawlers.
func TestPolicyRecorded(t *testing.T) {
	t.Parallel()
	const body = "user-agent: *\ncontent-signal: search=yes, ai-train=no\ndisallow: /private\n\nuser-agent: GPTBot\nuser-agent: OAI-SearchBot\ndisallow: /\n"
	say := func(record func(*audit.Robots, *audit.Done)) string {
		records := judged(t, "Googlebot,GPTBot", engine.File{Status: 200, Body: []byte(body)}, "/a", "/private/b")
		record(records[1].Robots, records[len(records)-1].Done)
		return fmt.Sprint(sheetRows(t, written(t, Options{}, records), "AI policy"))
	}
	taken := func(r *audit.Robots, d *audit.Done) {
		var answers audit.Answers
		answers.Add(0, r.Origin, &r.File)
		sample := audit.NewPolicySample(&answers)
		sample.AddPage(r.Origin+"/a", nil)
		sample.AddPage(r.Origin+"/private/b", nil)
		r.Policy, d.Policy = &sample.Policy, sample.Reach()
	}
	want := say(func(*audit.Robots, *audit.Done) {})
	if got := say(taken); got != want {
		t.Errorf("recorded:\n%s\nnot recorded:\n%s", got, want)
	}
	for name, spoil := range map[string]func(*audit.Robots, *audit.Done){
		"fewer crawlers": func(r *audit.Robots, d *audit.Done) { taken(r, d); r.Policy.Reads[0].Crawlers = nil },
		"no reach":       func(r *audit.Robots, d *audit.Done) { taken(r, d); d.Policy.Reaches = nil },
	} {
		if got := say(spoil); name == "fewer crawlers" && got != want || got == "[]" {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	if got := say(func(r *audit.Robots, d *audit.Done) {
		taken(r, d)
		r.Policy.Reads[0].Why, d.Policy.Pages = "recorded", 77
	}); !strings.Contains(got, "77") {
		t.Errorf("what is recorded is not said:\n%s", got)
	}
}

func TestCleanParam(t *testing.T) {
	t.Parallel()
	const body = "user-agent: *\ndisallow: /shop\nclean-param: sid&ref /forum/\nclean-param: s /shop\nclean-param: never /x\nclean-param: a,b\n"
	f := written(t, Options{}, judged(t, "YandexBot", engine.File{Status: 200, Body: []byte(body)},
		"/forum/t?id=1", "/forum/t?id=1&sid=2", "/forum/t?sid=3&id=1", "/forum/t?id=2&ref=q", "/forum/t?id=3", "/shop?s=1", "/shop?s=2", "/other?sid=1", "/img/x?s=1"))
	got := columns(sheetRows(t, f, "Clean-param"), "Line", "Parameters removed", "Canonical URL", "Members", "Requests saved", "Canonical URL is known", "Kept under, as of 2016", "Members blocked for Yandex")
	want := `3 | sid | https://example.com/forum/t?id=1 | 3 | 2 | yes | https://example.com/forum/t?id=1 | 0
4 | s | https://example.com/shop | 2 | 1 | no | https://example.com/shop?s=1 | 2
3 | ref | https://example.com/forum/t?id=2 | 1 | 0 | no | https://example.com/forum/t?id=2&ref=q | 0
5 | never |  |  |  |  |  |` + " \n" + `6 | a,b |  |  |  |  |  |` + " \n"
	checkText(t, got, want)
}
