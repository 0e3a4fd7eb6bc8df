package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/engine"
)

// TestFixKeeps fixes a file with a byte order mark, several kinds of line ends, bytes that are no
// text, and no line end at the end. All bytes but the repeated rule stay, and so do the mode of the
// file and the link to it.
func TestFixKeeps(t *testing.T) {
	t.Chdir(t.TempDir())
	const body = "\xEF\xBB\xBF# \xff\x00\r\nUser-agent: *\rDisallow: /a\nDisallow: /a\r\n# caf\xe9\r\rSitemap: https://example.com/s.xml"
	const want = "\xEF\xBB\xBF# \xff\x00\r\nUser-agent: *\rDisallow: /a\n# caf\xe9\r\rSitemap: https://example.com/s.xml"
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir("sub", 0o755))
	file := filepath.Join("sub", "robots.txt")
	must(os.WriteFile(file, []byte(body), 0o600))
	must(os.Chmod(file, 0o640))
	link := file
	if runtime.GOOS != "windows" {
		link = "link.txt"
		must(os.Symlink(file, link))
	}
	for _, edits := range []string{"1 edit", "0 edits"} {
		var out, err bytes.Buffer
		code := runLint([]string{"-fix", "-fail-on", "never", "-severity", "info", link}, cli.Streams{In: &bytes.Buffer{}, Out: &out, Err: &err})
		if code != cli.ExitDone || !bytes.HasPrefix(err.Bytes(), []byte(link+": "+edits+"; ")) {
			t.Errorf("code %d: %s", code, err.Bytes())
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%q, %v", got, err)
		}
	}
	info, err := os.Stat(file)
	must(err)
	at, err := os.Lstat(link)
	must(err)
	if runtime.GOOS != "windows" && (info.Mode() != 0o640 || at.Mode()&os.ModeSymlink == 0) {
		t.Errorf("mode %v, of the link %v", info.Mode(), at.Mode())
	}
	if left, _ := filepath.Glob("sub/.*"); left != nil {
		t.Errorf("left: %q", left)
	}
}

// TestFixUnwritable names a file that is no ordinary one.
func TestFixUnwritable(t *testing.T) {
	if err := replaceFile(os.DevNull, nil); err == nil {
		t.Error("a device was replaced")
	}
	if err := replaceFile(filepath.Join(t.TempDir(), "none"), nil); err == nil {
		t.Error("a file was made")
	}
}

// TestDiff holds diffs to their texts: one text and the diff give the other.
func TestDiff(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"User-agent: *\nDisallow: /a\nDisallow: /a", "@@ -1,3 +1,2 @@\n User-agent: *\n Disallow: /a\n-Disallow: /a\n\\ No newline at end of file\n"},
		{"User-agent: *\rDisallow: /a\rDisallow: /a\r", "@@ -1 +1 @@\n-User-agent: *\rDisallow: /a\rDisallow: /a\r\n\\ No newline at end of file\n+User-agent: *\rDisallow: /a\r\n\\ No newline at end of file\n"},
		{"User-agent: *\r\nDisallow: /a\r\nDisallow: /a\r\n", "@@ -1,3 +1,2 @@\n User-agent: *\r\n Disallow: /a\r\n-Disallow: /a\r\n"},
		{"User-agent: *\nDisallow: /a\nDisallow: /a\n#1\n#2\n#3\n#4\n#5\n#6\n#7\nDisallow: /a\n#1\n#2\n#3\n#4\n", "@@ -1,6 +1,5 @@\n User-agent: *\n Disallow: /a\n-Disallow: /a\n #1\n #2\n #3\n@@ -8,7 +7,6 @@\n #5\n #6\n #7\n-Disallow: /a\n #1\n #2\n #3\n"},
		{"User-agent: *\nDisallow: /\n", ""},
	} {
		fixed := engine.Fix([]byte(c.body), nil, func(body []byte) []engine.Finding { return engine.Lint(body, engine.LintOptions{}) })
		var out bytes.Buffer
		if err := writeDiff(&out, "f", []byte(c.body), fixed); err != nil {
			t.Fatal(err)
		}
		if want := "--- f\n+++ f\n" + c.want; out.String() != want && (c.want != "" || out.Len() > 0) {
			t.Errorf("%q:\n%q\nwant\n%q", c.body, out.String(), want)
		}
	}
}
