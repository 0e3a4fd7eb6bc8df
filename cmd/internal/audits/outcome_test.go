package audits

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"robots-audit/audit"
	"robots-audit/reports"
)

// TestOutcome prints the first three sites, one per line. It uses the words of all reports if there
// is room, and shorter ones otherwise. No line is wider than the terminal.
func TestOutcome(t *testing.T) {
	of := reports.WorstSite{
		Name: "www.forum.example", State: audit.Warn, Why: "Googlebot, Bingbot and YandexBot may not crawl 24,626 of 28,359 URLs (87 %). Line 17 `Disallow: /post*` does 89 % of it. Is this intended?",
		Brief: "87 % blocked for Googlebot, line 17 `Disallow: /post*` (24,626 of 28,359 URLs)",
	}
	for columns, want := range map[int]string{
		0:   "  www.forum.example (warning): " + of.Why,
		200: "  www.forum.example (warning): " + of.Why,
		120: "  www.forum.example (warning): " + of.Brief,
		80:  "  www.forum.example (warning): 87 % blocked for Googlebot, line 17 `Disallow: …",
		1:   "…",
	} {
		if got := fitted(of, columns); got != want || columns > 1 && utf8.RuneCountInString(got) >= columns {
			t.Errorf("in %d columns: %q, want %q", columns, got, want)
		}
	}
	hostile := reports.WorstSite{Name: "a.example", State: audit.Warn, Why: "line 1 `\x1b[2J\t\n`"}
	if got := fitted(hostile, 0); strings.ContainsAny(got, "\x1b\t\n") {
		t.Errorf("%q", got)
	}
	var said strings.Builder
	PrintOutcome(&said, reports.Totals{Sites: 5, Warn: 4, OK: 1}, []reports.WorstSite{{Name: "a", State: audit.Warn, Why: "1."}, {Name: "b", State: audit.Warn, Why: "2."}, {Name: "c", State: audit.Warn, Why: "3."}, {Name: "d", State: audit.Warn, Why: "4."}}, "out")
	for dir, want := range map[string]string{"out": "serve out\n", "a b's": `serve 'a b'\''s'` + "\n", "x\x1b": "serve 'x\uFFFD'\n"} {
		if got := offer(80, dir); !strings.HasSuffix(got, want) || offer(0, dir) != "" {
			t.Errorf("%q: %q", dir, got)
		}
	}
	if want := "5 sites: 0 critical, 4 warnings, 0 unknown, 1 OK\n  a (warning): 1.\n  b (warning): 2.\n  c (warning): 3.\nReports: " + filepath.FromSlash("out/index.html, out/summary.xlsx") + "\n"; said.String() != want {
		t.Errorf("%q", said.String())
	}
}
