package summary

import (
	"fmt"
	"testing"

	"robots-audit/audit"
)

// TestFailing counts the sites that each word of -fail-on fails: by their
// findings and by their state, unknown sites apart.
func TestFailing(t *testing.T) {
	var got Totals
	for _, line := range []*Line{
		{State: "ok", Records: 1, Findings: &audit.Severities{}},
		{State: "ok", Records: 1, Findings: &audit.Severities{Info: 2}},
		{State: "warn", Records: 1, Findings: &audit.Severities{Warning: 1, Info: 1}},
		{State: "warn", Records: 1, Findings: &audit.Severities{Error: 3, Warning: 1}},
		{State: "warn", Records: 1}, // of a run before findings were counted
		{State: "critical", Records: 1, Findings: &audit.Severities{Info: 1}},
		{State: "unknown", Records: 1, Findings: &audit.Severities{Critical: 1}},
	} {
		got.Count(line)
	}
	for word, want := range map[string]int{"info": 5, "warn": 4, "warning": 4, "error": 2, "critical": 1, "": 0, "nonsense": 0} {
		if n := got.Failing(word); n != want {
			t.Errorf("%q fails %d sites, want %d", word, n, want)
		}
	}
	if want := (audit.Severities{Critical: 1, Error: 3, Warning: 2, Info: 4}); got.Findings != want {
		t.Errorf("%+v, want %+v", got.Findings, want)
	}
}

// TestMostBlocked says "most" of a site only where more than half of the blocked
// URLs lie on it.
func TestMostBlocked(t *testing.T) {
	for _, c := range []struct {
		blocked []int64
		want    string
	}{
		{[]int64{1, 7, 2}, "Most blocked URLs lie on site-1.example: 7 of 10, among its 20 known URLs."},
		{[]int64{5, 5}, "No site has more blocked URLs than site-0.example: 5 of 10, among its 20 known URLs."},
		{[]int64{1, 2, 2, 4}, "No site has more blocked URLs than site-3.example: 4 of 9, among its 20 known URLs."},
		{[]int64{0}, ""},
	} {
		var o Overview
		totals := Totals{}
		for i, n := range c.blocked {
			line := &Line{Name: fmt.Sprintf("site-%d.example", i), State: "warn", Records: 1, URLs: 20, BlockedURLs: n}
			o.AddSite(&Site{Line: line})
			totals.Count(line)
		}
		if got := o.Sentences(totals)[2]; got != c.want {
			t.Errorf("%d: %q, want %q", c.blocked, got, c.want)
		}
	}
}
