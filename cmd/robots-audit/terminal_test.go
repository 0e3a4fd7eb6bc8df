package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"robots-audit/cmd/internal/cli"
)

// hostile has text that must not reach a terminal: a control sequence in both forms, and a mark
// that changes the writing direction. It also has a zero-width space, a character beyond the first
// plane, DEL, and an invalid byte.
const hostile = "a\x1b[31m\u009b31m\u202eb\u200bc\U000e0041d\x7fe\x9bf"

// harmless reports what in a text is unsafe for a terminal; "" = nothing.
func harmless(text string) string {
	for i, c := range text {
		if c == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") || c != '\n' && c != '\t' && !unicode.IsPrint(c) {
			return text[max(0, i-20):min(len(text), i+20)]
		}
	}
	return ""
}

// TestTerminal gives every command hostile file names, URLs, files and settings: none reaches the
// terminal unescaped.
func TestTerminal(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // folders without a name are created here
	file := filepath.Join(dir, hostile)
	robots := "User-agent: *" + hostile + "\nUser-agent: *\nDisallow: /" + hostile + "\nDissalow: /" + hostile + "\n" + hostile + "\nSitemap: " + hostile + "\nSitemap: https://a.example/" + hostile +
		"\nCrawl-delay: " + hostile + "\nClean-param: " + hostile + "\nContent-Signal: " + hostile + "=" + hostile + "\nDisallow: /аdmin" + hostile + "\n# Disallow: /" + hostile + "\n"
	settings := filepath.Join(dir, "settings.toml")
	err := errors.Join(os.WriteFile(file, []byte(robots), 0o600), os.WriteFile(settings, []byte("\"a\\u001b\\u202e\\u009b\" = 1\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out"+hostile)
	list := "http://" + hostile + "\n" + hostile + "@a.example\n"
	question := `{"id":"` + hostile[:len(hostile)-2] + `","robots":` + quoted(t, robots) + `,"crawler":"Googlebot","explain":true,"urls":[` + quoted(t, "/"+hostile) + `]}` + "\n" +
		`{"id":"` + strings.ReplaceAll(hostile, "\x1b", "") + `","robots":"","crawler":` + quoted(t, hostile) + "}\n" + strings.ReplaceAll(hostile, "\x1b", "") + "\n"
	for _, c := range []struct {
		args []string
		in   string
	}{
		{[]string{hostile}, ""}, {[]string{file}, ""}, {[]string{"-" + hostile}, ""}, {[]string{"help", hostile}, ""}, {[]string{"report", file + "/"}, ""}, {[]string{"report", out}, ""},
		{[]string{"-domains", file + "x"}, ""}, {[]string{"-domains", dir}, ""}, {[]string{"-config", file}, ""}, {[]string{"-config", settings, "-domains", os.DevNull}, ""},
		{[]string{"-rate", hostile}, ""}, {[]string{"-rows", hostile}, ""}, {[]string{"-crawlers", hostile, "-domains", os.DevNull}, ""}, {[]string{"-kinds", hostile, "-domains", os.DevNull}, ""},
		{[]string{"-connect-to", hostile}, ""}, {[]string{"-format", hostile}, ""}, {[]string{"-urls", file, "-domains", os.DevNull}, ""},
		{[]string{"-domains", "-", "-no-cache", "-out", out}, list}, {[]string{"-domains", "-", "-no-cache", "-out", out}, list}, {[]string{"-domains", "-", "-no-cache", "-log-format", "json", "-out", out + "2"}, list},
		{[]string{"check", file, "/" + hostile, "https://a.example/" + hostile, hostile}, ""}, {[]string{"check", "-explain", file, "/" + hostile, hostile}, ""}, {[]string{"check", "-explain", "-crawler", hostile, file, "/"}, ""},
		{[]string{"check", file + "x", "/"}, ""}, {[]string{"check", "-crawler", hostile + "@" + hostile, file, "/"}, ""}, {[]string{"check", "-jsonl"}, question},
		{[]string{"lint", file, file + "x"}, ""}, {[]string{"lint", "-profile", "all", file}, ""}, {[]string{"lint", "-json", file}, ""}, {[]string{"lint", "-sarif", file, file + "x"}, ""}, {[]string{"lint", "-severity", hostile, file}, ""}, {[]string{"lint", "-profile", hostile, file}, ""},
		{[]string{"demo", hostile}, ""},
	} {
		_, said := callWith(c.in, c.args...)
		if wrong := harmless(said); wrong != "" || said == "" {
			t.Errorf("%q: %q", c.args, wrong)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "summary.json")); errors.Is(err, fs.ErrNotExist) {
		t.Error("the audit did not come about")
	}
}

func quoted(t *testing.T, s string) string {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEscaped checks that escaped JSON has the same meaning.
func TestEscaped(t *testing.T) {
	var out bytes.Buffer
	text := strings.ToValidUTF8(hostile, "") + "äöü – 漢字 \u00a0 \U0001F600 \uFEFF \u2028"
	if err := json.NewEncoder(cli.Escaped{W: &out}).Encode(text); err != nil {
		t.Fatal(err)
	}
	var got string
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got != text {
		t.Errorf("%v: %q, want %q", err, got, text)
	}
	if wrong := harmless(out.String()); wrong != "" || !strings.Contains(out.String(), `\u202e`) || !strings.Contains(out.String(), `\u009b`) || !strings.Contains(out.String(), "漢字") {
		t.Errorf("%q: %s", wrong, &out)
	}
}
