package reports

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"robots-audit/engine"
)

// TestTally counts values over sites within a bound, and says what is beyond it.
func TestTally(t *testing.T) {
	var many tally
	for i := range maxTallied + 50 {
		many.add(fmt.Sprintf("/%06d", i), "a.example", siteLint{})
	}
	for _, site := range []string{"b.example", "c.example", "d.example"} {
		many.add("/000007", site, siteLint{})
		many.add("/late", site, siteLint{})
	}
	if len(many.counts) != maxTallied {
		t.Errorf("%d values are kept", len(many.counts))
	}
	words := func(string, *tallied) (string, string) { return "", "" }
	got := many.rows("rule", 2, 4, words)
	want := []fleetRow{
		{kind: "rule", item: "/000007", sites: 4, all: 4, examples: []string{"a.example", "b.example", "c.example"}},
		{kind: "rule", words: "the first 20,000 different ones are counted; others were met 53 times"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(fleetRow{})); diff != "" {
		t.Error(diff)
	}
	all := many.rows("rule", 1, 4, words)
	if n := len(all); n != maxFleet+2 || !strings.HasPrefix(all[maxFleet].words, "and 19,000 more") {
		t.Errorf("%d rows, %+v", n, all[n-2])
	}
}

// TestCommon compares what the sites of a run have in common.
func TestCommon(t *testing.T) {
	var c common
	for i, name := range []string{"a.example", "b.example", "c.example"} {
		l := &siteLine{journalLine: &journalLine{Name: name, Fleet: &siteFleet{
			Lint: map[string]siteLint{"RUL013": {int64(i + 1), engine.Severity(i % 2)}}, Rules: []string{"disallow: /wp-admin/", "disallow: /" + name}, Agents: []string{"*"},
		}}}
		l.entry.Robots = robotsSummary{Status: 200, Bytes: 10, SHA256: "same"}
		if i == 2 {
			l.entry.Robots.SHA256 = "other"
		}
		c.add(l)
	}
	c.add(&siteLine{journalLine: &journalLine{Name: "old.example"}}) // of a run before findings were counted
	var got []string
	for _, r := range c.rows(4) {
		got = append(got, fmt.Sprintf("%s %q %s %d of %d, %d findings, such as %v", r.kind, r.item, r.severity, r.sites, r.all, r.findings, r.examples))
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
