package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// Files that the user names and that are read into memory are limited: a larger one is refused with
// its name.
func TestReadBounded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, make([]byte, cli.MaxConfig), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := cli.ReadBounded(name, cli.MaxConfig); err != nil || len(text) != cli.MaxConfig {
		t.Errorf("%d bytes, error %v", len(text), err)
	}
	for _, flag := range []string{"-config", "-ca-cert"} {
		if err := os.Truncate(name, cli.MaxAuthorities+1); err != nil {
			t.Fatal(err)
		}
		if code, said := call("-domains", "-", flag, name); code != cli.ExitUsage || !strings.Contains(said, name+": the file is too long") {
			t.Errorf("%s: exit code %d: %s", flag, code, said)
		}
	}
}

// Too many crawlers are wrong usage, reported at once.
func TestTooManyCrawlers(t *testing.T) {
	var names strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&names, "token:Bot%d,", i)
	}
	out := filepath.Join(t.TempDir(), "run")
	if code, said := callWith("# none\n", "-domains", "-", "-out", out, "-crawlers", names.String()); code != cli.ExitUsage || !strings.Contains(said, "9000 crawlers are too many. A run can have 256") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// A row without a URL in the user's list is reported.
func TestRowsWithoutURL(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"Page,Clicks\nhttp://a.example/,1\n/path,2\n,3\nftp://a.example/,4\n": "-urls: 3 rows of the list of URLs skipped: line 3 \"/path\": a path without a host; line 4: no URL; line 5 \"ftp://a.example/\": no absolute http or https URL",
		"Page,Clicks\nhttp://a.example/,1\n":                                  "",
	} {
		name := filepath.Join(dir, "urls.csv")
		clitest.WriteFile(t, name, text)
		if _, got := callWith("# none\n", "-domains", "-", "-no-cache", "-urls", name, "-out", filepath.Join(t.TempDir(), "run")); !strings.Contains(strings.ReplaceAll(got, `\"`, `"`), want) || want == "" && strings.Contains(got, "left out") {
			t.Errorf("%q: %s", text, got)
		}
	}
}
