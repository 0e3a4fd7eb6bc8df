package summary

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// TestTally counts values over sites within a bound, and the number beyond it.
func TestTally(t *testing.T) {
	var many tally
	for i := range maxTallied + 50 {
		many.count(fmt.Sprintf("/%06d", i), "a.example", site.LintCount{})
	}
	for _, name := range []string{"b.example", "c.example", "d.example"} {
		many.count("/000007", name, site.LintCount{})
		many.count("/late", name, site.LintCount{})
	}
	if len(many.counts) != maxTallied {
		t.Errorf("%d values are kept", len(many.counts))
	}
	words := func(string, *tallied) (string, string) { return "", "" }
	got := many.rows("rule", 2, 4, words)
	want := []CommonRow{
		{Kind: "rule", Item: "/000007", Sites: 4, All: 4, Examples: []string{"a.example", "b.example", "c.example"}},
		{Kind: "rule", Words: "only the first 20,000 are counted; others were found 53 times"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	all := many.rows("rule", 1, 4, words)
	if n := len(all); n != maxCommon+2 || !strings.HasPrefix(all[maxCommon].Words, "and 19,000 more") {
		t.Errorf("%d rows, %+v", n, all[n-2])
	}
}

// TestCommon compares what the sites of a run have in common.
func TestCommon(t *testing.T) {
	var c Common
	for i, name := range []string{"a.example", "b.example", "c.example"} {
		l := &Site{Line: &Line{Name: name, Shared: &site.Shared{
			Lint: map[string]site.LintCount{"RUL013": {Findings: int64(i + 1), Severity: engine.Severity(i % 2)}}, Rules: []string{"disallow: /wp-admin/", "disallow: /" + name}, Agents: []string{"*"},
		}}}
		l.Entry.Robots = Robots{Status: 200, Bytes: 10, SHA256: "same"}
		if i == 2 {
			l.Entry.Robots.SHA256 = "other"
		}
		c.AddSite(l)
	}
	c.AddSite(&Site{Line: &Line{Name: "old.example"}}) // of a run before findings were counted
	var got []string
	for _, r := range c.Rows(4) {
		got = append(got, fmt.Sprintf("%s %q %s %d of %d, %d findings, such as %v", r.Kind, r.Item, r.Severity, r.Sites, r.All, r.Findings, r.Examples))
	}
	want := []string{
		`finding "RUL013" warning 3 of 4, 6 findings, such as [a.example b.example c.example]`,
		`robots.txt "same"  2 of 4, 0 findings, such as [a.example b.example]`,
		`rule "disallow: /wp-admin/"  3 of 4, 0 findings, such as [a.example b.example c.example]`,
		`user agent "*"  3 of 4, 0 findings, such as [a.example b.example c.example]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
