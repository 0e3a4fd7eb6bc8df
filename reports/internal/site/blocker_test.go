package site

import (
	"fmt"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// TestBlocker finds for each crawler the line that blocks most for it, in any of the site's
// robots.txt files; an allow and an empty disallow block nothing.
func TestBlocker(t *testing.T) {
	of := New(&audit.Site{Crawlers: []audit.Crawler{{Label: "Googlebot"}, {Label: "Bingbot"}, {Label: "YandexBot"}}}, func(int) []byte { return nil })
	for _, rec := range []audit.Record{
		{Robots: &audit.Robots{Origin: "https://example.com"}},
		{Robots: &audit.Robots{Index: 1, Origin: "http://example.com"}},
		{Rules: &audit.Rules{Crawlers: []int{0, 1}, Counts: []audit.RuleCount{
			{Line: 2, Rule: "allow: /", Decided: 900}, {Line: 3, Rule: "disallow:", Decided: 800}, {Line: 4, Rule: "disallow: /a", Decided: 5}, {Line: 5, Rule: "disallow: /b", Decided: 5}}}},
		{Rules: &audit.Rules{Crawlers: []int{2}, Counts: []audit.RuleCount{{Line: 9, Rule: "disallow: /never"}}}},
		{Rules: &audit.Rules{Origin: 1, Crawlers: []int{1}, Counts: []audit.RuleCount{{Line: 7, Rule: "disallow: /c", Decided: 6}}}},
	} {
		of.AddRecord(rec)
	}
	check := func(wants ...string) {
		t.Helper()
		for i, want := range wants {
			origin, line, rule := of.Blocker(i)
			if got := fmt.Sprint(origin, " ", line, " ", rule); got != want {
				t.Errorf("crawler %d: %q, want %q", i, got, want)
			}
		}
	}
	check("https://example.com 4 disallow: /a", "http://example.com 7 disallow: /c", " 0 ")
	// if clicks are known, it is the line that blocks most of them
	of.AddRecord(audit.Record{URLs: &audit.URLs{List: []audit.URL{{Loc: "https://example.com/b", Weight: audit.Weight{Clicks: 9}, Verdicts: []engine.Verdict{engine.Disallow, engine.Allow, engine.Allow}, Lines: []int32{5, 0, 0}}}}})
	check("https://example.com 5 disallow: /b", "http://example.com 7 disallow: /c", " 0 ")
}
