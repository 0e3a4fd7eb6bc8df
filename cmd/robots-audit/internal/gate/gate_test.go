package gate

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/expect"
	tables "robots-audit/audit/table"
	"robots-audit/cmd/robots-audit/internal/sarif"
	"robots-audit/crawl"
	"robots-audit/engine"
)

func readSet(t *testing.T, text string) *expect.Set {
	t.Helper()
	set, err := expect.Read("expect.csv", []byte(text), tables.Options{})
	if err != nil {
		t.Fatal(err, tables.Options{})
	}
	return set
}

// suite makes a suite in which the i-th expectation has the i-th outcome.
func suite(set *expect.Set, name string, known int64, outcomes ...expect.Outcome) *expect.Suite {
	s := &expect.Suite{Name: name, Known: known}
	for i, o := range outcomes {
		e := &set.List[i]
		r := expect.Result{Expectation: e, Site: name, Outcome: o, Matched: 1}
		sample := expect.Sample{URL: "https://a.example" + e.URL, Got: audit.Verdict{Verdict: engine.Disallow, Rule: engine.Rule{Value: "/p", Line: 7}}, Was: audit.Verdict{Verdict: engine.Allow}, Robots: "robots.txt", Local: true}
		switch {
		case o == expect.Vacuous:
			r.Matched, r.Why = 0, "no URL of the site was found"
		case o == expect.NoSite:
			r.Matched, r.Why = 0, "none of the tested sites is https://a.example"
		case o == expect.Unclear:
			r.Unclear, sample.Got = 1, audit.Verdict{Why: "HTTP 0: nobody answers"}
			r.Samples = append(r.Samples, sample)
		case o == expect.Failed:
			r.Failing = 1
			r.Samples = append(r.Samples, sample)
			if e.Pattern() {
				r.Matched, r.Failing = 1200, 1100
			}
		}
		s.Results = append(s.Results, r)
	}
	return s
}

// hostile is text that a site or a team may put into everything that is shown.
const hostile = "\x1b[31m|`<b>]]>\u202e@me\"&"

const mixed = "/a,Googlebot,allow\n/b*,Bingbot,allow,,because\n/c,Googlebot@google-2019,same\n/d$,YandexBot,disallow\nhttps://a.example/e,GPTBot,allow\n/f,Googlebot,allow\n"

var mixedOutcomes = []expect.Outcome{expect.Failed, expect.Failed, expect.Failed, expect.Vacuous, expect.NoSite, expect.Unclear}

// output prints suites with one printer, and returns the text.
func output(t *testing.T, make func(io.Writer) Printer, sum *Summary, suites ...*expect.Suite) []byte {
	t.Helper()
	var b bytes.Buffer
	o := Output{Printers: []Printer{make(&b)}}
	if sum != nil {
		o.Summary = *sum
	}
	for _, s := range suites {
		if err := o.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestText checks the lines on which scripts may rely.
func TestText(t *testing.T) {
	set := readSet(t, mixed)
	got := string(output(t, func(w io.Writer) Printer { return &Text{Out: w} }, &Summary{Expectations: 6}, suite(set, "a.example", 1200, mixedOutcomes...)))
	want := `FAIL expect.csv:1  /a  Googlebot@google: expected allow, got disallow by line 7 "Disallow: /p"
FAIL expect.csv:2  /b*  Bingbot@bing: expected allow, but 1,100 of 1,200 URLs have a different verdict: https://a.example/b* got disallow by line 7 "Disallow: /p"; and 1,099 more [because]
FAIL expect.csv:3  /c  Googlebot@google-2019: expected same (allow), got disallow by line 7 "Disallow: /p"
FAIL expect.csv:4  /d$  YandexBot@yandex: expected disallow, no URL of the site was found
FAIL expect.csv:5  https://a.example/e  GPTBot@rfc9309: expected allow, none of the tested sites is https://a.example
UNCLEAR expect.csv:6  /f  Googlebot@google: expected allow, could not be judged: unknown: HTTP 0: nobody answers
6 expectations: 0 met, 5 failed (1 matches no URL found, 1 for another site), 1 could not be judged
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// bars counts the bars of a line that end a cell.
func bars(line string) int { return strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") }

// TestHostile checks that all outputs escape hostile text.
func TestHostile(t *testing.T) {
	set := readSet(t, "/a,Googlebot,allow\n")
	set.List[0].URL, set.List[0].Note, set.List[0].File = "/"+hostile, hostile, hostile
	s := suite(set, hostile, 1, expect.Failed)
	s.Results[0].Samples[0].Got.Rule.Value = hostile
	s.Results[0].Samples[0].Robots = "https://a.example/" + hostile
	for name, make := range map[string]func(io.Writer) Printer{
		"text": func(w io.Writer) Printer { return &Text{Out: w} }, "json": func(w io.Writer) Printer { return &JSON{Out: w} },
		"junit": func(w io.Writer) Printer { return &JUnit{Out: w} }, "markdown": func(w io.Writer) Printer { return &Markdown{Out: w} },
		"sarif": func(w io.Writer) Printer { return &SARIF{Out: w, Root: "/repo"} }, "code quality": func(w io.Writer) Printer { return &CodeQuality{Out: w, Root: "/repo"} },
	} {
		text := string(output(t, make, &Summary{Unread: []string{hostile}}, s))
		if strings.ContainsAny(text, "\x1b\u202e") || !strings.Contains(text, "31m") {
			t.Errorf("%s: %q", name, text)
		}
		if name == "markdown" {
			for line := range strings.SplitSeq(text, "\n") {
				if strings.HasPrefix(line, "| ❌") && bars(line) != 7 {
					t.Errorf("a row with other columns: %s", line)
				}
			}
		}
	}
}

// junitFile is the used part of JUnit XML, by Jenkins' schema (junit-10.xsd) and GitLab's
// documentation.
type junitFile struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Cases    []struct {
			Name      string `xml:"name,attr"`
			ClassName string `xml:"classname,attr"`
			File      string `xml:"file,attr"`
			Line      int    `xml:"line,attr"`
			Failure   []struct {
				Message string `xml:"message,attr"`
				Type    string `xml:"type,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
			Error []struct {
				Message string `xml:"message,attr"`
			} `xml:"error"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// TestJUnit parses the output.
func TestJUnit(t *testing.T) {
	set := readSet(t, mixed)
	text := output(t, func(w io.Writer) Printer { return &JUnit{Out: w} }, nil, suite(set, "a.example", 1200, mixedOutcomes...), suite(set, "b.example", 3, expect.Met, expect.Met))
	var got junitFile
	if err := xml.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if len(got.Suites) != 2 || got.Suites[0].Name != "a.example" || got.Suites[0].Tests != 6 || got.Suites[0].Failures != 5 || got.Suites[0].Errors != 1 || got.Suites[1].Tests != 2 || got.Suites[1].Failures+got.Suites[1].Errors != 0 {
		t.Fatalf("%s", text)
	}
	for _, s := range got.Suites {
		if len(s.Cases) != s.Tests {
			t.Errorf("%s: %d cases, want %d", s.Name, len(s.Cases), s.Tests)
		}
		names := map[string]bool{}
		for i, c := range s.Cases {
			e := &set.List[i]
			if c.File != e.File || c.Line != e.Line || c.ClassName != s.Name || names[c.Name] || !strings.HasPrefix(c.Name, e.URL+" ") {
				t.Errorf("%+v is no case of %+v", c, e)
			}
			names[c.Name] = true
			if outcome := mixedOutcomes[i]; s.Name == "a.example" && (outcome.Fails() != (len(c.Failure) == 1) || (outcome == expect.Unclear) != (len(c.Error) == 1)) {
				t.Errorf("%v: %+v", outcome, c)
			}
		}
	}
	f := got.Suites[0].Cases[0].Failure[0]
	if f.Type != "failed" || f.Message != `expected allow, got disallow by line 7 "Disallow: /p"` || !strings.Contains(f.Text, "expect.csv:1") {
		t.Errorf("%+v", f)
	}
	if empty := output(t, func(w io.Writer) Printer { return &JUnit{Out: w} }, nil); xml.Unmarshal(empty, &got) != nil {
		t.Errorf("without a site: %s", empty)
	}
}

// TestJSON parses the output.
func TestJSON(t *testing.T) {
	set := readSet(t, mixed)
	text := output(t, func(w io.Writer) Printer { return &JSON{Out: w} }, nil, suite(set, "a.example", 1200, mixedOutcomes...))
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	if len(lines) != 6 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		var got map[string]any
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		if got["outcome"] != mixedOutcomes[i].String() || got["line"] != float64(i+1) || got["site"] != "a.example" {
			t.Errorf("%s", line)
		}
	}
	if want := `"samples":[{"url":"https://a.example/c","verdict":"disallow","was":"allow","line":7,"rule":"disallow: /p","robots":"robots.txt"}]`; !bytes.Contains(lines[2], []byte(want)) {
		t.Errorf("%s, want %s", lines[2], want)
	}
}

// TestSARIFLimit writes more results than code review keeps, and says so.
func TestSARIFLimit(t *testing.T) {
	set := readSet(t, "/a,Googlebot,allow\n")
	s := suite(set, "a.example", 1, expect.Failed)
	for len(s.Results) < maxResults+7 {
		s.Results = append(s.Results, s.Results[0])
	}
	text := output(t, func(w io.Writer) Printer { return &SARIF{Out: w, Root: "/repo"} }, nil, s)
	var log sarif.Log
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	if got := log.Runs[0].Invocations[0].Notifications; len(log.Runs[0].Results) != maxResults || len(got) != 1 || got[0].Message.Text != "7 more results skipped: code review keeps at most 5,000" {
		t.Errorf("%d results, %+v", len(log.Runs[0].Results), got)
	}
}

// TestMarkdownRoom writes far more than fits into a comment, in every alphabet that
// grows when it is escaped.
func TestMarkdownRoom(t *testing.T) {
	for what, long := range map[string]string{"plain": "f", "two bytes": "é", "hidden": "\u202e", "control": "\x1b", "bar": "|*", "fence": "`", "invalid": "\xff"} {
		long = strings.Repeat(long, 3000)
		set := readSet(t, "/a,Googlebot,allow\n")
		set.List[0].URL, set.List[0].Note, set.List[0].Crawler = "/"+long, long, long
		s := suite(set, long, 1, expect.Failed)
		s.Results[0].Samples[0].Got.Rule.Value = long
		for len(s.Results) < 300 {
			s.Results = append(s.Results, s.Results[0])
		}
		unread := slices.Repeat([]string{long}, 1000)
		var flips []*Flips
		for range 10 {
			line := 0
			flips = append(flips, readFlips(t, func(yield func(compare.Item, error) bool) {
				for item := range flipping(long, 60, true, func(f *compare.Flip) {
					line++
					f.Loc += long
					f.Verdicts[0].Old = engine.Rule{Value: "/" + long, Line: line}
				}) {
					if site := item.Site; site != nil {
						site.Notes = slices.Repeat([]string{long}, 50)
						site.Changes = slices.Repeat([]compare.Change{{Severity: compare.High, What: long, Before: long, After: long}}, 50)
					}
					yield(item, nil)
				}
			}))
		}
		text := string(output(t, func(w io.Writer) Printer { return &Markdown{Out: w, Several: true} }, &Summary{Expectations: 1, Unread: unread, Uncompared: unread, FlipsFail: unread[:3], Flips: flips}, s))
		if n := utf8.RuneCountInString(text); n >= 60_000 || len(text) > MaxMarkdown || len(text) < 10_000 {
			t.Errorf("%s: %d characters, %d bytes", what, n, len(text))
		}
		for _, want := range []string{
			Marker + "\n### ❌ robots.txt: 300 URLs newly blocked, 600 newly allowed; 300 expectations fail\n",
			" more results are not shown here", " not shown here. Run",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing in %.300s", what, want, text)
			}
		}
		for line := range strings.Lines(text) {
			if columns := bars(line); strings.HasPrefix(line, "| ❌") && columns != 7 {
				t.Errorf("%s: a row of %d columns: %.300s", what, columns-1, line)
			}
		}
	}
}

// flipping is a comparison of a site with n URLs. All become allowed for Googlebot, and every other
// one blocked for YandexBot. If weighed, each has its own number of clicks.
func flipping(name string, n int, weighed bool, change func(*compare.Flip)) iter.Seq2[compare.Item, error] {
	site := &compare.Site{Name: name, Crawlers: []compare.Crawler{{Label: "Googlebot"}, {Label: "YandexBot"}, {Label: "GPTBot"}}, Flips: make([]compare.CrawlerTotals, 3)}
	return func(yield func(compare.Item, error) bool) {
		yield(compare.Item{Begin: site}, nil)
		for i := range n {
			f := &compare.Flip{Loc: fmt.Sprintf("https://a.example/%d", i), Kind: audit.Kind(0), Verdicts: []compare.Verdicts{
				{Was: engine.Disallow, Is: engine.Allow, Old: engine.Rule{Value: "/|", Line: 2}, Class: compare.NewlyAllowed},
				{Was: engine.Allow, Is: engine.Disallow, New: engine.Rule{Value: "/", Line: 3}, Class: compare.NewlyBlocked},
				{Was: engine.Allow, Is: engine.Disallow, New: engine.Rule{Value: "/", Line: 3}, Class: compare.NewlyBlocked},
			}}
			if weighed {
				f.Weight = audit.Weight{Clicks: int64(i), ClicksGiven: true}
				site.Clicks.Pages++
			}
			if i%2 > 0 {
				f.Verdicts[1], f.Verdicts[2] = compare.Verdicts{}, compare.Verdicts{}
			} else {
				site.Flips[1].Clicks.NewlyBlocked += f.Weight.Clicks
				site.Flips[2].Clicks.NewlyBlocked += f.Weight.Clicks
			}
			if change != nil {
				change(f)
			}
			yield(compare.Item{Flip: f}, nil)
		}
		image := &compare.Flip{Loc: "https://a.example/i", Kind: crawl.KindImage, Verdicts: make([]compare.Verdicts, 3)}
		image.Verdicts[0] = compare.Verdicts{Was: engine.Allow, Is: engine.Disallow, Class: compare.NewlyBlocked}
		yield(compare.Item{Flip: image}, nil)
		site.Kinds = map[string]compare.Totals{"image": {Known: 4, Counts: compare.Counts{NewlyBlocked: 1}}}
		half := int64((n + 1) / 2)
		site.Totals = compare.Totals{Known: int64(10 + n), Counts: compare.Counts{NewlyBlocked: half, NewlyAllowed: int64(n)}}
		site.Flips[0].NewlyAllowed, site.Flips[1].NewlyBlocked, site.Flips[2].NewlyBlocked = int64(n), half, half
		site.Changes = []compare.Change{{Severity: compare.Info, What: "a comment"}, {Severity: compare.Critical, What: "/ for YandexBot", Before: "allow", After: "disallow"}}
		site.Notes = []string{"A note."}
		yield(compare.Item{Site: site}, nil)
	}
}

func readFlips(t *testing.T, items iter.Seq2[compare.Item, error]) *Flips {
	t.Helper()
	f, err := ReadFlips(items)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFlips checks the changed verdicts, by crawler and by line.
func TestFlips(t *testing.T) {
	b := &comment{visible: shownRows}
	b.flips([]*Flips{readFlips(t, flipping("a.example", 100, false, nil))}, maxFlips)
	want := strings.ReplaceAll(`
'a.example': 110 pages tested for 'Googlebot', 'YandexBot' and 'GPTBot'.

| Change | Crawlers | URLs | Before | Now | Example |
|---|---|--:|---|---|---|
| 🔴 newly blocked | 'YandexBot, GPTBot' | 50 | allowed | blocked by line 3 'Disallow: /' | 'https://a.example/0' |
| 🟢 newly allowed | 'Googlebot' | 100 | blocked by line 2 'Disallow: /\|' | allowed | 'https://a.example/0' |

Other URLs ('image'): 1 URL newly blocked.

- **critical**: / for YandexBot: disallow (before: allow)

A note.
`, "'", "`")
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

// TestFlipsClicks has clicks from the user's own list in addition to the counts, and two lines that
// allow URLs. So the counts by crawler are in a table of their own.
func TestFlipsClicks(t *testing.T) {
	b := &comment{visible: shownRows}
	b.flips([]*Flips{readFlips(t, flipping("a.example", 100, true, func(f *compare.Flip) {
		if f.Weight.Clicks == 1 {
			f.Verdicts[0].Old.Line = 1
		}
	}))}, maxFlips)
	for _, want := range []string{ // 0 + 2 + … + 98, and 0 + 1 + … + 99
		"| Crawler | Newly blocked | Clicks newly blocked | Newly allowed |\n", "| `GPTBot` | 50 | 2,450 | 0 |\n", "| 🔴 newly blocked | `YandexBot, GPTBot` | 50 | 2,450 |", " | `https://a.example/98` |\n",
		"| 🟢 newly allowed | `Googlebot` | 99 | 4,949 |", " | `https://a.example/99` |\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in %s", want, b.String())
		}
	}
}

// TestEscapes checks that text is escaped only where Markdown would read it.
func TestEscapes(t *testing.T) {
	for in, want := range map[string]string{
		"none of the 473 URLs is matched": "none of the 473 URLs is matched", "a.example: HTTP 503 (down)": "a.example: HTTP 503 (down)", "26 % of 473 URLs": "26 % of 473 URLs",
		"not https://a.example; http://a.example is": "not `https://a.example`; `http://a.example` is", "ask @team, see #12": "ask `@team`, see `#12`", "by (www.a.example)": "by `(www.a.example)`", "ask me@a.example": "ask `me@a.example`", "for Googlebot@google": "for Googlebot@google", "a :+1: b": "a `:+1:` b",
		"*a* _b_ [c](d) <b>": `\*a\* \_b\_ \[c\](d) \<b\>`, "a|b": `a\|b`, "- a": `\- a`, "12. a": `12\. a`, "a\u202eb\n": `a\[U+202E\]b\\x0A`,
	} {
		if got := plain(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"/a:b.c": "`/a:b.c`", "/a|b*": "`/a\\|b*`", "a`b": "``a`b``", `/a\|b`: `<code>/a&#92;&#124;b</code>`} {
		if got := cell(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// TestMarkdownOrder checks the order of the comment: what changes, then expectations that fail by a
// verdict, then those that match nothing. Only some rows are visible.
func TestMarkdownOrder(t *testing.T) {
	set := readSet(t, "/a,Googlebot,allow\n/b*,Googlebot,allow\n")
	s := suite(set, "a.example", 10, expect.Vacuous, expect.Failed)
	s.Results[0].Expectation, s.Results[1].Expectation = &set.List[1], &set.List[0]
	s.Results[0].Why = "matches no URL found"
	for range 40 {
		s.Results = slices.Insert(s.Results, 0, s.Results[0])
	}
	s.Results = append(s.Results, slices.Repeat(s.Results[41:], 6)...)
	line := 0
	flips := readFlips(t, flipping("a.example", 40, false, func(f *compare.Flip) { line++; f.Verdicts[0].Old.Line = line }))
	text := string(output(t, func(w io.Writer) Printer { return &Markdown{Out: w} }, &Summary{Expectations: 48, Flips: []*Flips{flips}, FailOn: "flip", FlipsFail: []string{"flip: 1 site fails: a.example (60 changed verdicts)"}}, s))
	at := 0
	for _, part := range []string{
		"### ❌ robots.txt: 20 URLs newly blocked, 40 newly allowed; 48 expectations fail\n", "\n- ❌ `flip`: 1 site fails: a.example (60 changed verdicts)\n", "\n`a.example`: 50 pages tested", "| 🔴 newly blocked |", "| 🟢 newly allowed |",
		"\n#### Expectations\n\n48 expectations: 0 met, 48 failed (41 match no URL found).\n", "| ❌ | `/a` |", "| ❌ | `/b*` | `Googlebot@google` | allow | matches no URL found |", "<summary>38 more rows</summary>",
	} {
		next := strings.Index(text[at:], part)
		if next < 0 {
			t.Fatalf("%q is missing, or not in its place: %s", part, text)
		}
		at += next
	}
	visible, folded := 0, false
	for row := range strings.Lines(text) {
		folded = folded && !strings.HasPrefix(row, "</details>") || strings.HasPrefix(row, "<details>")
		if !folded && strings.HasPrefix(row, "| ") && !strings.Contains(row, "Crawler |") && !strings.Contains(row, "| Crawlers |") {
			visible++
		}
	}
	if visible != shownRows {
		t.Errorf("%d rows are visible, want %d: %s", visible, shownRows, text)
	}
}

// TestMarkdownFlips has 10,000 changes with long URLs, each by its own line: the comment fits, and
// says how many changes are not shown.
func TestMarkdownFlips(t *testing.T) {
	for _, long := range []string{strings.Repeat("/a-long-folder-name", 100), strings.Repeat("/%D0%BF|*_`", 200), strings.Repeat("/ü", 1000)} {
		line := 0
		flips := readFlips(t, flipping("a.example", 10_000, true, func(f *compare.Flip) {
			line++
			f.Loc += long
			f.Verdicts[0].Old = engine.Rule{Value: fmt.Sprintf("/%d%s", line, long), Line: line}
		}))
		text := string(output(t, func(w io.Writer) Printer { return &Markdown{Out: w} }, &Summary{Flips: []*Flips{flips}}))
		if n := utf8.RuneCountInString(text); n >= 65_536 || len(text) > MaxMarkdown {
			t.Errorf("%.20s: %d characters, %d bytes", long, n, len(text))
		}
		shown := strings.Count(text, "| 🟢 newly allowed |")
		if want := fmt.Sprintf("\n%d,%03d more changes by other lines are not shown here.", (10_000-shown)/1000, (10_000-shown)%1000); shown < 20 || !strings.Contains(text, want) {
			t.Errorf("%.20s: %d rows, and no %q", long, shown, want)
		}
	}
}

// TestJUnitFlips has the conditions of the changes as a test of its own.
func TestJUnitFlips(t *testing.T) {
	for want, sum := range map[string]*Summary{
		`failures="1" errors="0"`: {FailOn: "flip", FlipsFail: []string{"flip: 1 site fails"}, Uncompared: []string{"b.example: unclear"}}, `failures="0" errors="1"`: {FailOn: "flip", Uncompared: []string{"unclear"}}, `failures="0" errors="0"`: {FailOn: "flip"},
	} {
		text := string(output(t, func(w io.Writer) Printer { return &JUnit{Out: w} }, sum))
		var got junitFile
		if err := xml.Unmarshal([]byte(text), &got); err != nil || !strings.Contains(text, want) || got.Suites[0].Cases[0].Name != "flip" {
			t.Errorf("%v: %s, want %s", err, text, want)
		}
	}
}

// TestFlipsMany compares a site where every URL changes by another line, and many sites.
func TestFlipsMany(t *testing.T) {
	b := &comment{visible: shownRows}
	line := 0
	f := readFlips(t, flipping("a.example", 5000, false, func(f *compare.Flip) { line++; f.Verdicts[0].Old.Line = line }))
	if len(f.lines) != maxDeciding || len(f.byKey) != maxDeciding {
		t.Errorf("%d lists are kept", len(f.lines))
	}
	b.flips([]*Flips{f}, maxFlips)
	// One set has the newly blocked URLs; 999 sets with one newly allowed URL each are kept. 3 rows of crawlers and 22 of lines are visible.
	if !strings.Contains(b.String(), "\n4,801 more changes by other lines are not shown here. Run `robots-audit simulate` to see more.\n") || strings.Count(b.String(), "🟢") != maxTable-1 || !strings.Contains(b.String(), "<summary>178 more rows</summary>") {
		t.Error(b.String())
	}
	var list []*Flips
	for i := range 300 {
		list = append(list, readFlips(t, flipping(fmt.Sprintf("%d.example", i), 1+i, false, nil)))
	}
	b = &comment{visible: shownRows}
	b.flips(list, maxFlips)
	if shown := strings.Count(b.String(), "\n#### ") + strings.Count(b.String(), "<details><summary><code>"); b.Len() > maxFlips+200 || shown < 10 || !strings.Contains(b.String(), fmt.Sprintf("\n%d more sites are not shown here.", 300-shown)) || !strings.HasPrefix(b.String(), "\n#### `299.example`") {
		t.Errorf("%d bytes, %d sites: %s", b.Len(), shown, b.String()[:200])
	}
}

// TestNoFlips checks the text without changed verdicts.
func TestNoFlips(t *testing.T) {
	site := &compare.Site{Name: "a.example", Crawlers: []compare.Crawler{{Label: "Googlebot"}}, Flips: make([]compare.CrawlerTotals, 1), Totals: compare.Totals{Known: 10}}
	f := readFlips(t, func(yield func(compare.Item, error) bool) { yield(compare.Item{Site: site}, nil) })
	b := &comment{visible: shownRows}
	b.flips([]*Flips{f}, maxFlips)
	if want := "\n`a.example`: 10 pages tested for `Googlebot`.\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	broken := errors.New("broken")
	if _, err := ReadFlips(func(yield func(compare.Item, error) bool) { yield(compare.Item{}, broken) }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// TestFiles checks that files are written completely or not at all.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.xml")
	var f Files
	w, err := f.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(w, "whole")
	f.Abort()
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("%v is left", list[0])
	}
	if w, err = f.Create(name); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(w, "whole")
	if _, err := os.Stat(name); err == nil {
		t.Error("it is there before its end")
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	f.Abort()
	text, err := os.ReadFile(name)
	if list, _ := os.ReadDir(dir); err != nil || string(text) != "whole" || len(list) != 1 {
		t.Errorf("%q, %v, %d files", text, err, len(list))
	}
	if _, err := f.Create(filepath.Join(dir, "none", "a.xml")); err == nil {
		t.Error("a folder that does not exist")
	}
	if _, err := f.Create(dir); err == nil {
		t.Error("a folder")
	}
}

// TestFlipsHits has the requests of each crawler, from access logs.
func TestFlipsHits(t *testing.T) {
	f := readFlips(t, flipping("a.example", 100, false, func(f *compare.Flip) {
		f.Hits = []int64{3, 2, 10}
		if f.Loc == "https://a.example/1" {
			f.Verdicts[0].Old.Line = 1
		}
	}))
	f.Site.Hits = []compare.Traffic{{}, {Counts: compare.Counts{NewlyBlocked: 100}}, {Counts: compare.Counts{NewlyBlocked: 500}}}
	b := &comment{visible: shownRows}
	b.flips([]*Flips{f}, maxFlips)
	for _, want := range []string{
		"| Crawler | Newly blocked | Hits newly blocked | Newly allowed |\n", "| `YandexBot` | 50 | 100 | 0 |\n", "| Change | Crawlers | URLs | Hits |", "| 🔴 newly blocked | `YandexBot, GPTBot` | 50 | 600 |",
		"| 🟢 newly allowed | `Googlebot` | 99 | 297 |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in %s", want, b.String())
		}
	}
}
