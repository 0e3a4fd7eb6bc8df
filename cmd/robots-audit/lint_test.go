package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/robots-audit/internal/sarif"
	"robots-audit/engine"
)

// lintOf prints the findings of a file as text.
func lintOf(t *testing.T, body string, colour bool) string {
	t.Helper()
	var out bytes.Buffer
	text := lintText{out: &out, colour: colour}
	var findings []lintFinding
	for _, f := range engine.Lint([]byte(body), engine.LintOptions{}) {
		findings = append(findings, lintFinding{Finding: f})
	}
	if err := text.file("robots.txt", findings); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestLintColour checks that only terminals get colours, and the same text.
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

// TestLintMark checks the place of the mark: below the same visible characters, in lines of any
// length.
func TestLintMark(t *testing.T) {
	long := strings.Repeat("é", 200)
	for _, c := range []struct{ body, before, mark, after string }{
		{"User-agent: *\nDisallow: /a*", "Disallow: /a", "36m*", ""},
		{"User-agent: *\n\tDisallow:\tb", "\tDisallow:\t", "31mb", ""},
		{"User-agent: *\nDisallow: /é*", "Disallow: /é", "36m*", ""},
		{"User-agent: *\nDisallow: /" + long + "*", "…" + strings.Repeat("é", 50), "36m*", ""},
		{"User-agent: *\nDisallow: x" + long, "Disallow: ", "31mx" + strings.Repeat("é", 89) + "…", ""},
		{"User-agent: *\nDisallow: /$" + long, "Disallow: /", "31m$", strings.Repeat("é", 88) + "…"},
	} {
		want := "    " + c.before + "\x1b[" + c.mark + "\x1b[0m" + c.after + "\n"
		if got := lintOf(t, c.body, true); !strings.Contains(got, want) {
			t.Errorf("%q: want\n%s\ngot\n%s", c.body, want, got)
		}
	}
}

// TestSARIFColumns checks that columns in SARIF count characters.
func TestSARIFColumns(t *testing.T) {
	for _, f := range engine.Lint([]byte("User-agent: *\nDisallow: /éé*\n"), engine.LintOptions{}) {
		if r := regionOf(&f); f.ID == "RUL004" && (r.StartLine != 2 || r.StartColumn != 14 || r.EndColumn != 15 || f.Column != 16) {
			t.Errorf("byte %d is %+v", f.Column, *r)
		}
	}
}

// TestSARIFNames checks that file names suit code review: relative to the working folder, absolute
// outside of it.
func TestSARIFNames(t *testing.T) {
	root := func(name string) string { return name }
	if runtime.GOOS == "windows" { // there a path and its URI begin with a drive
		root = func(name string) string { return strings.Replace(name, "/", `C:\`, 1) }
	}
	for _, c := range []struct {
		name, uri string
		want      sarif.Artifact
	}{
		{"robots.txt", "", sarif.Artifact{URI: "robots.txt", Base: sarif.SourceRoot}},
		{"./public/../a b/r.txt", "", sarif.Artifact{URI: "a%20b/r.txt", Base: sarif.SourceRoot}},
		{root("/repo/src/public/robots.txt"), "", sarif.Artifact{URI: "public/robots.txt", Base: sarif.SourceRoot}},
		{"../robots.txt", "", sarif.Artifact{URI: "file:///repo/robots.txt", Base: ""}},
		{root("/srv/a b/robots.txt"), "", sarif.Artifact{URI: "file:///srv/a%20b/robots.txt", Base: ""}},
		{"..robots.txt", "", sarif.Artifact{URI: "..robots.txt", Base: sarif.SourceRoot}},
		{"https://example.com/robots.txt", "", sarif.Artifact{URI: "https://example.com/robots.txt", Base: ""}},
		{"https://example.com/robots.txt", "public/robots.txt", sarif.Artifact{URI: "public/robots.txt", Base: sarif.SourceRoot}},
		{"stdin", "", sarif.Artifact{URI: "stdin", Base: ""}},
		{"stdin", "file:///srv/robots.txt", sarif.Artifact{URI: "file:///srv/robots.txt", Base: ""}},
	} {
		s := lintSARIF{root: root("/repo/src"), uri: c.uri}
		got := s.artifact(c.name)
		if c.uri == "" {
			got.URI = strings.Replace(got.URI, "file:///C:/", "file:///", 1)
		}
		if got != c.want || s.rooted != (c.want.Base != "") {
			t.Errorf("%s, as %q, is %+v, want %+v", c.name, c.uri, got, c.want)
		}
	}
}

// TestSARIFFixes applies the fixes of SARIF to a file: the result is that of the finding's edit.
func TestSARIFFixes(t *testing.T) {
	const group = "User-agent: Googlebot # é\nDisallow: /a*\nDisallow: /b # é\nDisallow: /c\n"
	const body = group + "\n" + group + "Disallow: /c/d\nNoindex: /\nSitemap: https://a.example/s\nSitemap: https://a.example/s"
	want := map[string]string{
		"2 RUL004":  strings.Replace(body, "/a*", "/a", 1),
		"7 RUL005":  group + "\n" + strings.Replace(body[len(group)+1:], "Disallow: /a*\n", "", 1), // without an edit of RUL004
		"10 RUL005": strings.Replace(body, "Disallow: /c/d\n", "", 1),
		"11 DIR001": strings.Replace(body, "Noindex: /\n", "", 1),
		"13 SM007":  strings.TrimSuffix(body, "Sitemap: https://a.example/s"),
	}
	for _, f := range engine.Lint([]byte(body), engine.LintOptions{}) {
		key := fmt.Sprintf("%d %s", f.Line, f.ID)
		if changes := sarifReplacements(&f); want[key] != "" {
			if got := makeChanges(body, changes); got != want[key] || !f.Harmless {
				t.Errorf("%s: %+v leaves\n%s\nwant\n%s", key, changes, got, want[key])
			}
			delete(want, key)
		}
	}
	if len(want) > 0 {
		t.Errorf("no finding for %v", want)
	}
	several := sarifReplacements(&engine.Finding{Delete: []int{2, 3, 5}})
	if got := makeChanges("1\n2\n3\n4\n5\n6\n", several); len(several) != 2 || got != "1\n4\n6\n" {
		t.Errorf("%+v leaves %q", several, got)
	}
}

// makeChanges replaces regions of a text, in reverse order.
func makeChanges(text string, changes []sarif.Replacement) string {
	lines := strings.SplitAfter(text, "\n")
	offset := func(line, column int) int { // of a character
		at := len(strings.Join(lines[:min(line-1, len(lines))], ""))
		if line <= len(lines) {
			at += len(string([]rune(lines[line-1])[:column-1]))
		}
		return at
	}
	for _, c := range slices.Backward(changes) {
		from, to := offset(c.Deleted.StartLine, c.Deleted.StartColumn), offset(max(c.Deleted.EndLine, c.Deleted.StartLine), c.Deleted.EndColumn)
		inserted := ""
		if c.Inserted != nil {
			inserted = c.Inserted.Text
		}
		text = text[:from] + inserted + text[to:]
	}
	return text
}

// TestLintManyFiles: of many files, some missing or from standard input, the findings come in
// order, each as if the file were the only one. No goroutine stays when the output fails.
func TestLintManyFiles(t *testing.T) {
	folder := t.TempDir()
	var names []string
	for i := range 40 {
		name := fmt.Sprintf("%s/%d.txt", folder, i)
		names = append(names, name)
		body := fmt.Sprintf("User-agent: *\n%sDisallow: /a%d*\n# robots-audit: ignore RUL005\n", strings.Repeat("Disallow: /x\n", (i*37)%200), i)
		if i%7 == 3 {
			continue // it does not exist
		}
		if err := os.WriteFile(name, []byte(body), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	names[20] = "-"
	lint := func(names ...string) (told, complaints string) {
		var out, err bytes.Buffer
		runLint(append([]string{"-json"}, names...), cli.Streams{In: strings.NewReader("User-agent: *\nDisallow: b\n"), Out: &out, Err: &err})
		lines := strings.Split(strings.TrimSuffix(err.String(), "\n"), "\n")
		return out.String(), strings.Join(lines[:len(lines)-1], "\n") // the last one is the summary
	}
	var alone, aloneComplaints []string
	for _, name := range names {
		told, complaints := lint(name)
		alone = append(alone, told)
		if complaints != "" {
			aloneComplaints = append(aloneComplaints, complaints)
		}
	}
	told, complaints := lint(names...)
	if want := strings.Join(alone, ""); told != want || want == "" {
		t.Errorf("together\n%s\nalone\n%s", told, want)
	}
	if want := strings.Join(aloneComplaints, "\n"); complaints != want || !strings.Contains(want, "3.txt") {
		t.Errorf("together\n%s\nalone\n%s", complaints, want)
	}
	if code := runLint(append([]string{"-json"}, names...), cli.Streams{In: strings.NewReader(""), Out: &full{100}, Err: io.Discard}); code != cli.ExitFailed {
		t.Errorf("exit code %d where nothing can be written", code)
	}
}
