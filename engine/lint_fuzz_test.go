package engine

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// checkFinding holds a finding to its form and its place to the file.
func checkFinding(t *testing.T, f *Finding, lines []string) {
	t.Helper()
	checkSeverity(t, f)
	kind, ok := FindingKindByID(f.ID)
	switch {
	case !ok || kind.Needs == "urls" || kind.Needs == "site":
		t.Fatalf("%s is not one of a file", f.ID)
	case f.What == "" || f.Why == "" || f.Fix == "" || len(f.Profiles) == 0:
		t.Fatalf("%+v is not whole", f)
	case f.Line == 0:
		if f.Column != 0 || f.EndColumn != 0 || f.Text != "" {
			t.Fatalf("%+v has a place and has none", f)
		}
		return
	case f.Line < 0 || f.Line > len(lines):
		t.Fatalf("%+v: there are %d lines", f, len(lines))
	}
	line := lines[f.Line-1]
	if f.Column < 1 || f.EndColumn < f.Column || f.EndColumn > len(line)+1 {
		t.Fatalf("%+v: the line has %d bytes", f, len(line))
	}
	if !strings.HasPrefix(line, f.Text) || len(f.Text) > 1024 || len(line) <= 1024 && f.Text != line {
		t.Fatalf("%+v: the line is %q", f, line)
	}
	if utf8.ValidString(line) && (!utf8.ValidString(f.Text) || !utf8.ValidString(f.Replacement)) {
		t.Fatalf("%+v cuts a character", f)
	}
	for _, other := range f.Related {
		if other < 1 || other > len(lines) {
			t.Fatalf("%+v: there are %d lines", f, len(lines))
		}
	}
}

// FuzzLint lints any bytes for all profiles: no panic, every place inside of
// the file, the same again, and a replaced line that is a line.
func FuzzLint(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "User-agent: *\nDisallow: /\n", "\xEF\xBB\xBFUser-agent: a\r\rAllow:\rDisallow: *$", "User-agent: *\nDisallow: /a*b$\nAllow: /*/x/y\nHost: a_b\n",
		"Clean-param: a,b /c\nCrawl-delay: 1,5\nContent-Signal: a=b\nuseragent *\n: x\n", "<html>", "\xFF\xFEU\x00", "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /a\n",
		"User-agent: *\nDisallow: /" + strings.Repeat("é", 2000) + "#x\n", "user-agent: * x\nsitemap: //a\nsitemap: http://localhost/\x00\nDisallow: /\u200b%zz%2f\\.[^a]|/\n",
		"User-agent: aDisallow: /b\\nSitemap: /c\n<!--User-agent: *\r\nDisallow: *Allow: /|crawl-delay:1\n", "# User-agent: * Disallow: /",
		"user-agent: *\nallow: /\xff*\xfe$$\ndisallow: " + strings.Repeat("*a", 40) + "\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		o := LintOptions{Profiles: Profiles(), MaxPerID: -1, URL: "https://example.com/robots.txt"}
		found := Lint(body, o)
		var lines []string
		for r := newLineReader(lenientProfile, string(body)); r.next(); {
			lines = append(lines, r.text)
		}
		for i := range found {
			checkFinding(t, &found[i], lines)
			if found[i].ID != "DIR010" && strings.ContainsAny(found[i].Replacement, "\r\n") {
				t.Fatalf("%+v is more than a line", found[i])
			}
		}
		again := Lint(body, o)
		if len(again) != len(found) {
			t.Fatalf("%d findings, and then %d", len(found), len(again))
		}
		for i := range again {
			if short(&again[i]) != short(&found[i]) {
				t.Fatalf("%s, and then %s", short(&found[i]), short(&again[i]))
			}
		}
	})
}

// TestLintBounds holds the number of findings of one id to its limit, and says
// what was left out.
func TestLintBounds(t *testing.T) {
	body := []byte("User-agent: *\n" + strings.Repeat("Disallow: a\n", 500))
	for _, most := range []int{0, 7, -1} {
		n, more := 0, 0
		for _, f := range Lint(body, LintOptions{MaxPerID: most}) {
			if f.ID == "RUL001" {
				n, more = n+1, more+f.More
			}
		}
		want := most
		switch most {
		case 0:
			want = 100
		case -1:
			want = 500
		}
		if n != want || n+more != 500 {
			t.Errorf("at most %d: %d findings and %d more", most, n, more)
		}
	}
}
