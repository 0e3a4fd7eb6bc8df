package main

import (
	"bytes"
	"strings"
	"testing"

	"robots-audit/engine"
)

// lintOf prints the findings of a file as text.
func lintOf(t *testing.T, body string, colour bool) string {
	t.Helper()
	var out bytes.Buffer
	text := lintText{out: &out, colour: colour}
	if err := text.file("robots.txt", engine.Lint([]byte(body), engine.LintOptions{})); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestLintColour holds colours to terminals: the text is the same without.
func TestLintColour(t *testing.T) {
	const body = "User-agent: *\nDisallow: a\n"
	plain, coloured := lintOf(t, body, false), lintOf(t, body, true)
	if strings.Contains(plain, "\x1b") || !strings.Contains(coloured, "\x1b[31merror\x1b[0m") {
		t.Errorf("plain %q, coloured %q", plain, coloured)
	}
	for _, code := range []string{"1", "2", "31", "32", "36"} {
		coloured = strings.ReplaceAll(coloured, "\x1b["+code+"m", "")
	}
	if got := strings.ReplaceAll(coloured, "\x1b[0m", ""); got != plain {
		t.Errorf("without its colours\n%s\nwant\n%s", got, plain)
	}
	if colourful(&bytes.Buffer{}) {
		t.Error("a buffer is no terminal")
	}
}

// TestLintMark holds the mark to its place: under the same characters, counted
// as they are seen, in lines of any length.
func TestLintMark(t *testing.T) {
	long := strings.Repeat("é", 200)
	for _, c := range []struct{ body, line, mark string }{
		{"User-agent: *\nDisallow: /a*", "    2 | Disallow: /a*", "      |             ^"},
		{"User-agent: *\n\tDisallow:\tb", "    2 | \tDisallow:\tb", "      | \t         \t^"},
		{"User-agent: *\nDisallow: /é*", "    2 | Disallow: /é*", "      |             ^"},
		{"User-agent: *\nDisallow: /" + long + "*", "    2 | …" + strings.Repeat("é", 50) + "*", "      | " + strings.Repeat(" ", 51) + "^"},
		{"User-agent: *\nDisallow: x" + long, "    2 | Disallow: x" + strings.Repeat("é", 89) + "…", "      |           ^" + strings.Repeat("~", 90)},
	} {
		if got := lintOf(t, c.body, false); !strings.Contains(got, c.line+"\n"+c.mark+"\n") {
			t.Errorf("%q: want\n%s\n%s\ngot\n%s", c.body, c.line, c.mark, got)
		}
	}
}

// TestSARIFColumns holds the columns of SARIF to characters.
func TestSARIFColumns(t *testing.T) {
	for _, f := range engine.Lint([]byte("User-agent: *\nDisallow: /éé*\n"), engine.LintOptions{}) {
		if r := regionOf(&f); f.ID == "RUL004" && (r.StartLine != 2 || r.StartColumn != 14 || r.EndColumn != 15 || f.Column != 16) {
			t.Errorf("byte %d is %+v", f.Column, *r)
		}
	}
	for name, want := range map[string]string{"robots.txt": "robots.txt", "/a b/r.txt": "file:///a%20b/r.txt", `a\b.txt`: "a/b.txt", "https://example.com/robots.txt": "https://example.com/robots.txt"} {
		if got := fileURI(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
