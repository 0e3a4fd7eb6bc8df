package engine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// lintAll lints for every profile there is.
func lintAll(body string) []Finding {
	return Lint([]byte(body), LintOptions{Profiles: Profiles()})
}

// has reports whether findings hold an id; at a line, where that is not 0.
func has(findings []Finding, id string, line int) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.ID == id && (line == 0 || f.Line == line) })
}

// findingAt is the finding of a line and id, "2 RUL004"; nil, and an error, where there is none.
func findingAt(t *testing.T, body string, found []Finding, at string) *Finding {
	t.Helper()
	i := slices.IndexFunc(found, func(f Finding) bool { return fmt.Sprintf("%d %s", f.Line, f.ID) == at })
	if i < 0 {
		t.Errorf("%q: no %s", body, at)
		return nil
	}
	return &found[i]
}

// TestLintDocuments holds the lint to the rows of the source documents: what
// they call wrong is found, by the row's own profile and by all together.
func TestLintDocuments(t *testing.T) {
	rows := 0
	readRows(t, "documents.jsonl", func(line []byte) error {
		var row docRow
		if err := json.Unmarshal(line, &row); err != nil || row.Kind != "lint" {
			return err
		}
		rows++
		own := Lint([]byte(row.Robots), LintOptions{Profiles: []*Profile{mustProfile(t, row.Profile)}})
		for _, id := range row.Lint {
			if !has(own, id, 0) {
				t.Errorf("%s: no %s by %s in %q: %+v", row.ID, id, row.Profile, row.Robots, own)
			}
			if !has(lintAll(row.Robots), id, 0) {
				t.Errorf("%s: no %s by all profiles", row.ID, id)
			}
		}
		return nil
	})
	if rows != 25 {
		t.Errorf("%d rows, want 25", rows)
	}
}

// TestLintBlankRuns: of several blank lines in a row only one is kept, and the
// lines after them keep their numbers.
func TestLintBlankRuns(t *testing.T) {
	var spread strings.Builder
	for _, line := range []string{"User-agent: *", "Disallow: /a", "Disallow: /a", "Sitemap: /relative", "User-agent: x", "Allow: /b", "Disallow: b"} {
		spread.WriteString(line + "\n\n\n\n")
	}
	file := spread.String()
	lines := strings.Split(file, "\n")
	for _, f := range Lint([]byte(file), LintOptions{}) {
		if f.Line > 0 && f.ID != "YA001" && (lines[f.Line-1] == "" || f.Text != lines[f.Line-1]) {
			t.Errorf("%s is said of line %d, %q, with the text %q", f.ID, f.Line, lines[f.Line-1], f.Text)
		}
	}
	if n := len(Lint([]byte(strings.Repeat("\n", 600_000)), LintOptions{})); n == 0 {
		t.Error("nothing to say of a file of blank lines")
	}
}

// TestLintRootStar: what a fix tells to write matches what the rule matches.
func TestLintRootStar(t *testing.T) {
	p := mustProfile(t, "google")
	for _, value := range []string{"*", "**", "*a", "**a$", "*$", "*.gif$", "*?a=*b", "*/", "**/a", "*/a/*b$"} {
		found := Lint([]byte("User-agent: *\nDisallow: "+value+"\n"), LintOptions{Profiles: []*Profile{mustProfile(t, "google-2019")}})
		i := slices.IndexFunc(found, func(f Finding) bool { return f.ID == "RUL001" })
		if i < 0 {
			t.Errorf("%s: no RUL001", value)
			continue
		}
		lines := found[i].Replacement
		if quoted := strings.Split(found[i].Fix, `"`); lines == "" {
			switch len(quoted) {
			case 3: // an edit that blocks the whole site is not offered
				lines = "Disallow: " + quoted[1]
			case 5:
				lines = "Disallow: " + quoted[1] + "\nDisallow: " + quoted[3]
			default:
				t.Errorf("%s: %s", value, found[i].Fix)
				continue
			}
		}
		was, is := p.Parse([]byte("User-agent: *\nDisallow: "+value)).Group(token("x")), p.Parse([]byte("User-agent: *\n"+lines)).Group(token("x"))
		for _, path := range []string{"/", "/a", "//a", "/b/a", "/ba", "/a/b", "/a/", "/b/a/cb", "/a.gif", "/a.gif?", "/x?a=1b", "/b"} {
			if was.Verdict(path).Verdict != is.Verdict(path).Verdict {
				t.Errorf("%s: %q on %s: %v", value, lines, path, is.Verdict(path).Verdict)
			}
		}
	}
}

// TestLintSentences holds what findings say beside their first sentence.
func TestLintSentences(t *testing.T) {
	for _, c := range []struct{ body, finding, why, fix string }{
		{"User-agent: *\nCrawl-delay: 2\n", "1 GRP004", "Everything is open to every crawler that has no group of its own.", `Add rules. If everything should be open, add "Disallow:".`},
		{"User-agent: b\n", "1 GRP004", "Everything is open to this crawler. Without the group, this would be the same: * has no rules either.", `Add rules. If everything should be open to the crawler, add "Disallow:".`},
		{"User-agent: *\nDisallow: /a\nUser-agent: b\n", "3 GRP004", "Everything is open to this crawler, and the rules of the * group do not apply to it.", `Add rules. If everything should be open to the crawler, add "Disallow:". If you delete the group, the crawler obeys the * group.`},
		{"User-agent: msnbot\nDisallow: /a\n", "1 GRP007", "Bing's posts of 2010 and 2012 say so. Others who read the file may not know it.", `Write "bingbot" instead.`},
		{"User-agent: msnbot\nDisallow: /a\nUser-agent: bingbot\nDisallow: /b\n", "1 GRP007", "The group applies to no crawler.", "Remove the group with its rules. Do not remove only this line: the rules would then belong to the group above."},
		{"User-agent: \"*\"\nDisallow: /a\n", "1 GRP008", "No crawler obeys this group, so its rules are lost.", "Check first: this may block URLs that are allowed now. Write * without quotes."},
		{"User-agent: *\nDisallow: /a\nHost: a.example\n", "3 DIR004", "Google never read it. Yandex uses a 301 redirect instead.", "Remove the line, and redirect to the main mirror."},
		{"User-agent: *\nDisallow: /a\nClean-param: a /b\n", "3 DIR004", "Other crawlers ignore the line.", "Keep the line for Yandex if it helps."},
		{"User-agent: *\nDisallow: /robots.txt\n", "2 RUL007", "RFC 9309 always allows /robots.txt (2.2.2). Google and Yandex treat it like any other path. All crawlers fetch it before they obey it.", "Remove the rule: no crawler stops fetching robots.txt because of it."},
		{"Not found\n", "0 FET006", "Crawlers find no rule in this text, so everything is open. Usually such a text is an error message.", ""},
	} {
		found := Lint([]byte(c.body), LintOptions{})
		f := findingAt(t, c.body, found, c.finding)
		if f == nil {
			continue
		}
		if kind := findingIndex[f.ID]; f.Why != cmp.Or(c.why, kind.Why) || f.Fix != cmp.Or(c.fix, kind.Fix) || strings.Contains(f.Name(), "HTML page") {
			t.Errorf("%q: %s, %s\n  %s\n  %s", c.body, short(f), f.Name(), f.Why, f.Fix)
		}
	}
}
