package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
)

// TestLintNoFile names files that do not exist: the error is reported, the exit code is that of
// usage, and the others are linted.
func TestLintNoFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const fine = "User-agent: *\nDisallow: /private/\nSitemap: https://example.com/s.xml\n"
	for name, text := range map[string]string{"fine.txt": fine, "bad.txt": "User-agent: *\nDisallow: b\n", "full/robots.txt": fine} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("empty", 0o777); err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join("full", "robots.txt")
	for _, c := range []struct {
		args string
		code int
		want []string // lines of standard error
	}{
		{"fine.txt", cli.ExitDone, []string{"1 file: nothing found"}},
		{"bad.txt", cli.ExitFindings, []string{"1 file: 1 error, 1 info"}},
		{"nofile", cli.ExitUsage, []string{"robots-audit: nofile: no such file. Expected a robots.txt", "no file was linted"}},
		{"nofile fine.txt", cli.ExitUsage, []string{"robots-audit: nofile: no such file. Expected a robots.txt", "1 file: nothing found; 1 file was not found"}},
		{"nofile bad.txt neither", cli.ExitUsage, []string{"robots-audit: neither: no such file. Expected a robots.txt", "1 file: 1 error, 1 info; 2 files were not found"}},
		{"empty", cli.ExitUsage, []string{"robots-audit: empty: this is a folder without a robots.txt. Name a file", "no file was linted"}},
		{"full", cli.ExitUsage, []string{"robots-audit: full: this is a folder. Name its file: " + inside}},
		{"none/*.txt", cli.ExitUsage, []string{"robots-audit: none/*.txt: no file matches. Check the name"}},
		{"fine.txt/robots.txt", cli.ExitUsage, []string{"robots-audit: fine.txt/robots.txt: no such file. Expected a robots.txt"}},
		{"-- -json fine.txt", cli.ExitUsage, []string{"robots-audit: -json: no such file. Expected a robots.txt", "1 file: nothing found; 1 file was not found"}},
		{"example.com", cli.ExitUsage, []string{"robots-audit: example.com: no such file. For the site, use its URL: https://example.com/"}},
		{"www.example.com/robots.txt", cli.ExitUsage, []string{"robots-audit: www.example.com/robots.txt: no such file. For the site, use its URL: https://www.example.com/"}},
		{"https:// fine.txt", cli.ExitUsage, []string{"robots-audit: https:// is not the URL of a site. Expected https://HOST/", "1 file: nothing found; 1 file was not found"}},
		{"-retries -1 http://127.0.0.1:1/", cli.ExitFindings, []string{"1 file: 1 critical"}},
		{"-json nofile", cli.ExitUsage, []string{"robots-audit: nofile: no such file. Expected a robots.txt"}},
		{"-write-baseline base nofile fine.txt", cli.ExitUsage, []string{"robots-audit: nofile: no such file. Expected a robots.txt"}},
	} {
		var out, errs bytes.Buffer
		code := runLint(strings.Fields(c.args), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if code != c.code {
			t.Errorf("lint %s: exit code %d, want %d", c.args, code, c.code)
		}
		for _, line := range c.want {
			if !strings.Contains("\n"+errs.String(), "\n"+line+"\n") {
				t.Errorf("lint %s: %q, want %q", c.args, errs.String(), line)
			}
		}
	}
	if out := lintOutput("-retries", "-1", "http://127.0.0.1:1/"); !strings.Contains(out, "robots.txt of http://127.0.0.1:1 could not be fetched: the server refused the connection [") {
		t.Errorf("a code stands where people read: %s", out)
	}
	var out, errs bytes.Buffer // check uses the same words
	if code := runCheck([]string{"example.com", "/a"}, cli.Streams{In: nil, Out: &out, Err: &errs}); code != cli.ExitUsage || errs.String() != "robots-audit: example.com: no such file. For the site, use its URL: https://example.com/\n" {
		t.Errorf("check: exit code %d, %s", code, errs.String())
	}
	errs.Reset()
	if code := runCheck([]string{"", "/a"}, cli.Streams{In: nil, Out: &out, Err: &errs}); code != cli.ExitUsage || errs.String() != "robots-audit: the name of a file is empty. Expected a robots.txt\n" {
		t.Errorf("check of an empty name: exit code %d, %s", code, errs.String())
	}
	if _, err := os.Stat("base"); err == nil {
		t.Error("a baseline without the findings of a file that was not read")
	}
}

func lintOutput(args ...string) string {
	var out bytes.Buffer
	runLint(args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out})
	return out.String()
}

// TestLintNotAsked redirects lint to an address that it does not request from: it has no robots.txt
// then, and does not claim that nothing was found.
func TestLintNotAsked(t *testing.T) {
	server := httptest.NewServer(http.RedirectHandler("http://10.0.0.1/robots.txt", http.StatusFound))
	defer server.Close()
	var out, errs bytes.Buffer
	code := runLint([]string{server.URL}, cli.Streams{In: nil, Out: &out, Err: &errs})
	if want := server.URL + "/robots.txt: a private or special address, which needs permission\nno file was linted\n"; code != cli.ExitFailed || !strings.HasSuffix(errs.String(), want) {
		t.Errorf("exit code %d, %s%s, want %s", code, out.String(), errs.String(), want)
	}
}
