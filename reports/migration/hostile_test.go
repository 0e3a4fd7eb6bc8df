package migration

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/migrate"
	"robots-audit/engine"
)

// TestHostile has a result in which every text is hostile: nothing of it may be markup, a formula,
// or hidden.
func TestHostile(t *testing.T) {
	const evil = "=1+1|<script>alert(1)</script>\u202e*x*`\x1b[31m"
	crawlers, err := audit.ParseCrawlers("Googlebot")
	if err != nil {
		t.Fatal(err)
	}
	verdicts := []migrate.Verdict{{Verdict: engine.Disallow, Line: 3, Rule: evil}}
	hop := migrate.Hop{URL: evil, Code: evil, Location: evil, Verdicts: verdicts, File: migrate.File{Name: evil, Why: evil}}
	r := &migrate.Result{Line: 2, Old: evil, New: evil, Hops: []migrate.Hop{hop}, Class: migrate.ClassSourceBlocked,
		Target:  migrate.Target{Hop: hop, Live: []migrate.Verdict{{Verdict: engine.Allow}}, Proposed: verdicts},
		Remarks: []migrate.Remark{{Class: migrate.ClassSourceBlocked, Text: evil, Rule: evil, File: evil, URL: evil}}}
	dir := t.TempDir()
	f, err := Open(Options{Dir: dir, Crawlers: crawlers, Head: Head{Version: "test", Map: evil, Proposed: "x", Started: time.Unix(0, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Add(r); err != nil {
		t.Fatal(err)
	}
	sum, err := f.Finish(&Whole{Leaks: []migrate.Leak{{Kind: migrate.LeakStagingName, Severity: migrate.Error, File: evil, Text: evil, Words: evil, Todo: "x"}}, Unmapped: []string{evil}, Pairs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if len(sum.Flips) != 1 || sum.Flips[0].NewlyBlocked != 1 || sum.Totals.ImportantFailing != 1 {
		t.Errorf("got %+v", sum)
	}
	escaped := strings.NewReplacer(`\|`, "", `\<`, "", `\*`, "")
	for name, wrong := range map[string][]string{
		"index.html":   {"<script>alert", "(1)</script", "\u202e", "\x1b"},
		"changes.md":   {"<script", "\u202e", "\x1b", "*x*", "1|"},
		"changes.json": {"\u202e", "\x1b"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range wrong {
			if strings.Contains(escaped.Replace(string(text)), w) {
				t.Errorf("%s holds %q", name, w)
			}
		}
	}
	rows := cells(t, dir, "Proposed")
	if len(rows) != 2 || rows[1][2] != "newly blocked" || !strings.HasPrefix(rows[1][0], "=1+1") {
		t.Errorf("got %q", rows)
	}
	if _, err := os.Stat(filepath.Join(dir, ".robots-audit")); err == nil {
		t.Error("the folder for temporary files is still there")
	}
}

// A path may look like a mention of a person or an issue where changes.md is posted: it must be
// code.
func TestInline(t *testing.T) {
	for text, want := range map[string]string{
		"https://example.com/a":     "https://example.com/a",
		"https://example.com/@name": "`https://example.com/@name`",
		"*a*_b|":                    `\*a\*\_b\|`,
		"two\nlines of @name":       "two lines of `@name`",
	} {
		if got := inline(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
