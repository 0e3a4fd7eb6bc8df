package engine

import (
	"encoding/json"
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
