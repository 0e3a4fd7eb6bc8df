package reports

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"robots-audit/audit"
)

// What nobody sees is shown, or escaped, wherever text is read.
func TestUnseen(t *testing.T) {
	for _, c := range []struct{ text, shown, json string }{
		{"", "", `""`},
		{"plain /a", "plain /a", `"plain /a"`},
		{"ünïcödé 漢字 \U0001F600 \uFFFD", "ünïcödé 漢字 \U0001F600 \uFFFD", `"ünïcödé 漢字 ` + "\U0001F600 \uFFFD" + `"`},
		{"a\x1b[2Jb\x7f", `a\x1B[2Jb\x7F`, `"a\u001b[2Jb\u007f"`},
		{"a\u009b2J", "a[U+009B]2J", `"a\u009b2J"`},
		{"a\u202egpj.exe", "a[U+202E]gpj.exe", `"a\u202egpj.exe"`},
		{"\u2066\u200f\u061c", "[U+2066][U+200F][U+061C]", `"\u2066\u200f\u061c"`},
		{"\u0085\u2028\u2029\ufeff", "[U+0085][U+2028][U+2029][U+FEFF]", `"\u0085\u2028\u2029\ufeff"`},
		{"\U000E0041", "[U+E0041]", `"\udb40\udc41"`},
		{"\ufdd0\ufdef\ufffe\uffff\U0001fffe\U0010ffff", "[U+FDD0][U+FDEF][U+FFFE][U+FFFF][U+1FFFE][U+10FFFF]", `"\ufdd0\ufdef\ufffe\uffff\ud83f\udffe\udbff\udfff"`},
		{"\ufdcf\ufdf0\ufffd", "\ufdcf\ufdf0\ufffd", `"` + "\ufdcf\ufdf0\ufffd" + `"`},
		{"\xff", `\xFF`, `"\ufffd"`},
	} {
		if got := shown(c.text); got != c.shown {
			t.Errorf("%q is shown as %q, want %q", c.text, got, c.shown)
		}
		text, err := json.Marshal(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := seenJSON(text); string(got) != c.json {
			t.Errorf("%q is written as %s, want %s", c.text, got, c.json)
		}
	}
	text := []byte(`"plain"`)
	if got := seenJSON(text); &got[0] != &text[0] {
		t.Error("text without such characters is copied")
	}
}

// Escapes mean what they stand for: the same values come back, of every
// character there is.
func TestSeenJSONMeansTheSame(t *testing.T) {
	var all []rune
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r < 0xD800 || r > 0xDFFF { // surrogates are no characters
			all = append(all, r)
		}
	}
	text, err := json.Marshal(string(all))
	if err != nil {
		t.Fatal(err)
	}
	text = seenJSON(text)
	for _, r := range string(text) {
		if unseen(r) {
			t.Fatalf("%U is raw", r)
		}
	}
	var back string
	if err := json.Unmarshal(text, &back); err != nil || back != string(all) {
		t.Errorf("another text comes back (%v)", err)
	}
}

// markedRecords are the records of a site that holds a mark wherever a site
// can put text into its report.
func markedRecords(name, mark string, urls int) []audit.Record {
	records := siteRecords(name, 0, urls)
	done := records[len(records)-1].Done
	done.Why = mark
	for i := range records {
		rec := &records[i]
		switch {
		case rec.Site != nil:
			rec.Site.Crawlers = slices.Clone(rec.Site.Crawlers)
			rec.Site.Crawlers[0].Label += mark
		case rec.Robots != nil:
			rec.Robots.File.Body = append(rec.Robots.File.Body, "\n# "+mark+"\ndisallow: /"+mark+"\n"...)
			for k := range rec.Robots.Reads {
				rec.Robots.Reads[k].GroupTokens += mark
			}
		case rec.URLs != nil:
			for k := range rec.URLs.List {
				rec.URLs.List[k].Loc += mark
				rec.URLs.List[k].LastMod = mark
			}
		case rec.Sitemap != nil:
			rec.Sitemap.URL += mark
		case rec.Problem != nil:
			rec.Problem.URL, rec.Problem.Detail = rec.Problem.URL+mark, mark
		case rec.Findings != nil:
			for k := range rec.Findings.List {
				rec.Findings.List[k].Text, rec.Findings.List[k].What = mark, mark
			}
		}
	}
	return records
}

// No text file of a run has what is unseen as it came, and JSON keeps its value.
func TestRunHoldsNothingUnseen(t *testing.T) {
	const mark = "left\u202egpj \u009b2J \u2066\u0085\u200d\U000E0041 right"
	records := markedRecords("example.com", mark, inlineRows*8)
	o := testOptions(t.TempDir())
	o.Formats, o.Settings["user-agent"] = []string{"csv", "jsonl"}, mark
	r := openRun(t, o)
	writeAll(t, r, append([]audit.Record{{Problem: &audit.Problem{Stage: "list", Code: "bad_line", Detail: mark}}}, records...))
	closeRun(t, r)
	files := 0
	for name, text := range folder(t, o.Dir) {
		switch ext := filepath.Ext(name); {
		case ext == ".html" || ext == ".js" || ext == ".json" || ext == ".md" || ext == ".jsonl" && !strings.HasPrefix(name, hidden):
			files++
			for i, c := range text {
				if unseen(c) && c != '\n' {
					t.Errorf("%s: %U at byte %d: %q", name, c, i, text[max(0, i-40):min(i+20, len(text))])
					break
				}
			}
		case ext == ".csv":
			files++
			for i, c := range text {
				if misleads(c) && c != '\r' && c != '\n' {
					t.Errorf("%s: %U at byte %d: %q", name, c, i, text[max(0, i-40):min(i+20, len(text))])
					break
				}
			}
		}
	}
	if files < 8 {
		t.Errorf("only %d files were looked at", files)
	}
	var summary struct{ Sites []siteSummary }
	if err := json.Unmarshal([]byte(folder(t, o.Dir)["summary.json"]), &summary); err != nil {
		t.Fatal(err)
	}
	if e := summary.Sites[0].Errors[0]; summary.Sites[0].Why != mark || e.Detail != mark || !strings.HasSuffix(e.URL, mark) {
		t.Errorf("summary.json means something else: %+v", e)
	}
}
