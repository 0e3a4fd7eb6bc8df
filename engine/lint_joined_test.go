package engine

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestJoinedLinesSplit makes the splits that DIR010 offers, in the files of the cases:
// every reader takes each directive then, and the finding is gone with the errors next to it.
func TestJoinedLinesSplit(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "lint", "fields.txt"))
	if err != nil {
		t.Fatal(err)
	}
	splits := 0
	for _, c := range readLintCases(t, archive) {
		if strings.HasPrefix(c.options, "escapes") {
			c.robots = []byte(extendBody(t, string(c.robots), "escapes", ""))
		}
		body := string(c.robots)
		for _, f := range Lint(c.robots, LintOptions{}) {
			if f.ID != "DIR010" || f.Replacement == "" {
				continue
			}
			splits++
			after := withEdit(body, &f)
			now := Lint([]byte(after), LintOptions{})
			errors := func(list []Finding) int {
				return len(slices.DeleteFunc(slices.Clone(list), func(f Finding) bool { return f.Severity < Error || f.ID == "RUL018" }))
			}
			if was := errors(Lint(c.robots, LintOptions{})); has(now, "DIR010", 0) || f.Severity == Error && errors(now) >= was {
				t.Errorf("%s: %d errors, then %d: %v", c.name, was, errors(now), now)
			}
			last := f.Line + len(lineEnds.FindAllString(f.Replacement, -1))
			for _, name := range defaultProfiles {
				p := mustProfile(t, name)
				for line := range p.Lines([]byte(after)) {
					if line.Number >= f.Line && line.Number <= last && (line.Kind == "other" || line.Kind == "text" || strings.Contains(line.Value, ": ")) {
						t.Errorf("%s by %s: %+v", c.name, p.Name, line)
					}
				}
			}
		}
	}
	if splits < 15 {
		t.Errorf("%d splits", splits)
	}
}

// TestJoinedLinesAdvice: what the split blocks is said, and nothing beside the finding
// advises otherwise.
func TestJoinedLinesAdvice(t *testing.T) {
	for _, c := range []struct{ body, findings string }{
		{"User-agent: *\nDisallow: /aDisallow: /b\n", "DIR010 Check first: this may block URLs that are allowed now. Write each directive on a line of its own."},
		{"User-agent: *\nDisallow: /x\nDisallow: /User-agent: MJ12bot\n", "DIR010 Check first: this blocks the whole site. Write each directive on a line of its own. After this edit there are 4 further findings."},
		{"User-agent: *\nDisallow: /x\nThe endSitemap: https://a.example/s\n", "DIR010 Write the directive on a line of its own."},
		{"User-agent: *\\nAllow: /\\n\\n# Noindex by header", "DIR010 Check first: this may block URLs that are allowed now. Write each directive on a line of its own."},
		{"<pre>User-agent: *\nDisallow: /admin/\n", "DIR010 Check first: this may block URLs that are allowed now. Remove the text before the directive. GRP001 Correct line 1, which hides the User-agent line of the group."},
		{"-en User-agent: *\nDisallow: /\n", "DIR010 Check first: this blocks the whole site. Remove the text before the directive. After this edit there are 2 further findings. GRP001 Correct line 1, which hides the User-agent line of the group."},
		{"<!-- User-agent: *\nDisallow: /admin/\n", `DIR010 Remove the text before it, or begin each comment line with "#". GRP001 Correct line 1, which hides the User-agent line of the group.`},
	} {
		var got []string
		for _, f := range Lint([]byte(c.body), LintOptions{}) {
			if f.Line > 0 {
				got = append(got, fmt.Sprint(f.ID, " ", f.Fix))
			}
		}
		if strings.Join(got, " ") != c.findings {
			t.Errorf("%q: %s\nwant %s", c.body, got, c.findings)
		}
	}
}
